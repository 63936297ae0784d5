// A block of which barriers are of some of its threads: one order of its warps is executed, and vector clocks tell which accesses it orders.
#pragma once

#include "race/grid.h"
#include "race/race_report.h"
#include "scope.h"
#include "warp.h"

namespace smem::race {

/// Each warp runs to the next barrier that it waits at, whichever can. The watch has a Synchronization; what races goes to `report`, what the block
/// touches of global memory to `grid`, where races are looked for in that. The result is Finished, unless a warp was not executed to its end.
Warp::Status execute_ordered_block(Machine &machine, const RaceOptions &options, Scopes &scopes, RaceWatch &watch,
                                   RaceReport &report, GridTouches &grid);

} // namespace smem::race
