// cp.async: one instruction that reads global memory and writes shared memory.
#include <algorithm>

#include "global_request.h"
#include "lanes.h"
#include "shared_request.h"
#include "smem/architecture.h"
#include "smem/memory_model.h"

namespace smem {
namespace {

constexpr std::string_view kNotAFunction = "the counters of cp.async.cg are not a function of its addresses";
constexpr std::string_view kBothConflict = "source and destination of this cp.async both have bank conflicts; their joint cost is not known";

/// Wavefronts of the phases. In the source, too, lanes meet in 32 banks of 4 bytes. False if some phase has conflicts on both
/// sides, for which no rule is known.
bool count_wavefronts(const Request &destination, const Request &source, unsigned width_bytes, RequestCost &cost) {
  const unsigned phase_lanes = std::min(kWarpSize, kWavefrontBytes / width_bytes);
  bool known = true;
  for (unsigned first = 0; first < kWarpSize; first += phase_lanes) {
    const LaneMask phase = lane_range(first, phase_lanes);
    const unsigned written = lanes_per_bank(destination, phase, width_bytes), read = lanes_per_bank(source, phase, width_bytes);
    known &= written <= 1 || read <= 1;
    cost.wavefronts += std::max(written, read);
    cost.conflict_degree = std::max({cost.conflict_degree, written, read});
  }
  cost.ideal_wavefronts = packed_wavefronts(destination.active, width_bytes);
  return known;
}

} // namespace

CopyCost evaluate_copy(const Request &destination, const Request &source, const Access &access, const Architecture &architecture) {
  CopyCost result;
  if (source.active != 0)
    result.cost = global_cost(source, access);
  switch (access.bypass_l1 ? architecture.rules.bypass_copy : architecture.rules.cached_copy) {
  case CopyService::BothSides:
    if (!count_wavefronts(destination, source, access.width_bits / 8, result.cost))
      result.shared_unknown = kBothConflict;
    break;
  case CopyService::TagsOnly:
    result.shared_unknown = result.global_unknown = kNotAFunction;
    break;
  case CopyService::Unknown:
    result.shared_unknown = result.global_unknown = unsupported_reason(access, architecture);
    break;
  }
  return result;
}

} // namespace smem
