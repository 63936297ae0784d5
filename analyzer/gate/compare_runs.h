// Two runs over two versions of the same sources, kernel by kernel and finding by finding.
#pragma once

#include "gate/baseline.h"
#include "report/diff_report.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace smem {

/// What a kernel costs over all its launches.
struct KernelCost {
  Counts counts;
  bool bound = false; ///< some access is unknown
};
using KernelCosts = std::map<std::pair<std::string, std::string>, KernelCost>; ///< by path and name
KernelCosts kernel_costs(std::span<const FileAnalysis> files, RepositoryPaths &paths);

/// One side of a comparison.
struct RunSummary {
  KernelCosts kernels;
  Baseline findings; ///< and floors
};

/// `now_findings` get their Finding::baseline; those of raised floors have it. `gpu`: as floors_of() has it. `gates` says whether a
/// finding fails the comparison.
DiffReport compare_runs(const RunSummary &before, std::span<const FileAnalysis> now, std::vector<Finding> &now_findings,
                        const Gpu *gpu, RepositoryPaths &paths, const std::function<bool(const Finding &)> &gates);

} // namespace smem
