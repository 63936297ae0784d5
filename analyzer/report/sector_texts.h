// What a warp uses of the sectors that its requests touch, in words.
#pragma once

#include "report/site_rows.h"

#include <string>

namespace smem {

/// Whether a row that touches clearly more sectors than it needs wastes none of them: the warp's other accesses use what it leaves over, so
/// that what is fetched is less than `least_ratio` times what is used.
bool is_narrow(const SiteRow &row, double least_ratio);

/// "33%": how much of its sectors' bytes a request uses; with those next to it.
std::string own_use(const SectorUse &use);
std::string whole_use(const SectorUse &use);

/// To be added to the cause of a finding about sectors.
std::string use_text(const SiteRow &row);

/// How to access the same bytes in fewer requests.
std::string narrow_hint(const SiteRow &row);

} // namespace smem
