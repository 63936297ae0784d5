// Which version of its source files a program was measured with.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace smem_lint::validate {

struct Source {
  std::string file, sha256;
};

struct Sources {
  std::vector<Source> files;        // sorted by name; those that can be read and are not newer than the program
  std::vector<std::string> changed; // changed after the program was built, so that their present text says nothing
};

// `files` as the line table names them; headers of the toolkit are left out.
Sources find_sources(const std::set<std::string> &files, const std::string &program);

} // namespace smem_lint::validate
