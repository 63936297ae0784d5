// A second, independent memory model to test the first one against: literal sets, no shortcuts, written from the measured
// rules and from nothing else. It is slow and meant to be read.
#pragma once

#include "smem/memory_model.h"

namespace smem::testing {

/// Cost of a request on sm_90. The access must be one that the memory model supports.
RequestCost oracle(const Request &request, const Access &access);

/// evaluate_copy() of a cp.async.ca on sm_90.
RequestCost oracle_copy(const Request &destination, const Request &source, unsigned width_bytes);

/// evaluate_copy() of a plain cp.async.cg on sm_90.
RequestCost oracle_bypass_copy(const Request &destination, const Request &source);

/// evaluate_atomic_loop() on sm_90.
AtomicLoopCost oracle_atomic_loop(const Request &request, unsigned width_bytes);

} // namespace smem::testing
