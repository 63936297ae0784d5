// The comments of a source text, found by Clang's lexer: not those in strings, nor what looks like one in a macro's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// One line of a comment; a block comment that spans lines is several.
struct CommentLine {
  unsigned line = 0;   ///< from 1
  unsigned column = 0; ///< from 1, of the first character of `text`
  std::string text;    ///< without `//`, `/*` and `*/`
  bool alone = false;  ///< no code stands before it on the line
};

/// In the order of the source.
std::vector<CommentLine> comment_lines(std::string_view source);

} // namespace smem
