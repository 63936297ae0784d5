// What Races says of itself.
#include <algorithm>
#include <array>

#include "smem/race.h"

namespace smem {

std::string_view to_string(RaceVerdict verdict) {
  switch (verdict) {
  case RaceVerdict::Free: return "free";
  case RaceVerdict::Race: return "race";
  case RaceVerdict::Unknown: break;
  }
  return "unknown";
}

Races Races::unknown(std::string why, SourceLocation location) {
  Races races;
  races.reason = std::move(why);
  races.reason_location = std::move(location);
  return races;
}

void Races::leave_barriers_open(std::string why) {
  if (!barriers_open)
    barriers_reason = std::move(why);
  barriers_open = true;
}

RaceVerdict Races::verdict() const {
  const std::array all{between_warps, within_warp, between_blocks};
  for (const RaceVerdict verdict : {RaceVerdict::Race, RaceVerdict::Unknown})
    if (std::ranges::find(all, verdict) != all.end())
      return verdict;
  return RaceVerdict::Free;
}

} // namespace smem
