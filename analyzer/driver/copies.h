// Kernels of headers that several translation units have: what two of them say the same of is said once.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "fixes/fixes.h"

namespace smem {

/// Drops launches of which an earlier file has the very same: of a kernel that stands at the same place, with the same accesses, costs and verdicts.
/// `fixes`: empty, or one for each file.
void drop_copies(std::vector<FileAnalysis> &files, std::vector<FileFixes> &fixes);

} // namespace smem
