// What ptxas does to atomics of a whole warp on one word of shared memory.
#pragma once

#include "smem/program.h"

namespace smem::lower {

/// Where ptxas knows that lanes have one address (warp_values.h), one of them acts for all that come there together: sums, and other reductions whose
/// result nothing needs. Read off sm_90 machine code of CUDA 13.0 and its counters (19 operations, 9 kinds of address, result used or not), and off
/// 1,600 kernels' machine code for what stands around it.
/// Not `certain`: of an architecture without reductions of a warp, or where calls were inlined whose results ptxas knows nothing of.
void aggregate_atomics(Program &program, bool certain);

} // namespace smem::lower
