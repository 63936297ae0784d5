// Paths as every clone of a repository spells them.
#pragma once

#include <map>
#include <set>
#include <string>

namespace smem {

/// The folder of the nearest `.git` at or above the folder `directory` (absolute); empty if there is none. Runs no git.
std::string repository_root(const std::string &directory);

/// The folder that the file `path` (absolute) belongs to: the innermost repository on the way to it, or its own folder where there is none. Links on the way are
/// followed, but one that lies in a repository leads out of it to nowhere: the answer is then that repository, which the file is not in.
/// `least`: a folder that counts as a repository, or empty.
std::string home_of(const std::string &path, const std::string &least = {});

/// Paths relative to the root of their repository, those outside of any relative to the working directory.
class RepositoryPaths {
public:
  std::string show(const std::string &path);
  /// The folder that all relative paths so far start from; empty if there are several or none.
  std::string common_root() const;

private:
  std::map<std::string, std::string> roots; ///< by directory
  std::set<std::string> used;               ///< of relative paths
};

} // namespace smem
