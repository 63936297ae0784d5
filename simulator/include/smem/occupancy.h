// How many blocks an SM holds at a time, and what limits them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "smem/architecture.h"

namespace smem {

/// What a block takes of an SM.
struct BlockNeeds {
  std::uint64_t threads = 0;
  std::uint64_t shared_bytes = 0;         ///< static and dynamic, without what the driver reserves
  std::optional<std::uint32_t> registers; ///< of a thread; none: not known, and taken for no limit
};

struct Occupancy {
  enum class Limit : std::uint8_t { Blocks, Threads, SharedMemory, Registers };
  std::uint32_t blocks_per_sm = 0; ///< 0: not one fits
  std::uint32_t warps_per_block = 0;
  Limit limit = Limit::Blocks; ///< the scarcest; of equals the first here
};

/// [occupancy] cuda_occupancy.h of CUDA 13.0: a warp's registers are allocated by 256, those of a block for a multiple of four warps.
Occupancy occupancy(const Architecture &architecture, const BlockNeeds &block, std::uint32_t registers_per_sm = 65'536);

std::string_view to_string(Occupancy::Limit limit); ///< "blocks", "threads", "shared memory", "registers"

} // namespace smem
