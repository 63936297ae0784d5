// Plans of layouts that name template parameters of the kernel.
#include "fixes/cases.h"
#include "fixes/plans.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace smem {
namespace {

bool is_one_template(const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays) {
  const LaunchedArray &first = *arrays.front();
  return std::all_of(arrays.begin(), arrays.end(), [&](const LaunchedArray *array) {
    return program_of(analysis, *array).location == program_of(analysis, first).location &&
           array->variable == first.variable;
  });
}

/// The positive integers among the template arguments, by parameter: of each array that has one. Nullopt: some array's program is no template.
std::optional<std::map<std::string, std::vector<std::uint32_t>>>
integers_by_parameter(const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays) {
  std::map<std::string, std::vector<std::uint32_t>> integers;
  for (const LaunchedArray *array : arrays) {
    const auto arguments = analysis.arrays.templates.find(program_of(analysis, *array).mangled);
    if (arguments == analysis.arrays.templates.end())
      return std::nullopt;
    for (const TemplateArgument &argument : arguments->second)
      if (!argument.type)
        if (const int value = std::atoi(argument.value.c_str()); value > 0)
          integers[argument.name].push_back(static_cast<std::uint32_t>(value));
  }
  return integers;
}

/// A swizzle of rows as long as the 32 banks, by the power of two in the stride.
Layout swizzle_of_stride(std::uint32_t stride, std::uint32_t element) {
  const std::uint32_t power = stride & -stride;
  Layout layout;
  layout.spread = std::max(1u, 4 / element);
  layout.kind = Layout::Kind::Swizzle;
  layout.period = std::min(32u, 128 / element);
  layout.terms[0] = {std::max(power, layout.period), power, 1};
  return layout;
}

/// The swizzles of all arrays as expressions of the parameter, and of `type` where their `elements` (bytes) differ.
void say_swizzles(LayoutCases &cases, const std::string &parameter, const std::string &type,
                  const std::set<std::uint32_t> &elements) {
  const std::string size = "sizeof(" + type + ")";
  const bool narrow = *elements.begin() < 4, mixed = elements.size() > 1;
  const std::string row = !mixed   ? std::to_string(cases.cases.front().layout.period)
                          : narrow ? size + " < 4 ? 32 : 128 / " + size
                                   : "128 / " + size;
  cases.spread = !narrow ? "1" : mixed ? size + " < 4 ? 4 / " + size + " : 1" : std::to_string(4 / *elements.begin());
  cases.index = "constexpr unsigned row = " + row + ", power = " + parameter + " & -" + parameter + "; return ";
  const std::string swizzled = "i ^ (i / (power > row ? power : row) % power % row)";
  cases.index += cases.spread == "1" ? swizzled : "(" + swizzled + ") * (" + cases.spread + ")";
}

/// An instantiation's template arguments, with the size of the array's element; no layouts if its program is no template, or none suits.
Variant variant_of(const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays,
                   const Freedom &freedom) {
  Variant variant;
  const auto arguments = analysis.arrays.templates.find(program_of(analysis, *arrays.front()).mangled);
  if (arguments == analysis.arrays.templates.end())
    return variant;
  variant.arguments = arguments->second;
  const ArrayVariable &variable = analysis.arrays.variables[arrays.front()->variable];
  if (!variable.element_type.empty())
    variant.arguments.push_back(
        {variable.element_type, std::to_string(arrays.front()->instance.traffic.extents.element), true});
  std::uint64_t excess = 0;
  std::vector<const ArrayInstance *> instances;
  for (const LaunchedArray *array : arrays) {
    excess += array->counts.excess();
    instances.push_back(&array->instance);
  }
  if (excess == 0)
    variant.layouts.push_back({});
  const std::vector<Candidate> candidates = conflict_free(instances, freedom);
  for (const Candidate &candidate : candidates)
    if (candidate.blocks_lost == candidates.front().blocks_lost || excess != 0)
      variant.layouts.push_back(candidate.layout);
  return variant;
}

} // namespace

std::optional<LayoutPlan> plan_by_stride(const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays,
                                         const Freedom &freedom) {
  if (!is_one_template(analysis, arrays))
    return std::nullopt;
  const auto strides = integers_by_parameter(analysis, arrays);
  if (!strides)
    return std::nullopt;
  std::set<std::uint32_t> elements;
  for (const LaunchedArray *array : arrays)
    elements.insert(array->instance.traffic.extents.element);
  for (const auto &[parameter, values] : *strides) {
    if (values.size() != arrays.size())
      continue;
    LayoutPlan plan;
    bool holds = true;
    for (std::size_t i = 0; holds && i < arrays.size(); ++i) {
      const ArrayTraffic &traffic = arrays[i]->instance.traffic;
      const Layout layout = swizzle_of_stride(values[i], traffic.extents.element);
      holds = (freedom.grow || layout.spread == 1) && fits(layout, traffic.extents) &&
              price(traffic, layout, 0).has_value();
      plan.layouts.push_back(layout);
      plan.cases.cases.push_back({{}, layout});
    }
    if (!holds)
      continue;
    say_swizzles(plan.cases, parameter, analysis.arrays.variables[arrays.front()->variable].element_type, elements);
    return plan;
  }
  return std::nullopt;
}

std::optional<LayoutPlan> plan_by_variant(const FileAnalysis &analysis,
                                          const std::vector<const LaunchedArray *> &arrays, const Freedom &freedom) {
  if (!is_one_template(analysis, arrays))
    return std::nullopt;
  std::map<std::size_t, std::vector<std::size_t>> by_program; // indices into `arrays`
  for (std::size_t i = 0; i < arrays.size(); ++i)
    by_program[analysis.launches[arrays[i]->launch].program].push_back(i);
  if (by_program.size() < 2)
    return std::nullopt;
  std::vector<Variant> variants;
  for (const auto &[number, members] : by_program) {
    std::vector<const LaunchedArray *> own;
    for (const std::size_t i : members)
      own.push_back(arrays[i]);
    variants.push_back(variant_of(analysis, own, freedom));
    if (variants.back().layouts.empty())
      return std::nullopt;
  }
  LayoutPlan plan;
  std::vector<Layout> chosen; // parallel to by_program
  plan.cases = distinguish(variants, chosen);
  if (plan.cases.cases.empty())
    return std::nullopt;
  plan.layouts.resize(arrays.size());
  std::size_t v = 0;
  for (const auto &[number, members] : by_program) {
    for (const std::size_t i : members)
      plan.layouts[i] = chosen[v];
    ++v;
  }
  return plan;
}

} // namespace smem
