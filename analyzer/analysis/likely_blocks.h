// Blocks that a kernel may be launched with, where no launch says.
#pragma once

#include <vector>

#include "smem/architecture.h"
#include "smem/launch.h"
#include "smem/program.h"

namespace smem {

/// In the order in which they are worth a try: the second tier is, if all of the first did well. Whole warps that the kernel's bounds and the
/// launch's facts allow: powers of two, in y as well if `planes`, then other multiples of 32 threads in x. Not all blocks there are.
std::vector<std::vector<Dim3>> likely_blocks(const Program &program, const Launch &launch,
                                             const Architecture &architecture, bool planes);

} // namespace smem
