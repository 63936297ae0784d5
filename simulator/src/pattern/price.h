// What the requests of one memory operation cost, from what is known of their addresses and lanes.
#pragma once

#include <variant>
#include <vector>

#include "interpret.h"
#include "smem/pattern.h"

namespace smem::pattern {

using Cases = std::vector<PatternCase>;

/// Cases that together cover all requests, or why there are none.
std::variant<Cases, Why> price(const Subject &subject, const MemoryOperation &operation, const Seen &seen, const Domain &domain);

/// What no request of the access exceeds, wherever its lanes go; nullopt where no rule says.
std::optional<PatternCase> worst(const Access &access, const Architecture &architecture);

/// One case that covers all: the largest figures of each.
PatternCase upper_bound(const Cases &cases);

} // namespace smem::pattern
