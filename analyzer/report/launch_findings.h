// Findings about how a launch fills a GPU.
#pragma once

#include "report/findings.h"

#include <vector>

namespace smem {

/// grid-tail, low-occupancy and gmem-redundant-traffic of a launch, as far as they are enabled. Nothing of a launch whose grid or block is not known.
std::vector<Finding> launch_findings(const FileAnalysis &file, std::size_t index, std::size_t launch,
                                     const FindingOptions &options);

} // namespace smem
