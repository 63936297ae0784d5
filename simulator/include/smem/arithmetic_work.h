// Arithmetic of a kernel beside its memory instructions: what a Program has no operations for, as no count of accesses depends on it.
#pragma once

#include <cstdint>
#include <vector>

namespace smem {

/// Instructions of a warp, by the pipe that they take. Lower bounds: what a compiler may do without is not counted.
struct ArithmeticWork {
  std::uint64_t fp32 = 0;    ///< additions, multiplications, fused ones as one
  std::uint64_t fp64 = 0;    ///< the same of doubles
  std::uint64_t special = 0; ///< reciprocals, roots, exponentials, logarithms, sines

  bool operator==(const ArithmeticWork &) const = default;
};

/// A piece of straight code, known by its loads and stores: it runs as often as any of them.
struct BlockArithmetic {
  struct Marker {
    std::uint32_t site = 0;  ///< of the Program; a load or store of this piece of code and of no other
    std::uint32_t times = 1; ///< instructions of the piece that are this site
    bool operator==(const Marker &) const = default;
  };
  std::vector<Marker> markers; ///< not empty
  ArithmeticWork each;         ///< each time that a warp runs it

  bool operator==(const BlockArithmetic &) const = default;
};

} // namespace smem
