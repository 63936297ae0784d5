// An instruction of sm_70 and later: 128 bits.
#pragma once

#include <cstdint>

namespace smem::compiled {

struct InstructionWord {
  std::uint64_t low = 0, high = 0;

  /// `width` bits from bit `first` on, at most 64 of them.
  std::uint64_t bits(unsigned first, unsigned width) const {
    std::uint64_t value = first < 64 ? low >> first : high >> (first - 64);
    if (first < 64 && first != 0 && first + width > 64)
      value |= high << (64 - first);
    return width >= 64 ? value : value & ((std::uint64_t(1) << width) - 1);
  }

  /// Adds these bits to a set of them.
  void mark(unsigned first, unsigned width) {
    for (unsigned bit = first; bit < first + width; ++bit)
      (bit < 64 ? low : high) |= std::uint64_t(1) << (bit % 64);
  }
};

} // namespace smem::compiled
