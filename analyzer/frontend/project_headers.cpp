#include "frontend/project_headers.h"

#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "support/paths.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

/// How far the search goes.
constexpr std::size_t kMaxEntries = 20'000;
constexpr int kMaxDepth = 6, kMaxAncestors = 6;

/// The outermost folder that is still the file's project: where version control begins, else a few levels up.
fs::path project_of(const fs::path &file) {
  std::error_code error;
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / ".git", error))
      return folder;
  fs::path folder = file.parent_path(), top = folder;
  for (int i = 0; i < kMaxAncestors && folder.has_relative_path(); ++i, folder = folder.parent_path())
    if (fs::exists(folder / "CMakeLists.txt", error) || fs::exists(folder / "Makefile", error))
      top = folder;
  return top;
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

HeaderInProject find_in_project(const std::string &file, const std::string &header) {
  HeaderInProject found;
  if (header.empty())
    return found;
  const std::string wanted = "/" + header;
  std::error_code error;
  std::size_t entries = 0;
  bool whole = true;
  fs::recursive_directory_iterator at(project_of(normalise_path(file)), fs::directory_options::skip_permission_denied,
                                      error),
      end;
  for (; !error && at != end; at.increment(error)) {
    if (++entries > kMaxEntries) {
      whole = false;
      break;
    }
    std::error_code ignored;
    if (at->path().filename().native().starts_with(".")) {
      at.disable_recursion_pending();
      continue;
    }
    const bool too_deep = at.depth() > kMaxDepth;
    if (too_deep)
      at.disable_recursion_pending();
    if (at->is_directory(ignored) && (too_deep || at->is_symlink(ignored)))
      whole = false;
    const std::string path = at->path().string();
    if (!path.ends_with(wanted) || !at->is_regular_file(ignored))
      continue;
    found.several = !found.folder.empty();
    std::string folder = path.substr(0, path.size() - wanted.size());
    // The order of a directory is no one's.
    if (found.folder.empty() || std::pair{folder.size(), folder} < std::pair{found.folder.size(), found.folder}) {
      found.folder = std::move(folder);
      found.file = path;
    }
  }
  if (error || !whole || found.several || found.file.find_first_of("\"\n") != std::string::npos)
    found.file.clear();
  return found;
}

} // namespace smem
