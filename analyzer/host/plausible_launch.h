// Which launches there can be, and what is likely of one that host code leaves open.
#pragma once

#include <cstdint>

#include "smem/launch.h"

namespace smem {

inline constexpr std::int64_t kPlausibleBlock = 256, kPlausibleDynamic = 32 * 1024;
inline constexpr std::uint32_t kMostThreads = 1024, kMostBlockZ = 64, kMostGridX = 0x7fffffff,
                               kMostGridYz = 65535; ///< CUDA C++ Programming Guide, technical specifications

inline bool is_possible_grid(const Dim3 &grid) {
  return grid.count() > 0 && grid.x <= kMostGridX && grid.y <= kMostGridYz && grid.z <= kMostGridYz;
}
inline bool is_possible_block(const Dim3 &block) {
  return block.count() > 0 && block.count() <= kMostThreads && block.z <= kMostBlockZ;
}

} // namespace smem
