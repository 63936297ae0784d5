// Obvious repairs, each tried on the request that they are to repair before anyone reads of them.
#pragma once

#include "report/site_rows.h"

#include <string>

namespace smem {

/// E.g. "pad the rows: `float tile[32][33]` takes 1 wavefront here"; empty where nothing obvious helps.
std::string shared_hint(const Program &program, const SiteRow &row, const Architecture &architecture);
std::string global_hint(const SiteRow &row);

/// `__shared__ float tile[N][32]` with one of its extents enlarged: `float tile[N][32 + 1]`, `float tile[N][33]`.
/// Empty if the declaration has fewer than two extents.
std::string pad_last_extent(const std::string &declaration, unsigned elements);

} // namespace smem
