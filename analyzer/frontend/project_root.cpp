#include "frontend/project_root.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "support/paths.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxAncestors = 8;
constexpr int kMostUnmarked = 2;             ///< folders between two that are marked: `project/src/cuda/Makefile`
constexpr std::size_t kMostEntries = 10'000; ///< of a folder, to see what it has

/// Files by which a folder is built.
constexpr std::array<std::string_view, 17> kBuilds{
    "CMakeLists.txt", "Makefile",     "makefile",    "GNUmakefile",  "Makefile.am", "configure",
    "configure.ac",   "configure.in", "setup.py",    "setup.cfg",    "SConstruct",  "pyproject.toml",
    "meson.build",    "Cargo.toml",   "BUILD.bazel", "MODULE.bazel", "WORKSPACE"};
/// What names of texts begin with that belong to a whole project. Any folder may have a README.
constexpr std::array<std::string_view, 3> kLicences{"LICENSE", "LICENCE", "COPYING"};

/// Whether an entry is of that kind.
template <typename Kind> bool has(const fs::path &folder, const Kind &kind) {
  std::error_code error;
  std::size_t entries = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && entries < kMostEntries;
       at.increment(error), ++entries)
    if (kind(at->path()))
      return true;
  return false;
}

bool is_marked(const fs::path &folder, bool by_readme) {
  return has(folder, [&](const fs::path &entry) {
    const std::string name = entry.filename().string();
    return std::ranges::find(kBuilds, name) != kBuilds.end() || (by_readme && name.starts_with("README")) ||
           std::ranges::any_of(kLicences, [&](std::string_view text) { return name.starts_with(text); });
  });
}

bool has_clones(const fs::path &folder) {
  std::error_code error;
  return has(folder, [&](const fs::path &entry) { return fs::exists(entry / ".git", error); });
}

fs::path folder_of_variable(const char *name) {
  const char *value = std::getenv(name);
  return value && *value == '/' ? fs::path(normalise_path(value)) : fs::path();
}

/// Whether what lies here is of all kinds: everything that someone has, or what is there for a while.
bool holds_projects(const fs::path &folder) {
  const fs::path home = folder_of_variable("HOME"), parent = folder.parent_path();
  return !folder.has_relative_path() || folder == home || lies_in(home.string(), folder.string()) ||
         folder == folder_of_variable("TMPDIR") || folder == "/tmp" || folder == "/var/tmp" || folder == "/root" ||
         folder == "/home" || parent == "/home" || folder == "/Users" || parent == "/Users";
}

} // namespace

fs::path project_root(const fs::path &file) {
  std::error_code error;
  const fs::path own = file.parent_path();
  for (fs::path folder = own; !holds_projects(folder); folder = folder.parent_path())
    if (fs::exists(folder / ".git", error))
      return folder;
  fs::path root, folder = own;
  int unmarked = 0;
  for (int i = 0; i < kMaxAncestors && !holds_projects(folder); ++i, folder = folder.parent_path()) {
    if (is_marked(folder, root.empty())) {
      if (!root.empty() && has_clones(folder))
        break;
      root = folder;
      unmarked = 0;
    } else if (++unmarked > kMostUnmarked && !root.empty()) {
      break;
    }
  }
  return !root.empty() ? root : holds_projects(own) ? fs::path() : own;
}

} // namespace smem
