// The requests of one block, one by one: what a change of a kernel's data layout is tried and checked on.
#pragma once

#include <cstdint>
#include <vector>

#include "smem/simulate.h"

namespace smem {

/// One warp executing one memory operation in shared memory.
struct TracedRequest {
  std::uint32_t operation = 0; ///< index into Program::memory_operations
  std::uint32_t warp = 0;      ///< in its block
  std::uint64_t times = 1;     ///< how often this very request was made
  Request request;             ///< offsets into the shared window
};

struct Trace {
  std::vector<TracedRequest> requests; ///< each once, in the order of their first execution
  bool complete = false;               ///< false: some address is not known, or the budget ran out
};

/// Executes the first block of a launch. `options.classes` is ignored: nothing is summarised.
Trace trace_first_block(const Program &program, const Launch &launch, const Architecture &architecture,
                        const SimulationOptions &options = {});

} // namespace smem
