// Rows of a shared array that are made longer, tried on the requests of all of its accesses before anyone reads of it.
#pragma once

#include "report/hints.h"

#include <cstddef>
#include <span>
#include <string>

namespace smem {

/// How many extents a declaration has: 2 of `float tile[N][32]`.
std::size_t dimensions_of(const std::string &declaration);

/// `__shared__ float tile[N][32]` with one of its extents enlarged: `float tile[N][32 + 1]`, `float tile[N][33]`.
/// Empty if the declaration has fewer than two extents.
std::string pad_last_extent(const std::string &declaration, unsigned elements);

/// "pad the rows: `float tile[32][33]` makes it 1 wavefront". Of one array it is the same padding in each finding: the one with which
/// its accesses take the fewest wavefronts together. Empty where that does not help the row's requests. `rows`: of the program.
std::string padding_hint(const Program &program, const SiteRow &row, std::span<const SiteRow> rows,
                         const Architecture &architecture, const RequestsOf &requests_of);

} // namespace smem
