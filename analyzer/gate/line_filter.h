// Findings on changed lines only: `--line-filter`, as clang-tidy's JSON or as a unified diff.
#pragma once

#include "report/finding.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smem {

class LineFilter {
public:
  /// `text`: a JSON array of {"name": "kernel.cu", "lines": [[1, 3], [7, 7]]} (no "lines": the whole file) or a unified diff,
  /// of which the lines of the new side count. On failure `error` says why.
  static LineFilter parse(std::string_view text, std::string &error);

  /// Whether a finding's place is on one of the lines, or `declaration`: a conflict belongs to the line that changed the
  /// array's pitch as much as to the access. Names match as clang-tidy's do, by the end of the path.
  bool keeps(const Finding &finding, const SourceLocation &declaration) const;

private:
  struct File {
    std::string name;
    bool whole = false;
    std::vector<std::pair<unsigned, unsigned>> lines; ///< inclusive
  };
  bool holds(const SourceLocation &location) const;
  static LineFilter parse_json(std::string_view text, std::string &error);
  static LineFilter parse_diff(std::string_view text, std::string &error);

  std::vector<File> files;
};

} // namespace smem
