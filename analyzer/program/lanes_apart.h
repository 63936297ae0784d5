// Accesses to which the lanes of a warp may come at different times, though none of them goes another way.
#pragma once

#include <vector>

#include "smem/program.h"

namespace smem::lower {

/// Lanes that stand at a BSYNC are let go where others YIELD, which ptxas has them do in loops that wait for another thread. So behind such a loop, also where the loop is within a branch
/// that they have not taken, lanes do not meet until a barrier of the block or one of the whole warp (WARPSYNC.ALL), whatever is reconverged at before (counters of 20 kernels on an H200,
/// validate/RULES.md). Marks what is reached from the begin of the blocks `waiting`, loops' headers or what has the YIELD.
void note_lanes_apart(Program &program, const std::vector<BlockId> &waiting);

} // namespace smem::lower
