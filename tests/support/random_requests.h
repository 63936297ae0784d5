// Seeded random requests of the shapes that kernels have, and of shapes that none has.
#pragma once

#include <cstdint>
#include <random>

#include "smem/memory_model.h"

namespace smem::testing {

/// Only raw output of the engine is used, so a seed means the same requests with every standard library.
class Random {
public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

private:
  std::mt19937_64 engine_;
};

/// A mix of strides, broadcasts, two-level affine patterns, swizzles, permutations, small and large windows, pairs and groups
/// of equal lanes, with full, prefix, block-wise and random masks. Addresses are below `window` bytes.
/// One request in sixteen is not aligned to `width_bytes`.
Request random_request(Random &random, unsigned width_bytes, std::uint64_t window);

/// The active masks of that mix, by themselves.
LaneMask random_mask(Random &random);

} // namespace smem::testing
