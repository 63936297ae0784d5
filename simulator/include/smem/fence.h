// What an Opcode::Fence may also be.
#pragma once

#include <cstdint>

namespace smem {

inline constexpr std::int64_t kProxyFence = 1; ///< its immediate: between threads' own accesses and bulk copies

} // namespace smem
