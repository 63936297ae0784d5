// Lanes of a request as the counting routines want them: dense arrays without inactive lanes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "distinct_units.h"
#include "smem/memory_model.h"

namespace smem {

/// `count` lanes from `first` on.
constexpr LaneMask lane_range(unsigned first, unsigned count) {
  return (count >= kWarpSize ? kFullMask : (1u << count) - 1) << first;
}

/// unit_of(address) for the N lanes from `first` on, at least one of which is active. An inactive lane repeats the active lane
/// before it (or the first one), which changes no count of distinct units and keeps ascending lanes ascending.
template <std::size_t N, class UnitOf> Units<N> gather(const Request &request, unsigned first, UnitOf unit_of) {
  Units<N> units;
  const LaneMask active = request.active >> first & lane_range(0, N);
  if (active == lane_range(0, N)) {
    for (std::size_t i = 0; i < N; ++i)
      units[i] = unit_of(request.address[first + i]);
    return units;
  }
  std::uint64_t address = request.address[first + std::countr_zero(active)];
  for (std::size_t i = 0; i < N; ++i) {
    address = (active >> i & 1) != 0 ? request.address[first + i] : address;
    units[i] = unit_of(address);
  }
  return units;
}

} // namespace smem
