#include "fixes/launched_arrays.h"

#include "smem/shared_layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace smem {
namespace {

constexpr std::uint64_t kMostTraceSteps = 3'000'000;

std::optional<std::size_t> variable_of(const ArrayUses &uses, const SharedArray &array) {
  for (std::size_t i = 0; i < uses.variables.size(); ++i)
    if (uses.variables[i].shared && uses.variables[i].location == array.location)
      return i;
  return std::nullopt;
}

/// Without a shape that suits the array, it has no bytes.
Extents extents_of(const ArrayUses &uses, const Program &program, const Launch &launch, const SharedArray &array,
                   std::size_t variable) {
  const auto known = uses.shapes.find(variable);
  if (known == uses.shapes.end())
    return {4, {0}};
  const auto suits = [&](const ArrayShape &shape) {
    return array.dynamic || Extents{shape.element, shape.extents}.bytes() == array.size;
  };
  const ArrayShape *best = nullptr;
  for (const ArrayShape &shape : known->second)
    if (shape.element != 0 && suits(shape) && (!best || shape.function == program.mangled))
      best = &shape;
  if (!best)
    return {4, {0}};
  Extents extents{best->element, best->extents};
  if (array.dynamic)
    extents.sizes = {launch.dynamic_shared_bytes / best->element};
  return extents;
}

} // namespace

std::vector<std::vector<ArrayCounts>> counts_by_launch(const FileAnalysis &analysis) {
  std::vector<std::vector<ArrayCounts>> counts;
  for (const LaunchAnalysis &launch : analysis.launches)
    counts.push_back(counts_by_array(analysis.programs[launch.program], launch, *analysis.architecture));
  return counts;
}

LaunchedArrays trace_launches(const FileAnalysis &analysis, const std::vector<std::vector<ArrayCounts>> &counts) {
  LaunchedArrays found;
  SimulationOptions simulation;
  simulation.max_steps = kMostTraceSteps;
  found.traces.resize(analysis.launches.size());
  for (std::size_t i = 0; i < analysis.launches.size(); ++i) {
    const LaunchAnalysis &launch = analysis.launches[i];
    const Program &program = analysis.programs[launch.program];
    if (program.shared_arrays.empty())
      continue;
    found.traces[i] = trace_first_block(program, launch.launch, *analysis.architecture, simulation);
    const SharedLayout layout = layout_shared(program.shared_arrays, *analysis.architecture);
    for (std::uint32_t array = 0; array < program.shared_arrays.size(); ++array)
      if (const auto variable = variable_of(analysis.arrays, program.shared_arrays[array])) {
        const Extents extents =
            extents_of(analysis.arrays, program, launch.launch, program.shared_arrays[array], *variable);
        if (extents.bytes() == 0)
          continue;
        LaunchedArray launched{i, array, *variable, counts[i][array], {}};
        launched.instance.traffic = traffic_of(program, layout, launch.launch.dynamic_shared_bytes, array, extents,
                                               found.traces[i], *analysis.architecture);
        launched.instance.threads = launch.launch.block.count();
        launched.instance.shared_bytes = launch.result.shared_bytes;
        found.arrays.push_back(std::move(launched));
      }
  }
  return found;
}

std::vector<std::vector<std::size_t>> variable_groups(const ArrayUses &uses) {
  const std::vector<ArrayVariable> &all = uses.variables;
  std::vector<std::size_t> leader(all.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (leader[i] != i)
      i = leader[i];
    return i;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const std::size_t to : all[i].flows_to)
      leader[std::max(find(i), find(to))] = std::min(find(i), find(to));
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < all.size(); ++i)
    members[find(i)].push_back(i);
  std::vector<std::vector<std::size_t>> out;
  for (auto &[first, group] : members)
    out.push_back(std::move(group));
  return out;
}

} // namespace smem
