// Races in launches with values that nothing tells.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "smem/race.h"

namespace smem {

/// The values that are tried first: loops of 64 iterations, or of two that take 32 each.
inline constexpr AssumedInput kLikelyInput{1, 0, 0, 64};

/// What is unknown because of values that nothing tells, with some that are made up.
struct AssumedInputRaces {
  std::optional<Races> races; ///< with the witnesses; none: none of the values has any
  RaceOptions options;        ///< with those values, and what is left to be spent
  bool leaves_arrays = false; ///< no witnesses, and with some of the values accesses leave their arrays
  std::uint64_t steps = 0;
};

AssumedInputRaces with_assumed_input(const Program &source, const Launch &launch, const Architecture &architecture,
                                     const RaceOptions &options, const Races &certain);

/// What is known of a launch, `certain`, with witnesses that rest on made up values, beside what was assumed of the launch itself.
Races with_witnesses(Races certain, Races found, std::span<const Assumption> of_launch);

} // namespace smem
