// Shared atomics without an instruction of their own: LDS and ATOMS.CAST.SPIN in a loop, until every lane has swapped.
#include <algorithm>
#include <bit>
#include <map>

#include "lanes.h"
#include "shared_request.h"
#include "smem/architecture.h"
#include "smem/memory_model.h"
#include "smem/simulate.h"

namespace smem {
namespace {

/// The first lane, in ascending order, on each bank (of its first word) among the active lanes of `phase`.
LaneMask first_on_each_bank(const Request &request, LaneMask phase, unsigned width_bytes) {
  LaneMask winners = 0;
  std::uint32_t taken = 0;
  for (LaneMask rest = request.active & phase; rest != 0; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    const std::uint32_t bank = 1u << first_bank(request.address[lane], width_bytes);
    if ((taken & bank) == 0)
      winners |= 1u << lane;
    taken |= bank;
  }
  return winners;
}

/// Lanes whose swap succeeds when all active lanes try. The halves of a 64-bit request follow one another, so that a lane of the
/// upper half fails on an address that the lower half has just changed.
LaneMask winners_of(const Request &request, unsigned width_bytes) {
  if (width_bytes <= 4)
    return first_on_each_bank(request, kFullMask, width_bytes);
  const LaneMask lower = first_on_each_bank(request, lane_range(0, 16), width_bytes);
  LaneMask upper = first_on_each_bank(request, lane_range(16, 16), width_bytes);
  for (LaneMask rest = upper; rest != 0; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    for (LaneMask others = lower; others != 0; others &= others - 1)
      if (request.address[std::countr_zero(others)] / width_bytes == request.address[lane] / width_bytes)
        upper &= ~(1u << lane);
  }
  return lower | upper;
}

/// A swap takes two wavefronts for each half-warp (64 bit) or warp (32 bit) that has a lane, whatever its conflicts: lanes that
/// would conflict fail and try again.
RequestCost swap_cost(LaneMask active, unsigned width_bytes) {
  RequestCost cost;
  const unsigned phase_lanes = width_bytes <= 4 ? 32 : 16;
  for (unsigned first = 0; first < kWarpSize; first += phase_lanes)
    cost.wavefronts += (active & lane_range(first, phase_lanes)) != 0 ? 2 : 0;
  cost.ideal_wavefronts = 2 * packed_wavefronts(active, width_bytes);
  cost.conflict_degree = 1;
  return cost;
}

void add(RequestCost &sum, const RequestCost &cost) {
  sum.wavefronts += cost.wavefronts;
  sum.ideal_wavefronts += cost.ideal_wavefronts;
  sum.conflict_degree = std::max(sum.conflict_degree, cost.conflict_degree);
}

} // namespace

bool is_atomic_loop(const Access &access, const Architecture &architecture) {
  return access.space == Space::Shared && access.operation == Operation::Atomic &&
         architecture.rules
                 .shared_atomic(static_cast<std::size_t>(access.atomic), access.width_bits, access.result_used)
                 .service == AtomicService::LoopOfCompareSwap;
}

void add_loop_loads(Program &program, const Architecture &architecture) {
  std::map<SiteId, SiteId> loads;
  for (MemoryOperation &operation : program.memory_operations) {
    if (operation.site == kNone || operation.space != AddressSpace::Shared ||
        !is_atomic_loop(operation.access, architecture))
      continue;
    const auto [entry, added] = loads.try_emplace(operation.site, static_cast<SiteId>(program.sites.size()));
    if (added) {
      Site load = program.sites[operation.site];
      load.access.operation = Operation::Load;
      program.sites.push_back(std::move(load));
    }
    operation.loop_load = entry->second;
  }
}

AtomicLoopCost evaluate_atomic_loop(const Request &request, const Access &access, const Architecture &architecture) {
  AtomicLoopCost result;
  Access load = access;
  load.operation = Operation::Load;
  const unsigned width_bytes = access.width_bits / 8;
  for (Request trying = request; trying.active != 0; trying.active &= ~winners_of(trying, width_bytes)) {
    ++result.trips;
    add(result.load, shared_cost(trying, load, architecture.rules));
    add(result.swap, swap_cost(trying.active, width_bytes));
  }
  return result;
}

} // namespace smem
