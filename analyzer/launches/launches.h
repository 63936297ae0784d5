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

/// A pointer argument (or part of one) whose place in its allocation is not known.
struct OpenPointer {
  std::uint32_t index = 0;            ///< parameter position
  std::uint64_t offset = 0;           ///< bytes into the parameter
  std::string name, reason;           ///< "v.data", "depends on argv"
};

/// One `<<<>>>` (or cudaLaunchKernel) as far as it could be folded. Several launches of one kernel are several entries.
struct HostLaunch {
  Launch launch;                      ///< provenance HostCode; unknown scalar arguments have no value
  bool shape_known = false;           ///< grid and block both folded
  std::vector<std::string> unknown;   ///< what could not be folded and why: "grid.x: depends on argv (line 12)"
  std::vector<OpenPointer> open_pointers; ///< their arguments have the alignment that is certain, and no value
  std::uint64_t times = 1;            ///< how often it was met with these very values
  bool reached = true;                ///< false: in a branch or a function that the default run does not enter
};

struct HostLaunches {
  std::vector<HostLaunch> launches;   ///< in the order of execution, as far as it is known
  std::vector<Diagnostic> diagnostics; ///< what was left out
};

class IrNames;

/// Evaluates the host functions of a parsed translation unit, `main` first.
HostLaunches infer_launches(clang::ASTContext &context, const IrNames &names);

} // namespace smem
