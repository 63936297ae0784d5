// The cases of an access over the lanes that may be active together.
#pragma once

#include "price_cache.h"
#include "table.h"

namespace smem::pattern {

/// Of a table whose rows are chosen.
Priced cases_of_lanes(const Table &table);

} // namespace smem::pattern
