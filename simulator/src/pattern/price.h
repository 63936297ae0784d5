// What the requests of one memory operation cost, from what is known of their addresses and lanes.
#pragma once

#include <variant>

#include "interpret.h"
#include "price_cache.h"

namespace smem::pattern {

/// What a request of the operation costs.
Priced price_of(const Subject &subject, const MemoryOperation &operation, const Seen &seen, const Domain &domain,
                PriceCache &cache);

/// The memory that the operation's address lies in, whatever the launch, or why that is not known.
std::variant<Space, Why> space_of(const MemoryOperation &operation, const Seen &seen, const Domain &domain);

} // namespace smem::pattern
