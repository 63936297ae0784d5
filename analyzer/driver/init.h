// `smem-lint init`: a configuration out of what an analysis found.
#pragma once

#include "analysis/analysis.h"
#include "driver/options.h"

#include <string>
#include <vector>

namespace smem {

/// The text of a `.smem-lint.yaml`: what was recorded, as entries; what is known of each kernel's launches with where it comes from, and what is not known
/// with what was assumed for it, as comments. Empty: there is no kernel.
std::string initial_config(const std::vector<FileAnalysis> &files);

/// Analyses and writes; the exit code.
int init(const DriverOptions &options);

} // namespace smem
