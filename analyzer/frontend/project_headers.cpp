#include "frontend/project_headers.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

#include "frontend/project_root.h"
#include "frontend/regular_files.h"
#include "sinks/files.h"
#include "support/paths.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

/// Less than a second on a local disk; PyTorch has 20,000 files, and four times as many with its submodules.
constexpr std::size_t kMaxEntries = 200'000;

/// How many folders both ways begin with, and how many follow in `path`.
std::pair<std::size_t, std::size_t> shared_folders(const fs::path &path, const fs::path &from) {
  const auto length = static_cast<std::size_t>(std::distance(path.begin(), path.end()));
  const auto differing = std::mismatch(path.begin(), path.end(), from.begin(), from.end()).first;
  const auto shared = static_cast<std::size_t>(std::distance(path.begin(), differing));
  return {shared, length - shared};
}

/// What `.gitmodules` says where submodules lie.
std::vector<std::string> submodule_paths(const fs::path &project) {
  std::string wrong;
  std::istringstream text(sinks::read_file((project / ".gitmodules").string(), wrong, kLargestSource).value_or(""));
  std::vector<std::string> paths;
  for (std::string line; std::getline(text, line);) {
    const std::size_t word = line.find_first_not_of(" \t"), equals = line.find('=');
    if (word == std::string::npos || equals == std::string::npos || !line.substr(word).starts_with("path"))
      continue;
    const std::size_t begin = line.find_first_not_of(" \t", equals + 1), end = line.find_last_not_of(" \t\r");
    if (line.find_first_not_of(" \t", word + 4) != equals || begin == std::string::npos)
      continue;
    if (std::string path = plain_header_name(line.substr(begin, end + 1 - begin));
        !path.empty()) // none outside of the project
      paths.push_back(std::move(path));
  }
  return paths;
}

bool have_equal_contents(const std::vector<std::string> &files) {
  if (files.size() == 1)
    return true;
  std::string wrong;
  const std::optional<std::string> first = sinks::read_file(files.front(), wrong, kLargestSource);
  return first && std::all_of(files.begin() + 1, files.end(), [&](const std::string &other) {
           return sinks::read_file(other, wrong, kLargestSource) == first;
         });
}

/// Whether the file, or one beside it, has specifiers of CUDA's: projects for several kinds of devices have headers of one name in a folder for each.
bool lies_beside_cuda(const std::string &file) {
  constexpr std::size_t kMostBeside = 200;
  std::error_code error;
  std::size_t looked_at = 0;
  for (fs::directory_iterator at(fs::path(file).parent_path(), error), end; !error && at != end; at.increment(error)) {
    if (++looked_at > kMostBeside)
      return false;
    std::string wrong;
    const std::string text = at->is_regular_file(error) && !at->is_symlink(error)
                                 ? sinks::read_file(at->path().string(), wrong, kLargestSource).value_or("")
                                 : std::string();
    for (const char *specifier : {"__device__", "__global__", "__shared__"})
      if (text.find(specifier) != std::string::npos)
        return true;
  }
  return false;
}

} // namespace

std::string plain_header_name(const std::string &header) {
  std::string plain;
  for (const fs::path &part : fs::path(header)) {
    if (part == ".." || part == "/")
      return {};
    if (part != "." && !part.empty())
      plain += (plain.empty() ? "" : "/") + part.string();
  }
  return plain;
}

ProjectFiles::Seen ProjectFiles::look_through(const std::string &file) {
  Seen seen;
  std::error_code error, ignored;
  std::size_t entries = 0;
  const fs::path root = project_root(normalise_path(file));
  if (root.empty()) {
    seen.whole = false;
    return seen;
  }
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end; at.increment(error)) {
    if (++entries > kMaxEntries) {
      seen.whole = false;
      break;
    }
    const std::string name = at->path().filename().string();
    if (name.starts_with("."))
      at.disable_recursion_pending();
    else if (at->is_directory(ignored))
      seen.whole &= !at->is_symlink(ignored);
    else if (!at->is_symlink(ignored) && at->is_regular_file(ignored))
      seen.files[name].push_back(at->path().string());
  }
  seen.whole &= !error;
  return seen;
}

HeaderInProject ProjectFiles::find(const std::string &header, const std::string &from) {
  HeaderInProject found;
  if (header.empty())
    return found;
  if (!seen_)
    seen_ = look_through(file_);
  const auto named = seen_->files.find(fs::path(header).filename().string());
  if (named == seen_->files.end())
    return found;
  const fs::path place = fs::path(normalise_path(from)).parent_path();
  const std::string wanted = "/" + header;
  using Order = std::tuple<std::size_t, std::size_t, std::string>;
  std::vector<std::pair<Order, std::string>> candidates; // the order of a directory is no one's
  for (const std::string &file : named->second)
    if (file.ends_with(wanted) && file.find_first_of("\"\n") == std::string::npos) {
      const std::string folder = file.substr(0, file.size() - wanted.size());
      const auto [shared, more] = shared_folders(folder, place);
      candidates.emplace_back(Order{~shared, more, folder}, file);
    }
  if (candidates.empty())
    return found;
  std::ranges::sort(candidates);
  found.folder = std::get<std::string>(candidates.front().first);
  std::vector<std::string> nearest, all;
  for (const auto &[order, file] : candidates) {
    all.push_back(file);
    if (std::get<0>(order) == std::get<0>(candidates.front().first) &&
        std::get<1>(order) == std::get<1>(candidates.front().first))
      nearest.push_back(file);
  }
  if (!have_equal_contents(nearest))
    std::erase_if(nearest, [](const std::string &file) { return !lies_beside_cuda(file); });
  if (!nearest.empty() && have_equal_contents(nearest)) {
    found.file = nearest.front();
    found.folder = found.file.substr(0, found.file.size() - wanted.size());
  }
  found.only = seen_->whole && have_equal_contents(all);
  return found;
}

const std::vector<std::string> &ProjectFiles::absent_submodules() {
  if (absent_)
    return *absent_;
  const fs::path project = project_root(normalise_path(file_));
  std::vector<std::string> absent;
  std::error_code error;
  for (std::string &path : project.empty() ? std::vector<std::string>() : submodule_paths(project))
    if (!fs::is_directory(project / path, error) || fs::is_empty(project / path, error))
      absent.push_back(std::move(path));
  return absent_.emplace(std::move(absent));
}

} // namespace smem
