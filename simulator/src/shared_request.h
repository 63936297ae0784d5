#pragma once

#include "smem/memory_model.h"
#include "smem/memory_rules.h"

namespace smem {

/// Wavefronts of a request to shared memory with at least one active lane.
RequestCost shared_cost(const Request &request, const Access &access, const MemoryRules &rules);

} // namespace smem
