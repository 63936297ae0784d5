// Findings that one edit is likely to settle: the short text tells each group once.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/report.h"

namespace smem {

/// Indices into Report::findings, the worst first.
struct FindingGroup {
  std::vector<std::size_t> findings;
  std::size_t places = 0;                ///< in how many lines of the source
  std::vector<const Finding *> accesses; ///< each access by itself, where a statement's are one finding
};

/// By rule, kernel and array; races by the barriers that end them; what is in no array that is known, by its line. `all`: before those of one
/// statement became one.
std::vector<FindingGroup> group_findings(const Report &report, std::span<const Finding> all);

/// Of lanes of one warp, which is a note: a warp-synchronous reduction has one for each pair of its lines, which one note tells.
bool is_race_of_lanes(const Report &report, const Finding &finding);

/// "9 places: also in lines 12, 14 (32-way) and 6 others": the first one costs most, others may have a higher degree. Empty: there is but one.
std::string other_places(const Report &report, const FindingGroup &group);

/// "called from line 215", "called from lines 215, gemm.cu:240": where the function is called that has the access which is shown, in the
/// launch that is shown. Empty: the kernel itself has it.
std::string calling_places(const Report &report, const FindingGroup &group);

/// "nor do 2 other pairs (lines 14, 16)": what the barriers of the hint end besides the race that is shown. Empty: nothing, or no race.
std::string other_races(const Report &report, const FindingGroup &group);

} // namespace smem
