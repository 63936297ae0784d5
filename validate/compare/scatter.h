#pragma once

#include "model.h"

#include <string>

namespace smem::compare {

/// Predicted against measured, both logarithmic with a place for zero, as inline SVG: wavefronts of shared memory as
/// circles, sectors of global memory as squares, what disagrees as crosses.
std::string scatter_plot(const Comparison &comparison);

} // namespace smem::compare
