// Headers that no include folder has, looked for in the project that the source lies in.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smem {

/// A name as an `#include` writes it, without what leads nowhere (`./a//b.h`); empty where it leads upwards, which is meant from where it is written.
std::string plain_header_name(const std::string &header);

/// Where a project has a header.
struct HeaderInProject {
  std::string folder; ///< that `-I` would have to name; empty: nowhere
  std::string file;   ///< absolute; empty if no file of that name is nearer than all others
  bool only = false;  ///< the whole project has no other contents under that name
};

/// The files of the project that a source lies in (project_root.h).
/// Hidden folders are none of it, and links are not followed. It is looked through when it is asked for the first time.
class ProjectFiles {
public:
  explicit ProjectFiles(std::string file) : file_(std::move(file)) {}

  /// `header` by its plain name, as the file `from` includes it. Of several files the nearest is meant: that in the folders which most of the way to `from` leads through, then
  /// that with the shortest way from there. Files of equal contents are one, and of several that are as near the one beside which there is code for CUDA.
  HeaderInProject find(const std::string &header, const std::string &from);

  /// Folders of the project that its `.gitmodules` names and that are empty or not there, by their paths in it.
  const std::vector<std::string> &absent_submodules();

private:
  struct Seen {
    std::map<std::string, std::vector<std::string>> files; ///< by their names without folders
    bool whole = true;                                     ///< nothing of the project was left out
  };
  static Seen look_through(const std::string &file);

  std::string file_;
  std::optional<Seen> seen_;
  std::optional<std::vector<std::string>> absent_;
};

} // namespace smem
