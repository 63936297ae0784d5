// How often code runs that has no memory instruction.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "smem/kernel_arithmetic.h"

namespace smem::lower {

/// What a block computes each time.
using BlockWork = std::pair<BlockId, ArithmeticWork>;

/// Programs that tell how often `blocks` of `program` run, which is not sliced yet.
std::vector<CountedCode> count_blocks(const Program &program, std::span<const BlockWork> blocks, bool outside_of_loops);

} // namespace smem::lower
