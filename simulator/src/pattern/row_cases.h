// The cases of requests of the same lanes: rows of the table that cost the same are one.
#pragma once

#include "price_cache.h"
#include "table.h"

namespace smem::pattern {

/// `costs` are those of the table for these lanes. At least one case; conditions are on quantities and addresses only.
Priced cases_of_rows(const Table &table, LaneMask mask, const Costs &costs);

} // namespace smem::pattern
