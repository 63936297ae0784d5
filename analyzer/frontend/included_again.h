// Whether headers that are included a second time change anything.
#pragma once

#include <cstdint>

namespace clang {
class Preprocessor;
} // namespace clang

namespace smem {

/// What happens while the command line's headers are included from number `first` (from 0) on.
struct IncludedAgain {
  unsigned first = 0;
  bool changes = false;    ///< a token came of it, or a macro that was not what it is now
  std::uint64_t begin = 0; ///< where it began in the addresses of source locations; 0: it has not
};

/// `again` lives as long as `preprocessor`.
void watch_included_again(clang::Preprocessor &preprocessor, IncludedAgain &again);

} // namespace smem
