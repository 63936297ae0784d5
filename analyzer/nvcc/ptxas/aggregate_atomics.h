// What ptxas does to atomics of a whole warp on one word of shared memory.
#pragma once

#include "smem/program.h"

namespace smem::lower {

/// Where the compiler can prove that a warp has one address, one lane acts for all: sums, and other reductions whose result
/// nothing needs. Read off sm_90 machine code of CUDA 13.0 and its counters (19 operations, 9 kinds of address, result used or
/// not). In code that only some lanes reach it was seen with and without: such sites say what they assume.
void aggregate_atomics(Program &program);

} // namespace smem::lower
