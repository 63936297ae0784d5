#include "analysis/passed_twice.h"

#include "support/words.h"

namespace smem {

void leave_open_within_arrays(Races &races, const Program &source, const Launch &launch,
                              const Architecture &architecture) {
  if (races.verdict() != RaceVerdict::Free)
    return;
  if (const auto pair = pointers_into_one_array(source, launch, architecture)) {
    races.between_warps = races.within_warp = races.between_blocks = RaceVerdict::Unknown;
    races.reason = quoted(pair->first) + " and " + quoted(pair->second) +
                   " lead into one array, and are not compared with each other";
  }
}

} // namespace smem
