// A second, independent memory model to test the first one against: literal sets, no shortcuts, written from the measured
// rules and from nothing else. It is slow and meant to be read.
#pragma once

#include "smem/memory_model.h"

namespace smem::testing {

/// Cost of a request on sm_90. The access must be one that the memory model supports.
RequestCost oracle(const Request &request, const Access &access);

} // namespace smem::testing
