// Places in the user's source. Plain data.
#pragma once

#include <compare>
#include <string>
#include <vector>

namespace smem {

/// A place in a source file. `line` and `column` count from 1; 0 means "not known".
struct SourceLocation {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  bool known() const { return line != 0; }
  auto operator<=>(const SourceLocation &) const = default;
};

/// Where an inlined function was called, and the name of the function it was inlined into.
struct InlineFrame {
  std::string function;
  SourceLocation call;

  auto operator<=>(const InlineFrame &) const = default;
};

/// `file:line:column`, `file:line` where no column is known, or `<unknown>`.
std::string to_string(const SourceLocation &location);

} // namespace smem
