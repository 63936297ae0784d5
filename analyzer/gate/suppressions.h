// NOLINT(rule): reason, NOLINTNEXTLINE, NOLINTBEGIN and NOLINTEND.
//
// The comments are clang-tidy's own, and files may have some that are meant for it: names that are none of our rules and do
// not look like a mistyped one are left alone, and a NOLINT without names is never called unused.
#pragma once

#include "report/findings.h"
#include "syntax/comments.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace smem {

/// One comment, or one pair of NOLINTBEGIN and NOLINTEND.
struct NoLint {
  SourceLocation location;        ///< of the word NOLINT…
  unsigned first = 0, last = 0;   ///< the lines that it speaks of
  bool all = false;               ///< no names: every rule
  std::vector<std::string> rules; ///< globs that match a rule of ours
  std::string reason;             ///< behind the colon; may be empty
};

struct NoLints {
  std::vector<NoLint> comments;
  std::vector<Diagnostic> diagnostics; ///< errors: a mistyped rule, a begin without an end
};
NoLints find_nolints(const std::string &file, std::span<const CommentLine> comments);

/// Marks the findings that comments of their files suppress, and adds an unused-nolint finding for every name in a comment
/// that suppressed nothing, unless its rule is not enabled or a memory instruction of its lines is unknown.
/// `options_of` gives the options that hold for a file.
void apply_nolints(std::span<const FileAnalysis> files, const std::vector<NoLint> &comments,
                   std::vector<Finding> &findings,
                   const std::function<const FindingOptions &(const std::string &)> &options_of);

} // namespace smem
