// How often, and where, a request happens in loops whose length changes with what is around them.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "pricing.h"
#include "scope.h"

namespace smem {

/// How many points of a nest are shifted by each pair of residues. Saturates: UINT64_MAX where there are too many to count.
std::vector<std::pair<Shift, std::uint64_t>> residues(const Event::Nest &nest);

/// The extremes of the own side's way over the points of a nest.
std::pair<Wide, Wide> reach(const Event::Nest &nest);

} // namespace smem
