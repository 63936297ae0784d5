// The addresses of one side of an access (a copy has two), as far as they decide what its requests cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "domain.h"
#include "strides.h"

namespace smem::pattern {

/// Byte addresses base[lane] + shift + sum(apart): a function of a shift, the same in all lanes, and of quantities that lanes multiply differently.
struct Side {
  Lanes base{};
  unsigned grain = 63;                  ///< what is added in all lanes is any multiple of 2^grain
  std::vector<std::uint32_t> shifts{0}; ///< those of its remainders modulo the period that align the access
  std::vector<Stride> apart;            ///< what lanes differ by
};

/// Bytes by which all addresses can be moved and the request costs the same: banks turn, sectors stay whole.
std::uint64_t period_of(const Access &access);

/// Fills in the side, a new one, of an address whose value must stay. An error: the address is not known, or never a multiple of the width.
std::optional<Why> describe(const Value &address, LaneMask lanes, std::uint64_t width_bytes, std::uint64_t period,
                            const Domain &domain, Side &side);

/// Moves all addresses by a multiple of the period to where the first one is within it.
void normalise(Side &side, LaneMask lanes, std::uint64_t period);

/// Values of the quantity by which lanes are apart that differ in what requests cost.
struct Spread {
  const Quantity *quantity = nullptr;
  std::vector<std::int64_t> values{0}; ///< near ones, and one of each remainder that is far from 0
  std::size_t near_count = 1;          ///< so many of them stand for themselves
  std::int64_t near = 0;               ///< those of smaller magnitude; 0: all are
  std::uint32_t modulus = 1;           ///< of the remainders

  /// The quantity is not one of few values.
  bool is_open() const { return modulus > 1 || near_count < values.size() || near; }
};

/// Of one of side.apart, which must stay. An error: too many of its values cost something of their own. `repeats`: bytes after which costs repeat
/// where lanes are far apart.
std::optional<Why> spread_of(const Side &side, const Stride &stride, LaneMask lanes, std::uint64_t repeats,
                             Spread &out);

} // namespace smem::pattern
