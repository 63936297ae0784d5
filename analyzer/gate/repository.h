// Paths as every clone of a repository spells them.
#pragma once

#include <map>
#include <string>

namespace smem {

/// The folder of the nearest `.git` at or above the folder `directory` (absolute); empty if there is none. Runs no git.
std::string repository_root(const std::string &directory);

/// Paths relative to the root of their repository, those outside of any relative to the working directory.
class RepositoryPaths {
public:
  std::string show(const std::string &path);

private:
  std::map<std::string, std::string> roots; ///< by directory
};

} // namespace smem
