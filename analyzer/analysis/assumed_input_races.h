// Races in launches with values that nothing tells.
#pragma once

#include <optional>

#include "smem/race.h"

namespace smem {

/// What is unknown because of values that nothing tells: witnesses of launches with some that are made up. None: there are none.
std::optional<Races> with_assumed_input(const Program &source, const Launch &launch, const Architecture &architecture,
                                        RaceOptions options, const Races &certain);

} // namespace smem
