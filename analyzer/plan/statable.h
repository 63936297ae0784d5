// A launch that was analysed, in the words that state it.
#pragma once

#include "plan/launch_wish.h"
#include "smem/launch.h"
#include "smem/program.h"

#include <vector>

namespace smem {

/// The scalar that an argument is, where it can be stated: an integer with a name. Null otherwise. `scalars`: passed_scalars().
const PassedScalar *statable_scalar(const std::vector<PassedScalar> &scalars, const ArgumentValue &argument);

/// The launch as --launch, comments and `Launches` read it: block, grid, dynamic shared memory where the kernel has such an array, and scalars with a
/// value. `only_known`: without what was assumed.
LaunchWish stated_launch(const Program &program, const Launch &launch, bool only_known);

} // namespace smem
