// Races in shared or in global memory, of each launch of a file.
#pragma once

#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "smem/race.h"

namespace smem {

/// Whether the search needs the kernel's source: what it says of the launch is not known from the start.
bool may_judge_races(const Launch &launch);

/// LaunchAnalysis::races, or global_races, of each of `launches`, whose LaunchAnalysis::program is an index into `programs`. `sources`: the kernels before
/// optimisation, in any order: a compiler merges and removes accesses of the source, and what it hides is a race all the same.
///
/// What was assumed of a launch is not known to the search: arguments that were made up have no value there, of a grid that was made up
/// only the first block is executed, and of a block of threads that is not known likely ones are tried, so that the verdict is assumed. A verdict holds for whatever the launch leaves
/// open. Barriers are suggested where `index` has room for a statement. Where none is found and the launch as it was assumed has witnesses, these are given: Races::assumed.
void find_launch_races(std::span<LaunchAnalysis> launches, std::span<const Program> programs,
                       std::span<const Program> sources, const SourceIndex &index, const AnalysisOptions &options,
                       RaceMemory memory);

} // namespace smem
