#include "support/repository.h"

#include "support/paths.h"

#include <filesystem>

namespace smem {
namespace fs = std::filesystem;

std::string repository_root(const std::string &directory) {
  std::error_code error;
  const bool slash = directory.size() > 1 && directory.ends_with('/');
  for (fs::path at = directory.substr(0, directory.size() - slash); !at.empty(); at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) // a folder, or the file of a work tree or submodule
      return at.string();
    if (!at.has_relative_path())
      break;
  }
  return {};
}

std::string home_of(const std::string &path, const std::string &least) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  fs::path typed = folder.root_path(), at = typed, home;
  for (const fs::path &name : folder.relative_path()) {
    typed /= name;
    const fs::path next = fs::canonical(at / name, error);
    if (error)
      break;
    if (!home.empty() && fs::is_symlink(at / name, error)) {
      const std::string inside = home == home.root_path() ? home.string() : home.string() + "/";
      if (next != home && !next.string().starts_with(inside))
        return home.string();
    }
    at = next;
    if (fs::exists(at / ".git", error) || (!least.empty() && typed == least))
      home = at;
  }
  return home.empty() ? at.string() : home.string();
}

std::string RepositoryPaths::show(const std::string &path) {
  if (path.empty() || path.starts_with('<'))
    return path;
  const std::string absolute = normalise_path(path);
  const std::string directory = fs::path(absolute).parent_path().string();
  auto root = roots.find(directory);
  if (root == roots.end()) {
    std::string found = repository_root(directory);
    root = roots.emplace(directory, found.empty() ? normalise_path(".") : std::move(found)).first;
  }
  std::string prefix = root->second;
  if (!prefix.ends_with('/'))
    prefix += '/';
  if (!absolute.starts_with(prefix))
    return absolute;
  std::string shown = absolute.substr(prefix.size());
  used.insert(std::move(prefix));
  return shown;
}

std::string RepositoryPaths::common_root() const { return used.size() == 1 ? *used.begin() : std::string(); }

} // namespace smem
