#include "analysis/assumed_input_races.h"

#include <algorithm>
#include <cstdint>

namespace smem {

std::optional<Races> with_assumed_input(const Program &source, const Launch &launch, const Architecture &architecture,
                                        RaceOptions options, const Races &certain) {
  // Data and scalars, in pairs: each decides branches its own way. Then data that grow from one element to the next: rows of one element,
  // and of enough for two warps.
  constexpr AssumedInput kInputs[] = {{1, 0, 0, 1024}, {0, 0, 0, 1},    {1, 1, 0, 64},
                                      {-1, -1, 0, 0},  {0, 1, 1, 1024}, {0, 1, 64, 1024}};
  std::uint64_t left = std::min<std::uint64_t>(options.max_steps, 10 * certain.steps + 100'000);
  std::uint64_t used = 0;
  for (const AssumedInput &input : kInputs) {
    options.assume = input;
    options.max_steps = left - std::min(left, used);
    if (options.max_steps == 0)
      break;
    Races found = find_races(source, launch, architecture, options);
    used += found.steps;
    if (found.witnesses.empty() || found.assumptions.empty())
      continue;
    Races races = certain;
    races.assumed = true;
    races.witnesses = std::move(found.witnesses);
    races.assumptions = launch.assumptions;
    races.assumptions.insert(races.assumptions.end(), found.assumptions.begin(), found.assumptions.end());
    // What is free is so with these values alone.
    for (RaceVerdict Races::*verdict : {&Races::between_warps, &Races::within_warp, &Races::between_blocks})
      if (found.*verdict == RaceVerdict::Race)
        races.*verdict = RaceVerdict::Race;
    return races;
  }
  return std::nullopt;
}

} // namespace smem
