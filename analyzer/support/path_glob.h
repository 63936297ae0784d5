// Patterns for files and folders, as `.gitignore` and ruff's configuration write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// `*` and `?` match within a name, `[a-z]` and `[!a-z]` one character, `**` any number of folders, `\` takes the next character for itself. A pattern without a
/// slash is about a name anywhere below its folder, one with a slash about a path from there.
class PathGlob {
public:
  /// `text` as it is written, for paths below `directory` (absolute, taken literally) unless it is absolute itself. On failure `error` says what is wrong.
  static std::optional<PathGlob> parse(std::string_view text, std::string_view directory, std::string &error);

  /// Paths are absolute and normal. Takes time in proportion to the lengths of both, whatever the pattern.
  bool matches(std::string_view path) const;
  /// It matches `path` or a folder above it.
  bool covers(std::string_view path) const;

  /// The same pattern from the root on, which parse() reads back.
  std::string text() const;

private:
  bool follow(std::string_view path, bool folders) const;
  std::vector<std::string> names; ///< "**": any number of folders
};

using PathGlobs = std::vector<PathGlob>;
bool any_matches(const PathGlobs &globs, std::string_view path);
bool any_covers(const PathGlobs &globs, std::string_view path);

} // namespace smem
