#pragma once

#include "smem/memory_model.h"

namespace smem {

struct SectorMoves {
  RequestCost cost;             ///< of both spaces, but for tags
  bool wavefronts_known = true; ///< false if two lanes copy the same 16 bytes to different places
};

/// A full or partial warp of 16-byte copies that bypass L1.
SectorMoves count_sector_moves(const Request &destination, const Request &source);

} // namespace smem
