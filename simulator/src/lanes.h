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
  for (std::size_t i = 0; i < N; ++i)
    units[i] = unit_of(request.address[first + i]);
  const LaneMask active = request.active >> first & lane_range(0, N);
  LaneMask inactive = active ^ lane_range(0, N);
  if ((inactive & 1) != 0)
    units[0] = units[std::countr_zero(active)];
  for (inactive &= ~LaneMask{1}; inactive != 0; inactive &= inactive - 1)
    units[std::countr_zero(inactive)] = units[std::countr_zero(inactive) - 1];
  return units;
}

} // namespace smem
