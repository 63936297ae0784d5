// What ptxas does to atomics of a whole warp on one word of shared memory.
#pragma once

#include "smem/program.h"

namespace smem::lower {

/// Where the compiler can prove that a warp has one address, in code that its lanes reach together, one lane acts for all:
/// sums, and other reductions whose result nobody needs. 128 of 128 kernels (19 operations, 9 kinds of address, result used
/// or not) agree in their counters, CUDA 13.0, sm_90.
void aggregate_atomics(Program &program);

} // namespace smem::lower
