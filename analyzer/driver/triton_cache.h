// The kernels in a cache of Triton's.
#pragma once

#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace smem {

struct TritonCache {
  std::vector<std::string> files; ///< cubins, and PTX where there is no cubin; the newest first
  std::vector<Diagnostic> diagnostics;
};

/// $TRITON_CACHE_DIR, else .triton/cache in $TRITON_HOME or the home folder; empty: there is none of these.
std::string triton_cache_folder();

/// Below `folder`, at most three levels; links are not followed.
TritonCache find_triton_kernels(const std::string &folder);

} // namespace smem
