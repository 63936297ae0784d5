#include "figures.h"

#include <algorithm>

namespace smem::pattern {

PatternCase figures(const RequestCost &cost, bool shared, bool global) {
  PatternCase out;
  if (shared) {
    out.wavefronts = cost.wavefronts;
    out.ideal_wavefronts = cost.ideal_wavefronts;
    out.conflict_degree = cost.conflict_degree;
  }
  if (global) {
    out.sectors = cost.sectors;
    out.ideal_sectors = cost.ideal_sectors;
  }
  return out;
}

void raise(PatternCase &to, const PatternCase &by) {
  to.wavefronts = std::max(to.wavefronts, by.wavefronts);
  to.ideal_wavefronts = std::max(to.ideal_wavefronts, by.ideal_wavefronts);
  to.conflict_degree = std::max(to.conflict_degree, by.conflict_degree);
  to.sectors = std::max(to.sectors, by.sectors);
  to.ideal_sectors = std::max(to.ideal_sectors, by.ideal_sectors);
}

PatternCase upper_bound(const Cases &cases) {
  PatternCase out;
  for (const PatternCase &c : cases)
    raise(out, c);
  out.at_most = true;
  return out;
}

Access bounding(const Access &access) {
  Access bound = access;
  // Loads of vectors merge phases where lanes agree, which fewer lanes may not; stores never do.
  if (access.space == Space::Shared && access.operation == Operation::Load)
    bound.operation = Operation::Store;
  return bound;
}

std::optional<PatternCase> worst(const Access &access, const Architecture &architecture, LaneMask lanes) {
  if (access.operation == Operation::AsyncCopy && !access.bypass_l1 &&
      architecture.rules.cached_copy == CopyService::LanesMeeting) {
    // Each lane meets all others at worst.
    PatternCase all;
    all.wavefronts = all.sectors = kWarpSize;
    all.conflict_degree =
        std::min<std::uint32_t>(kWarpSize, static_cast<std::uint32_t>(kRepeats / std::max(access.width_bits / 8, 4)));
    all.ideal_wavefronts = all.ideal_sectors = std::max<std::uint32_t>(1, kWarpSize * (access.width_bits / 8) / 128);
    all.ideal_sectors = std::max<std::uint32_t>(1, kWarpSize * (access.width_bits / 8) / 32);
    all.at_most = true;
    return all;
  }
  if (!unsupported_reason(access, architecture).empty() || is_atomic_loop(access, architecture) ||
      access.operation == Operation::AsyncCopy || !has_lane_addresses(access))
    return std::nullopt;
  Cases all;
  for (const std::uint64_t stride : {std::uint64_t{0}, std::uint64_t{kRepeats}}) {
    Request request;
    request.active = lanes;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      request.address[lane] = lane * stride;
    all.push_back(figures(evaluate(request, bounding(access), architecture), access.space == Space::Shared,
                          access.space == Space::Global));
  }
  return upper_bound(all);
}

} // namespace smem::pattern
