// cp.async: one instruction that reads global memory and writes shared memory.
#include <algorithm>
#include <array>
#include <bit>

#include "global_request.h"
#include "lanes.h"
#include "sector_moves.h"
#include "shared_request.h"
#include "smem/architecture.h"
#include "smem/memory_model.h"

namespace smem {
namespace {

constexpr std::string_view kNotPlain =
    "the counters of a cp.async.cg that is predicated or fills with zeros are not a function of its addresses";

/// Most lanes of `phase` that one of them meets, itself included: in its bank of the destination or, if it reads, with others that
/// read in its bank of the source, which has 32 banks of 4 bytes too. Lanes on one word meet as well.
unsigned most_meeting(const Request &destination, const Request &source, LaneMask phase, unsigned width_bytes) {
  std::array<LaneMask, kBanks> writers{}, readers{};
  for (LaneMask rest = destination.active & phase; rest != 0; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    writers[first_bank(destination.address[lane], width_bytes)] |= LaneMask{1} << lane;
  }
  for (LaneMask rest = source.active & phase; rest != 0; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    readers[first_bank(source.address[lane], width_bytes)] |= LaneMask{1} << lane;
  }
  int most = 0;
  for (LaneMask rest = destination.active & phase; rest != 0; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    LaneMask met = writers[first_bank(destination.address[lane], width_bytes)];
    if ((source.active >> lane & 1) != 0)
      met |= readers[first_bank(source.address[lane], width_bytes)];
    most = std::max(most, std::popcount(met));
  }
  return static_cast<unsigned>(most);
}

/// `.ca`: a phase takes as many wavefronts as its busiest lane meets lanes.
void serve_by_lanes(const Request &destination, const Request &source, unsigned width_bytes, CopyCost &result) {
  const unsigned phase_lanes = std::min(kWarpSize, kWavefrontBytes / width_bytes);
  for (unsigned first = 0; first < kWarpSize; first += phase_lanes) {
    const unsigned most = most_meeting(destination, source, lane_range(first, phase_lanes), width_bytes);
    result.cost.wavefronts += most;
    result.cost.conflict_degree = std::max<std::uint32_t>(result.cost.conflict_degree, most);
  }
  result.cost.ideal_wavefronts = packed_wavefronts(destination.active, width_bytes);
}

/// `.cg`, by moves of sectors.
void serve_by_moves(const Request &destination, const Request &source, const Access &access, CopyCost &result) {
  if (!access.plain_copy || source.active != destination.active) {
    result.shared_unknown = result.global_unknown = kNotPlain;
    return;
  }
  const unsigned tags = result.cost.tags;
  result.cost = sector_moves_cost(destination, source);
  result.cost.tags = tags;
}

} // namespace

CopyCost evaluate_copy(const Request &destination, const Request &source, const Access &access,
                       const Architecture &architecture) {
  CopyCost result;
  if (source.active != 0)
    result.cost = global_cost(source, access);
  switch (access.bypass_l1 ? architecture.rules.bypass_copy : architecture.rules.cached_copy) {
  case CopyService::LanesMeeting: serve_by_lanes(destination, source, access.width_bits / 8, result); break;
  case CopyService::SectorMoves: serve_by_moves(destination, source, access, result); break;
  case CopyService::Unknown:
    result.shared_unknown = result.global_unknown = unsupported_reason(access, architecture);
    break;
  }
  return result;
}

} // namespace smem
