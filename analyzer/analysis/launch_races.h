// Races in shared memory, of each launch of a file.
#pragma once

#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "smem/race.h"

namespace smem {

/// Of each of `launches`, whose LaunchAnalysis::program is an index into `programs`. `sources`: the kernels before optimisation, in any
/// order: a compiler merges and removes accesses of the source, and what it hides is a race all the same.
std::vector<Races> find_launch_races(std::span<const LaunchAnalysis> launches, std::span<const Program> programs,
                                     std::span<const Program> sources, const AnalysisOptions &options);

} // namespace smem
