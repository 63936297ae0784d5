// What an Opcode::Fence may also be.
#pragma once

#include <cstdint>

namespace smem {

inline constexpr std::int64_t kProxyFence = 1; ///< its immediate: between threads' own accesses and bulk copies
inline constexpr std::int64_t kGridBarrier =
    2; ///< between two barriers of the block: all threads of the grid wait for each other

} // namespace smem
