// The begin of every finding about a launch.
#pragma once

#include <string_view>

#include "analysis/analysis.h"
#include "report/finding.h"

namespace smem {

/// A finding of the rule, of files[file_index].launches[launch]: where, and of what, is still to be said.
Finding launch_finding(std::string_view rule, const FileAnalysis &file, std::size_t file_index, std::size_t launch);

} // namespace smem
