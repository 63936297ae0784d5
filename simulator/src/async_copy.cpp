// cp.async: one instruction that reads global memory and writes shared memory.
#include <algorithm>

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
constexpr std::string_view kBothConflict = "source and destination of this cp.async both have bank conflicts, whose joint cost is not known";
constexpr std::string_view kSharedSource = "lanes of this cp.async.cg copy the same bytes to different places, whose cost is not known";

/// `.ca`, by lanes per bank. In the source, too, lanes meet in 32 banks of 4 bytes.
void serve_by_lanes(const Request &destination, const Request &source, unsigned width_bytes, CopyCost &result) {
  const unsigned phase_lanes = std::min(kWarpSize, kWavefrontBytes / width_bytes);
  for (unsigned first = 0; first < kWarpSize; first += phase_lanes) {
    const LaneMask phase = lane_range(first, phase_lanes);
    const unsigned written = lanes_per_bank(destination, phase, width_bytes), read = lanes_per_bank(source, phase, width_bytes);
    if (written > 1 && read > 1)
      result.shared_unknown = kBothConflict;
    result.cost.wavefronts += std::max(written, read);
    result.cost.conflict_degree = std::max({result.cost.conflict_degree, written, read});
  }
  result.cost.ideal_wavefronts = packed_wavefronts(destination.active, width_bytes);
}

/// `.cg`, by moves of sectors.
void serve_by_moves(const Request &destination, const Request &source, const Access &access, CopyCost &result) {
  if (!access.plain_copy || source.active != destination.active) {
    result.shared_unknown = result.global_unknown = kNotPlain;
    return;
  }
  const SectorMoves moves = count_sector_moves(destination, source);
  const unsigned tags = result.cost.tags;
  result.cost = moves.cost;
  result.cost.tags = tags;
  if (!moves.wavefronts_known)
    result.shared_unknown = kSharedSource;
}

} // namespace

CopyCost evaluate_copy(const Request &destination, const Request &source, const Access &access, const Architecture &architecture) {
  CopyCost result;
  if (source.active != 0)
    result.cost = global_cost(source, access);
  switch (access.bypass_l1 ? architecture.rules.bypass_copy : architecture.rules.cached_copy) {
  case CopyService::LanesPerBank: serve_by_lanes(destination, source, access.width_bits / 8, result); break;
  case CopyService::SectorMoves: serve_by_moves(destination, source, access, result); break;
  case CopyService::Unknown: result.shared_unknown = result.global_unknown = unsupported_reason(access, architecture); break;
  }
  return result;
}

} // namespace smem
