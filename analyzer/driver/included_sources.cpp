#include "driver/included_sources.h"

#include "driver/compile_database.h"
#include "frontend/included_names.h"
#include "sinks/files.h"
#include "support/paths.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <vector>

namespace smem {
namespace {

/// The lines that no `#if` and no comment holds.
std::string unconditional_lines(std::string_view whole) {
  std::string out;
  std::size_t depth = 0;
  bool in_comment = false;
  for (llvm::StringRef text(whole.data(), whole.size()); !text.empty();) {
    auto [line, rest] = text.split('\n');
    text = rest;
    const bool commented = in_comment;
    for (llvm::StringRef left = line; !left.empty();) {
      const std::size_t mark = left.find(in_comment ? "*/" : "/*"), end_of_code = left.find("//");
      if (mark == llvm::StringRef::npos || (!in_comment && end_of_code < mark))
        break;
      in_comment = !in_comment;
      left = left.drop_front(mark + 2);
    }
    if (commented)
      continue;
    llvm::StringRef directive = line.ltrim();
    if (!directive.consume_front("#"))
      continue;
    directive = directive.ltrim();
    if (directive.starts_with("if"))
      ++depth;
    else if (directive.starts_with("endif") && depth != 0)
      --depth;
    else if (depth == 0)
      out += line.str() + "\n";
  }
  return out;
}

std::string file_name(const std::string &path) { return std::filesystem::path(path).filename().string(); }

std::vector<std::string> includes_of(const std::string &path, const std::set<std::string> &sources) {
  std::string wrong;
  const std::optional<std::string> text = sinks::read_existing(path, wrong);
  if (!text || text->find(sources.size() == 1 ? file_name(*sources.begin()) : ".cu\"") == std::string::npos)
    return {};
  const std::string lines = unconditional_lines(*text), folder = std::filesystem::path(path).parent_path().string();
  std::vector<std::string> out;
  for (const IncludedName &included : included_names(lines))
    if (std::string file = normalise_path(std::string(included.name), folder);
        included.quoted && file != path && sources.contains(file))
      out.push_back(std::move(file));
  return out;
}

} // namespace

std::set<std::string> included_sources(const std::set<std::string> &sources) {
  std::map<std::string, std::vector<std::string>> edges;
  std::set<std::string> targets, out;
  for (const std::string &path : sources)
    if (std::vector<std::string> includes = includes_of(path, sources); !includes.empty()) {
      targets.insert(includes.begin(), includes.end());
      edges.emplace(path, std::move(includes));
    }
  const auto follow = [&](const std::string &root) {
    std::vector<std::string> open{root};
    while (!open.empty()) {
      const auto next = edges.find(open.back());
      open.pop_back();
      if (next != edges.end())
        for (const std::string &each : next->second)
          if (each != root && out.insert(each).second)
            open.push_back(each);
    }
  };
  for (const auto &[path, includes] : edges)
    if (!targets.contains(path))
      follow(path);
  for (const auto &[path, includes] : edges) // what only a circle leads to
    if (!out.contains(path))
      follow(path);
  return out;
}

std::string source_around(const std::string &file) {
  namespace fs = std::filesystem;
  const std::string path = normalise_path(file);
  std::string wrong;
  const std::optional<std::string> text = sinks::read_existing(path, wrong);
  if (!text || !included_names(*text).empty())
    return {};
  const fs::path folder = fs::path(path).parent_path();
  for (const fs::path &each : {folder, folder.parent_path()}) {
    std::set<std::string> sources; // the order of a folder is no one's
    std::error_code error;
    for (fs::directory_iterator entry(each, error), end; !error && entry != end; entry.increment(error))
      if (is_cuda_source(file_name(entry->path().string())) && entry->path() != path)
        sources.insert(entry->path().string());
    for (const std::string &source : sources)
      if (const std::vector<std::string> includes = includes_of(source, {path});
          std::ranges::find(includes, path) != includes.end())
        return source;
  }
  return {};
}

} // namespace smem
