// Headers that no include folder has, looked for in the project that the source lies in.
#pragma once

#include <string>

namespace smem {

/// Where a project has a header.
struct HeaderInProject {
  std::string folder; ///< that `-I` would have to name; of several the shortest, then the first by name. Empty: nowhere
  std::string file;   ///< absolute; empty unless it is the only file of that name, and all of the project was looked at
};

/// `header` as an `#include` in `file` or below it names it. The project is the folder that version control begins at, else a few levels up; it is not looked at for long.
HeaderInProject find_in_project(const std::string &file, const std::string &header);

} // namespace smem
