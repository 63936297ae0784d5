#pragma once

#include "smem/memory_model.h"

namespace smem {

/// Sectors and tags of a request to global memory with at least one active lane.
RequestCost global_cost(const Request &request, const Access &access);

} // namespace smem
