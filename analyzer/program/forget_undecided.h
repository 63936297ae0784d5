// Comparisons of numbers that the simulation cannot know.
#pragma once

#include "smem/program.h"

namespace smem::lower {

/// Makes a value without a past of each comparison and of each integer that is made of a floating-point number which data in global memory or an operation without a model has had a part in: what
/// comes of it is not known, whatever else it is computed from, so that this need not be executed. Which lanes have the same outcome is forgotten as well.
void forget_undecided(Program &program);

} // namespace smem::lower
