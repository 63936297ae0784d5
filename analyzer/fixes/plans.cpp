#include "fixes/plans.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace smem {
namespace {

constexpr unsigned kOffersOfAKind = 3;

} // namespace

std::vector<LayoutPlan> layout_plans(const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays,
                                     bool alone) {
  std::vector<LayoutPlan> found;
  std::vector<const ArrayInstance *> instances;
  std::set<std::uint32_t> elements;
  Freedom freedom;
  for (const LaunchedArray *array : arrays) {
    instances.push_back(&array->instance);
    elements.insert(array->instance.traffic.extents.element);
    freedom.grow &= !program_of(analysis, *array).shared_arrays[array->array].dynamic;
  }
  const auto uniform = [&](const Candidate &candidate) {
    found.push_back({{{{{}, candidate.layout}}, {}, {}}, std::vector<Layout>(arrays.size(), candidate.layout)});
  };
  if (elements.size() == 1) {
    // Of each kind a few: what defeats one of them (the compiler no longer merges accesses) defeats its likes.
    std::map<Layout::Kind, unsigned> offered;
    for (const Candidate &candidate : conflict_free(instances, freedom))
      if (++offered[candidate.layout.kind] <= kOffersOfAKind)
        uniform(candidate);
    if (freedom.grow)
      for (const Candidate &candidate : aligned_rows(instances))
        uniform(candidate);
  }
  // Template parameters of the kernel can be named in the kernel only.
  if (alone) {
    if (std::optional<LayoutPlan> by_variant = plan_by_variant(analysis, arrays, freedom))
      found.push_back(std::move(*by_variant));
    else if (std::optional<LayoutPlan> by_stride = plan_by_stride(analysis, arrays, freedom))
      found.push_back(std::move(*by_stride));
  }
  // Longer rows are the edit that changes least.
  std::stable_partition(found.begin(), found.end(), [](const LayoutPlan &plan) {
    return std::all_of(plan.layouts.begin(), plan.layouts.end(),
                       [](const Layout &layout) { return !layout.moves_elements(); });
  });
  return found;
}

bool model_holds(const std::vector<const LaunchedArray *> &arrays, const LayoutPlan &plan) {
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (!price(arrays[i]->instance.traffic, plan.layouts[i], 0))
      return false;
  return true;
}

} // namespace smem
