// Which barriers may go, given what each launch says of them.
#pragma once

#include "analysis/analysis.h"

#include <span>

namespace smem {

/// A barrier may go if no kernel that has it needs it, in any launch: instantiations of a template, and callers of a function, are one text.
void keep_needed_barriers(std::span<LaunchAnalysis> launches, std::span<const Program> programs,
                          std::span<const Program> sources);

} // namespace smem
