// Launch configurations folded out of host code.
#pragma once

#include <string>
#include <vector>

#include "smem/launch.h"
#include "source/diagnostic.h"

namespace clang {
class ASTContext;
}

namespace smem {

/// One `<<<>>>` (or cudaLaunchKernel) as far as it could be folded. Several launches of one kernel are several entries.
struct HostLaunch {
  Launch launch;                      ///< provenance HostCode; unknown scalar arguments have no value
  bool shape_known = false;           ///< grid and block both folded
  std::vector<std::string> unknown;   ///< what could not be folded and why: "grid.x: depends on argv (line 12)"
};

struct HostLaunches {
  std::vector<HostLaunch> launches;   ///< in source order
};

/// Walks the host functions of a parsed translation unit.
HostLaunches infer_launches(clang::ASTContext &context);

} // namespace smem
