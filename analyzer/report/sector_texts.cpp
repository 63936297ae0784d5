#include "report/sector_texts.h"

#include "report/lanes.h"

#include <bit>

namespace smem {
namespace {

constexpr std::uint64_t kSectorBytes = 32;

/// Rounded down: all is only what is all.
std::string percent_of(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t percent = whole ? 100 * part / whole : 0;
  return percent ? std::to_string(percent) + "%" : "<1%";
}

} // namespace

bool is_narrow(const SiteRow &row, double least_ratio) {
  if (!row.sector_use || row.sector_use->bytes <= row.sector_use->own_bytes)
    return false;
  const SectorUse &use = *row.sector_use;
  return static_cast<double>(kSectorBytes * use.sectors) < least_ratio * static_cast<double>(use.bytes);
}

std::string own_use(const SectorUse &use) { return percent_of(use.own_bytes, kSectorBytes * use.sectors); }
std::string whole_use(const SectorUse &use) { return percent_of(use.bytes, kSectorBytes * use.sectors); }

std::string use_text(const SiteRow &row) {
  if (!row.sector_use)
    return {};
  const SectorUse &use = *row.sector_use;
  const std::string own = "a request uses " + own_use(use) + " of their bytes";
  const Access &access = row.site->access;
  if (use.bytes > use.own_bytes)
    return own + ", with the warp's accesses next to it " + whole_use(use);
  if (access.bypass_l1 || access.operation == Operation::Atomic)
    return own + ", and L1 keeps nothing for the next one";
  if (row.global_example && lie_far_apart(row.global_example->request))
    return own + "; whether L1 keeps the rest until another one uses it is not known";
  return own + ", and the warp's accesses next to it none of the rest";
}

std::string narrow_hint(const SiteRow &row) {
  const std::int64_t width = row.site->access.width_bits / 8;
  const auto stride = row.global_example ? lane_stride(row.global_example->request) : std::nullopt;
  const std::int64_t apart = stride ? (*stride < 0 ? -*stride : *stride) : 0;
  const bool load = row.site->access.operation == Operation::Load;
  if (apart > width && apart <= 16 && std::has_single_bit(static_cast<std::uint64_t>(apart)))
    return std::string(load ? "load" : "store") + " the " + std::to_string(apart) +
           " bytes of a lane at once, as one vector" +
           (width == 4 && apart == 16  ? " (float4)"
            : width == 4 && apart == 8 ? " (float2)"
                                       : "") +
           " on an aligned address";
  return "stage the data in shared memory with accesses of consecutive words, or keep the fields in arrays of their own";
}

} // namespace smem
