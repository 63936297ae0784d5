#include "global_request.h"

#include <algorithm>
#include <bit>

#include "distinct_units.h"
#include "lanes.h"
#include "sectors.h"

namespace smem {
namespace {

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

/// True if the upper halves of all active addresses are the same.
bool within_4_gib(const Request &request) {
  std::uint64_t differing = 0;
  if (request.active == kFullMask) {
    for (const std::uint64_t address : request.address)
      differing |= address ^ request.address[0];
  } else {
    const std::uint64_t first = request.address[std::countr_zero(request.active)];
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1)
      differing |= request.address[std::countr_zero(rest)] ^ first;
  }
  return differing >> 32 == 0;
}

} // namespace

// Distinct sectors and lines of the whole warp, whatever the width: an aligned access of up to 16 bytes lies in one sector.
RequestCost global_cost(const Request &request, const Access &access) {
  RequestCost cost;
  if (within_4_gib(request)) { // nearly always, and then 32 bits tell the addresses apart
    const auto sectors = gather<kWarpSize>(
        request, 0, [](std::uint64_t address) { return static_cast<std::uint32_t>(address) / kSectorBytes; });
    const DistinctUnits distinct = count_distinct<kSectorsOfLine>(sectors);
    cost.sectors = distinct.units;
    cost.tags = distinct.groups;
  } else {
    cost.sectors = distinct_anywhere(request, kSectorBytes);
    cost.tags = distinct_anywhere(request, kLineBytes);
  }
  const unsigned packed = (std::popcount(request.active) * (access.width_bits / 8) + kSectorBytes - 1) / kSectorBytes;
  cost.ideal_sectors = std::min(cost.sectors, packed);
  return cost;
}

} // namespace smem
