// How long L1 takes for a load of global memory.
#pragma once

#include "smem/memory_model.h"

namespace smem {

/// Cycles at least. [H200] loads of 32 lines at 17 strides (validate/recorded/throughput-h200.jsonl): four lines are looked up in a cycle, but
/// only one for each of the four sectors that a line has, as each has eight banks of the data stage: 8 cycles at a stride of 132 bytes, 32 at a
/// stride of 128. They are cycles of the pipe that shared memory takes: [H200, H100] of kernels that do both, these and the wavefronts add up to
/// 0.93 of the time and never to more than it.
std::uint32_t line_cycles(const Request &request);

} // namespace smem
