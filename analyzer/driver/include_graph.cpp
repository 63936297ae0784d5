#include "driver/include_graph.h"

#include "sinks/files.h"
#include "support/paths.h"

#include <algorithm>
#include <filesystem>

namespace smem {
namespace fs = std::filesystem;
namespace {

/// The text with comments blanked, and what quotes hold; good enough to find words of code.
std::string code_of(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t length = 1;
    if (rest.starts_with("//")) {
      length = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      length = end == std::string_view::npos ? rest.size() : end + 2;
    } else if (rest.starts_with("'\"'")) {
      length = 3;
    } else if (rest.front() == '"') {
      std::size_t end = 1;
      while (end < rest.size() && rest[end] != '"' && rest[end] != '\n')
        end += rest[end] == '\\' ? 2 : 1;
      length = end < rest.size() && rest[end] == '"' ? end + 1 : 1; // no string without an end on its line
    } else {
      out += rest.front();
    }
    at += length;
  }
  return out;
}

} // namespace

void IncludeGraph::add_known(const std::string &path) { by_name[fs::path(path).filename().string()].push_back(path); }

const IncludeGraph::Facts &IncludeGraph::facts(const std::string &path) {
  const auto [entry, fresh] = known.try_emplace(path);
  Facts &facts = entry->second;
  if (!fresh)
    return facts;
  if (looks_like_toolkit(path)) { // has the words of the language, and no kernels to analyse
    facts.readable = true;
    return facts;
  }
  std::string wrong;
  if (const std::optional<std::string> text = sinks::read_existing(path, wrong)) {
    const std::string code = code_of(*text);
    facts.readable = true;
    facts.kernels = code.find("__global__") != std::string::npos;
    facts.launches = code.find("<<<") != std::string::npos || code.find("cudaLaunch") != std::string::npos ||
                     code.find("cuLaunchKernel") != std::string::npos;
    for (const IncludedName &included : included_names(*text))
      facts.includes.emplace_back(included.name, included.quoted);
  }
  return facts;
}

IncludeGraph::Folders IncludeGraph::folders(const std::vector<std::string> &paths) {
  const auto [entry, fresh] = numbers.try_emplace(paths, lists.size());
  if (fresh)
    lists.push_back(&entry->first);
  return entry->second;
}

std::string IncludeGraph::resolve(const std::string &name, bool quoted, const std::string &folder, Folders folders) {
  const auto is_there = [&](const std::string &path) {
    std::error_code error;
    return known.count(path) != 0 ? known.at(path).readable : fs::is_regular_file(path, error);
  };
  if (name.empty())
    return {};
  if (std::string path = normalise_path(name, folder); quoted && is_there(path))
    return path;
  for (const std::string &each : *lists[folders])
    if (std::string path = normalise_path(name, each); is_there(path))
      return path;
  const auto candidates = by_name.find(fs::path(name).filename().string());
  if (candidates != by_name.end())
    for (const std::string &path : candidates->second)
      if (path.ends_with("/" + name))
        return path;
  return {};
}

const IncludeGraph::Includes &IncludeGraph::includes_of(const std::string &path, Folders folders) {
  const auto [entry, fresh] = resolved.try_emplace({folders, path});
  Includes &includes = entry->second;
  if (!fresh)
    return includes;
  const std::string folder = fs::path(path).parent_path().string();
  for (const auto &[name, quoted] : facts(path).includes) {
    std::string file = resolve(name, quoted, folder, folders);
    includes.all &= !quoted || !file.empty();
    if (!file.empty())
      includes.files.push_back(std::move(file));
  }
  return includes;
}

void IncludeGraph::collect(const std::vector<std::string> &files, Folders folders, std::set<std::string> &included) {
  std::vector<std::string> open = files;
  std::set<std::string> seen; // by these folders; others may have led elsewhere
  while (!open.empty()) {
    const std::string file = std::move(open.back());
    open.pop_back();
    for (const std::string &next : includes_of(file, folders).files)
      if (seen.insert(next).second) {
        included.insert(next);
        open.push_back(next);
      }
  }
}

bool IncludeGraph::defines_kernels(const std::string &path) { return facts(path).kernels; }

bool IncludeGraph::may_hold_kernels(const std::string &path, Folders folders) {
  std::vector<std::string> open{path};
  std::set<std::string> seen{path};
  while (!open.empty()) {
    const std::string file = std::move(open.back());
    open.pop_back();
    const Facts &has = facts(file);
    if (!has.readable || has.kernels || has.launches || !includes_of(file, folders).all)
      return true;
    for (const std::string &next : includes_of(file, folders).files)
      if (seen.insert(next).second)
        open.push_back(next);
  }
  return false;
}

} // namespace smem
