// Races in shared memory of launches of which nothing tells how many threads a block has.
#pragma once

#include "smem/race.h"

namespace smem {

/// What those blocks say that are tried: the one that is assumed for the counts, and likely ones. Free, with Races::free_blocks, or a race, with
/// Races::block, where all of them are, and assumed then.
Races races_of_unknown_block(const Program &source, const Launch &launch, const Architecture &architecture,
                             const RaceOptions &options);

} // namespace smem
