// Headers that no include folder has, looked for in the project that the source lies in.
#pragma once

#include <string>

namespace smem {

/// Where a project has a header.
struct HeaderInProject {
  std::string folder; ///< that `-I` would have to name; of several the shortest, then the first by name. Empty: nowhere
  std::string file;   ///< absolute; empty if there may be another file of that name
  bool several = false;
};

/// A name as an `#include` writes it, without what leads nowhere (`./a//b.h`); empty where it leads upwards, which is meant from where it is written.
std::string plain_header_name(const std::string &header);

/// `header` by its plain name. The project of `file` is the folder that version control begins at, else a few levels up. Hidden folders are none of it, and it is not looked at for long:
/// where something of it was not seen, linked folders among that, there may be another file.
HeaderInProject find_in_project(const std::string &file, const std::string &header);

} // namespace smem
