// What global memory moves in: sectors, four of which are a line of L1 and L2 ("CUDA C++ Best Practices Guide", coalesced access; the same on all architectures of
// architecture.cpp).
#pragma once

namespace smem {

inline constexpr unsigned kSectorBytes = 32, kLineBytes = 128;
inline constexpr unsigned kSectorsOfLine = kLineBytes / kSectorBytes;

} // namespace smem
