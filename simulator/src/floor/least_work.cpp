#include "saturating.h"
#include "smem/least_work.h"

#include <algorithm>

namespace smem {
namespace {

/// 128 bytes: what a wavefront moves between the data pipe and registers.
constexpr std::uint64_t kSectorsOfWavefront = 4;

} // namespace

UnitWork &UnitWork::operator+=(const UnitWork &other) {
  shared_wavefronts = saturating_add(shared_wavefronts, other.shared_wavefronts);
  global_wavefronts = saturating_add(global_wavefronts, other.global_wavefronts);
  tags = saturating_add(tags, other.tags);
  return *this;
}

UnitWork UnitWork::times(std::uint64_t count) const {
  return {saturating_multiply(shared_wavefronts, count), saturating_multiply(global_wavefronts, count),
          saturating_multiply(tags, count)};
}

UnitWork least_of(const UnitWork &a, const UnitWork &b) {
  return {std::min(a.shared_wavefronts, b.shared_wavefronts), std::min(a.global_wavefronts, b.global_wavefronts),
          std::min(a.tags, b.tags)};
}

UnitWork unit_work(const Access &access, Space space, std::uint64_t requests, std::uint64_t wavefronts,
                   std::uint64_t ideal_sectors, std::uint64_t tags, std::uint64_t line_cycles) {
  if (!has_lane_addresses(access))
    return {};
  if (access.operation == Operation::AsyncCopy) // its wavefronts are those of both sides
    return {wavefronts, 0, tags};
  if (space == Space::Shared)
    return {wavefronts, 0, 0};
  if (access.operation != Operation::Load && access.operation != Operation::Store)
    return {};
  return {0, std::max({requests, (ideal_sectors + kSectorsOfWavefront - 1) / kSectorsOfWavefront, line_cycles}),
          std::max(tags, saturating_multiply(line_cycles, kTagsOfCycle))};
}

} // namespace smem
