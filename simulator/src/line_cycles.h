// How long L1's tag stage takes for a load of global memory.
#pragma once

#include "smem/memory_model.h"

namespace smem {

/// Cycles at least. [H200] loads of 32 lines at 17 strides (validate/recorded/throughput-h200.jsonl): the stage looks up four lines a cycle, but
/// only one for each of the four sectors that a line has: 8 cycles at a stride of 132 bytes, 32 at a stride of 128.
std::uint32_t line_cycles(const Request &request);

} // namespace smem
