// What NVIDIA's GPUs have, whatever compiles for them.
#pragma once

namespace smem {

/// LLVM's numbers of the address spaces.
inline constexpr unsigned kGeneric = 0, kGlobal = 1, kShared = 3, kConstant = 4, kLocal = 5, kParameter = 101;

/// Bytes of the widest access of one instruction.
inline constexpr unsigned kWidestAccess = 16;

/// Of a register.
inline constexpr unsigned kWordBytes = 4, kWordBits = 32;

} // namespace smem
