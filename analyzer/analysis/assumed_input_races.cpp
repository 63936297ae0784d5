#include "analysis/assumed_input_races.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace smem {

namespace {

std::int64_t several_for_each_thread(const Launch &launch) {
  constexpr std::uint64_t kLeast = 4096, kMost = std::uint64_t{1} << 22;
  return static_cast<std::int64_t>(
      std::clamp(std::bit_ceil(2 * std::min(launch.grid.count(), kMost) * launch.block.count()), kLeast, kMost));
}

} // namespace

AssumedInputRaces with_assumed_input(const Program &source, const Launch &launch, const Architecture &architecture,
                                     const RaceOptions &options, const Races &certain) {
  // Data and scalars, in pairs: each decides branches its own way. Then data that grow from one element to the next: rows of one element,
  // and of enough for two warps. Last, more elements than the grid has threads, so that each takes several.
  const AssumedInput inputs[] = {kLikelyInput,
                                 {0, 0, 0, 1},
                                 {1, 1, 0, 1024},
                                 {-1, -1, 0, 0},
                                 {0, 1, 1, 1024},
                                 {0, 1, 64, 1024},
                                 {1, 0, 0, several_for_each_thread(launch)}};
  AssumedInputRaces all{{}, options};
  const std::uint64_t most = std::min<std::uint64_t>(options.max_steps, 10 * certain.steps + 100'000);
  for (const AssumedInput &input : inputs) {
    all.options.assume = input;
    all.options.max_steps = most - std::min(most, all.steps);
    if (all.options.max_steps == 0)
      break;
    Races found = find_races(source, launch, architecture, all.options);
    all.steps += found.steps;
    all.leaves_arrays |= found.leaves_arrays;
    if (found.leaves_arrays || found.witnesses.empty() || found.assumptions.empty())
      continue;
    all.options.max_steps = options.max_steps - std::min(options.max_steps, all.steps);
    all.leaves_arrays = false;
    all.races = std::move(found);
    return all;
  }
  return all;
}

Races with_witnesses(Races certain, Races found, std::span<const Assumption> of_launch) {
  certain.assumed = true;
  certain.witnesses = std::move(found.witnesses);
  certain.assumptions.assign(of_launch.begin(), of_launch.end());
  certain.assumptions.insert(certain.assumptions.end(), found.assumptions.begin(), found.assumptions.end());
  // What is free is so with these values alone.
  for (RaceVerdict Races::*verdict : {&Races::between_warps, &Races::within_warp, &Races::between_blocks})
    if (found.*verdict == RaceVerdict::Race)
      certain.*verdict = RaceVerdict::Race;
  return certain;
}

} // namespace smem
