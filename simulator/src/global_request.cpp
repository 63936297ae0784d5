#include "global_request.h"

#include <algorithm>
#include <bit>

#include "distinct_units.h"
#include "lanes.h"

namespace smem {
namespace {

constexpr unsigned kSectorBytes = 32, kLineBytes = 128;

/// Distinct values of address / bytes among the active lanes, wherever they are.
unsigned distinct_anywhere(const Request &request, unsigned bytes) {
  unsigned total = 0;
  for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
    const std::uint64_t unit = request.address[std::countr_zero(rest)] / bytes;
    LaneMask later = rest & (rest - 1);
    while (later != 0 && request.address[std::countr_zero(later)] / bytes != unit)
      later &= later - 1;
    total += later == 0;
  }
  return total;
}

} // namespace

// Distinct sectors and lines of the whole warp, whatever the width: an aligned access of up to 16 bytes lies in one sector.
RequestCost global_cost(const Request &request, const Access &access) {
  RequestCost cost;
  // Nearly always the lanes are within one 4 GB piece, and 32 bits tell their addresses apart.
  std::uint64_t differing = 0;
  const std::uint64_t first = request.address[std::countr_zero(request.active)];
  const auto sectors = gather<kWarpSize>(request, 0, [&](std::uint64_t address) {
    differing |= address ^ first;
    return static_cast<std::uint32_t>(address) / kSectorBytes;
  });
  if (differing >> 32 == 0) {
    Units<kWarpSize> lines;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      lines[lane] = sectors[lane] / (kLineBytes / kSectorBytes);
    cost.sectors = distinct(sectors);
    cost.tags = distinct(lines);
  } else {
    cost.sectors = distinct_anywhere(request, kSectorBytes);
    cost.tags = distinct_anywhere(request, kLineBytes);
  }
  const unsigned packed = (std::popcount(request.active) * (access.width_bits / 8) + kSectorBytes - 1) / kSectorBytes;
  cost.ideal_sectors = std::min(cost.sectors, packed);
  return cost;
}

} // namespace smem
