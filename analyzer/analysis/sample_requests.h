// What hints are tried on: the requests that the first block makes.
#pragma once

#include "analysis/analysis.h"

namespace smem {

/// Fills in the samples of launches with bank conflicts: of each access the first different requests of the first block, or of its beginning where it is
/// long. They go into archives, which programs' code does not, so that hints are the same from a cache.
void sample_requests(FileAnalysis &analysis);

} // namespace smem
