// Findings about races in shared memory, and about reads of what is not written there.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "report/finding.h"

namespace smem {

/// What LaunchAnalysis::races and global_races of files[file_index].launches[launch] have found: the witnesses of one pair of places are one finding, and so is an
/// instruction that reads what is not written.
std::vector<Finding> race_findings(const FileAnalysis &file, std::size_t file_index, std::size_t launch);

} // namespace smem
