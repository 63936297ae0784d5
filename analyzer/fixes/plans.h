// Plans of layouts for the arrays of a group: which to try, the cheapest first.
#pragma once

#include "fixes/edits.h"
#include "fixes/launched_arrays.h"
#include "fixes/layout.h"
#include "fixes/search.h"

#include <optional>
#include <vector>

namespace smem {

/// A layout for each array of a group, and how the source says it.
struct LayoutPlan {
  LayoutCases cases;
  std::vector<Layout> layouts; ///< parallel to the group's arrays
};

/// What may be done, the cheapest first. `arrays`, at least one, are accessed through one group of variables; `alone`: the group has no second one.
std::vector<LayoutPlan> layout_plans(const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays,
                                     bool alone);

/// Whether no traced request has an excess.
bool model_holds(const std::vector<const LaunchedArray *> &arrays, const LayoutPlan &plan);

/// For one template of a kernel: a layout that names its template parameters, which only the kernel itself can. Nullopt: there is none.
/// From a stride among the parameters: the power of two in it says how many lanes meet in a bank.
std::optional<LayoutPlan> plan_by_stride(const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays,
                                         const Freedom &freedom);
/// For instantiations that want different layouts.
std::optional<LayoutPlan> plan_by_variant(const FileAnalysis &analysis,
                                          const std::vector<const LaunchedArray *> &arrays, const Freedom &freedom);

} // namespace smem
