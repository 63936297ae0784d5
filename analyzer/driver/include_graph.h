// Which files include which, and which of them hold kernels, by their texts alone: for choosing files before anything is parsed.
#pragma once

#include "frontend/included_names.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace smem {

/// Paths are absolute and normal. Every file is read once.
class IncludeGraph {
public:
  /// A file that an `#include "a/b.h"` may mean wherever it stands, if no folder of the compiler's has another one.
  void add_known(const std::string &path);

  /// Where the compiler looks for headers, beside the folder of the file that includes them.
  using Folders = std::size_t;
  Folders folders(const std::vector<std::string> &paths);

  /// Adds all that `files` include, directly or not.
  void collect(const std::vector<std::string> &files, Folders folders, std::set<std::string> &included);

  /// The word `__global__` stands in the file, outside of comments.
  bool defines_kernels(const std::string &path);

  /// It has kernels or launches, or something that it includes may have them: has them, or cannot be found or read.
  bool may_hold_kernels(const std::string &path, Folders folders);

private:
  struct Facts {
    bool readable = false, kernels = false, launches = false;
    std::vector<std::pair<std::string, bool>> includes; ///< name, quoted
  };
  const Facts &facts(const std::string &path);
  /// Empty: it is not among the files that can be seen.
  std::string resolve(const std::string &name, bool quoted, const std::string &folder, Folders folders);
  struct Includes {
    std::vector<std::string> files;
    bool all = true; ///< no quoted name is missing
  };
  const Includes &includes_of(const std::string &path, Folders folders);

  std::map<std::string, Facts> known;
  std::map<std::string, std::vector<std::string>> by_name; ///< of add_known(), by the last part of the path
  std::map<std::vector<std::string>, Folders> numbers;
  std::vector<const std::vector<std::string> *> lists; ///< by number
  std::map<std::pair<Folders, std::string>, Includes> resolved;
};

} // namespace smem
