#include "frontend/project_headers.h"

#include <algorithm>
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
  fs::path folder = file.parent_path(), top = folder;
  for (int i = 0; i < kMaxAncestors && folder != folder.root_path(); ++i, folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error))
      return folder;
    if (fs::exists(folder / "CMakeLists.txt", error) || fs::exists(folder / "Makefile", error))
      top = folder;
  }
  return top;
}

} // namespace

HeaderInProject find_in_project(const std::string &file, const std::string &header) {
  HeaderInProject found;
  // A path that leads upwards is meant from where it is written.
  const std::string wanted = "/" + fs::path(header).lexically_normal().string();
  if (wanted.starts_with("/.."))
    return found;
  std::error_code error;
  std::size_t entries = 0;
  bool whole = true, alone = true;
  fs::path canonical;
  fs::recursive_directory_iterator at(project_of(normalise_path(file)), fs::directory_options::skip_permission_denied,
                                      error),
      end;
  for (; !error && at != end; at.increment(error)) {
    if (++entries > kMaxEntries) {
      whole = false;
      break;
    }
    std::error_code ignored;
    const bool hidden = at->path().filename().native().starts_with(".");
    if (at.depth() > kMaxDepth && !hidden)
      whole &= !at->is_directory(ignored);
    if (at.depth() > kMaxDepth || hidden)
      at.disable_recursion_pending();
    const std::string path = at->path().string();
    if (!path.ends_with(wanted) || !at->is_regular_file(ignored))
      continue;
    std::string folder = path.substr(0, path.size() - wanted.size());
    const fs::path same = fs::canonical(at->path(), ignored);
    alone &= !ignored && (canonical.empty() || same == canonical);
    canonical = same;
    // The order of a directory is no one's.
    if (found.folder.empty() || std::pair{folder.size(), folder} < std::pair{found.folder.size(), found.folder}) {
      found.folder = std::move(folder);
      found.file = path;
    }
  }
  if (error || !whole || !alone)
    found.file.clear();
  return found;
}

} // namespace smem
