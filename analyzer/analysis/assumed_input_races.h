// Races in launches with values that nothing tells.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "smem/race.h"

namespace smem {

/// What is unknown because of values that nothing tells, with some that are made up.
struct AssumedInputRaces {
  std::optional<Races>
      races; ///< with witnesses of launches with such values; none: no values of which there are any were found
  RaceOptions options; ///< with those values, and what is left to be spent
  bool leaves_arrays =
      false; ///< with some values accesses leave their arrays, and with none that stay inside there are witnesses
  std::uint64_t steps = 0;
};

AssumedInputRaces with_assumed_input(const Program &source, const Launch &launch, const Architecture &architecture,
                                     const RaceOptions &options, const Races &certain);

/// What is known of a launch, `certain`, with witnesses that rest on made up values, beside what was assumed of the launch itself.
Races with_witnesses(Races certain, Races found, std::span<const Assumption> of_launch);

} // namespace smem
