#pragma once

#include "smem/memory_model.h"

namespace smem {

/// A full or partial warp of 16-byte copies that bypass L1: the cost on both sides, but for tags.
RequestCost sector_moves_cost(const Request &destination, const Request &source);

} // namespace smem
