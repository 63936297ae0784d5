// Instructions that the hardware does not count alike each time: polling, compare-and-swap loops that meet, races for an index.
#pragma once

#include "model.h"

#include <set>
#include <utility>

namespace smem::compare {

class Repeats {
public:
  /// `again` are other measurements of the program that `first` is of. Launches are paired by kernel, configuration and order; what only one
  /// of them has is not said to vary.
  Repeats(const Measurement &first, const std::vector<const Measurement *> &again);

  /// Whether the measurements have different integers, requests aside, for an instruction of one of these launches of the first.
  bool vary(const std::vector<const MeasuredLaunch *> &launches,
            const std::vector<const Instruction *> &instructions) const;

private:
  std::set<std::pair<const MeasuredLaunch *, std::pair<std::string, std::uint64_t>>>
      varying_; ///< by launch; function and address
};

} // namespace smem::compare
