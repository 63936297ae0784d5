// Findings about what host code says, or leaves open, of a launch.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "report/finding.h"

namespace smem {

/// launch-unknown, and more shared memory than a launch has without cudaFuncSetAttribute().
std::vector<Finding> launch_setup_findings(const FileAnalysis &file, std::size_t file_index, std::size_t launch);

} // namespace smem
