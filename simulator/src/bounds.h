// Accesses outside of arrays in shared memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "machine.h"
#include "scope.h"
#include "smem/simulate.h"

namespace smem {

/// "byte 124 is outside `tail`, which has 8 bytes"
Problem outside_array(const Machine &machine, SiteId site, const std::string &what, std::int64_t offset,
                      std::uint64_t bytes);

/// Anything that `event` stands for and that is known to lie outside the array it is of; nothing is known of addresses that are shifted by what is not. Steps of which the
/// number is a formula are left out: the first of them alone is looked at.
std::optional<Problem> out_of_bounds(const Machine &machine, const Event &event, const MemoryOperation &operation);

} // namespace smem
