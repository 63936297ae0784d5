// Lines of source files, for excerpts. Read when first needed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

class SourceLines {
public:
  /// Text that is not (or not yet) in a file: standard input.
  void add(std::string file, std::string contents);

  /// Line `line` (from 1) without its end; empty if there is no such file or line.
  std::string_view line(const std::string &file, unsigned line);

  /// The whole text; empty if there is no such file.
  std::string_view text(const std::string &file) { return load(file).contents; }

private:
  struct File {
    std::string contents;
    std::vector<std::size_t> starts;
  };
  const File &load(const std::string &file);
  static File split(std::string contents);

  std::map<std::string, File> files;
};

} // namespace smem
