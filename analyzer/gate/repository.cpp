#include "gate/repository.h"

#include "source/paths.h"

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
  return absolute.starts_with(prefix) ? absolute.substr(prefix.size()) : absolute;
}

} // namespace smem
