// Instructions of a kernel beside those of memory: what a Program has no operations for, as no count of accesses depends on it.
#pragma once

#include <cstdint>
#include <vector>

namespace smem {

/// Instructions of a warp, by the pipe that they take. Lower bounds: what a compiler may do without is not counted.
struct ArithmeticWork {
  std::uint64_t fp32 = 0;    ///< additions, multiplications, fused ones as one
  std::uint64_t fp64 = 0;    ///< the same of doubles
  std::uint64_t special = 0; ///< reciprocals, roots, exponentials, logarithms, sines
  // Of machine code alone, as a source leaves open how they are computed.
  std::uint64_t integer = 0;      ///< additions, shifts, logic, comparisons, choices: all that the ALU pipe executes
  std::uint64_t multiply = 0;     ///< multiplications of integers, by the heavier half of the FP32 pipe
  std::uint64_t instructions = 0; ///< all of them, loads and stores too; 0: not known
  /// Of tensor cores: multiplications of 16-bit numbers with an addition, or what takes as long, of all lanes together.
  std::uint64_t tensor = 0;
  std::uint64_t shuffles = 0; ///< exchanges between lanes

  ArithmeticWork &operator+=(const ArithmeticWork &other); ///< saturates
  ArithmeticWork times(std::uint64_t count) const;         ///< the same
  bool operator==(const ArithmeticWork &) const = default;
};

/// The larger of each.
ArithmeticWork most_of(const ArithmeticWork &a, const ArithmeticWork &b);

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
