// In which order launches are searched for races, and which of them are the same.
#pragma once

#include "analysis/analysis.h"

#include <cstddef>
#include <span>
#include <vector>

namespace smem {

/// Which launches of a kernel are the same, wherever they are made.
class Repeated {
public:
  /// `sources`: by launch, the program that is searched; null: there is none.
  Repeated(std::span<const LaunchAnalysis> launches, const std::vector<const Program *> &sources);

  std::size_t first(std::size_t launch) const { return first_[launch]; }

private:
  std::vector<std::size_t> first_; ///< by launch
};

/// Launches in the order in which they are searched: one of each kernel or template, then two, four, and so on. What those before have found to
/// be too much is not tried as hard of the next.
std::vector<std::vector<std::size_t>> rounds_of(std::span<const LaunchAnalysis> launches,
                                                std::span<const Program> programs, const Repeated &repeated);

} // namespace smem
