// Which lane a lane reads in a shuffle.
#pragma once

#include "smem/program.h"

namespace smem {

struct ShuffleSource {
  unsigned lane;
  bool in_range; ///< the result's predicate; else the lane reads itself
};

/// The PTX ISA's `shfl.sync` of `lane` with its operands b (offset, mask or index) and c (clamp and segment mask).
constexpr ShuffleSource shuffle_source(ShuffleMode mode, unsigned lane, unsigned b, unsigned c) {
  b &= 31;
  const unsigned segment = (c >> 8) & 31, limit = c & 31;
  const int last = static_cast<int>((lane & segment) | (limit & ~segment)), own = static_cast<int>(lane);
  int source = 0;
  bool ok = false;
  switch (mode) {
  case ShuffleMode::Up:
    source = own - static_cast<int>(b);
    ok = source >= last;
    break;
  case ShuffleMode::Down:
    source = own + static_cast<int>(b);
    ok = source <= last;
    break;
  case ShuffleMode::Butterfly:
    source = own ^ static_cast<int>(b);
    ok = source <= last;
    break;
  case ShuffleMode::Index:
    source = static_cast<int>((lane & segment) | (b & ~segment));
    ok = source <= last;
    break;
  }
  return {ok ? static_cast<unsigned>(source) : lane, ok};
}

} // namespace smem
