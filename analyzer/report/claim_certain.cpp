#include "report/claim_certain.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "report/pattern_cases.h"

namespace smem {

std::uint32_t actual_of(const PatternCase &one, Unit unit) {
  return unit == Unit::Wavefronts ? one.wavefronts : one.sectors;
}

namespace {

constexpr std::uint8_t kWholeWarps = 1U << static_cast<unsigned>(BlockShape::WholeWarps);

std::uint32_t ideal_of(const PatternCase &one, Unit unit) {
  return unit == Unit::Wavefronts ? one.ideal_wavefronts : one.ideal_sectors;
}

bool costly(const PatternCase &one, Unit unit, double least_ratio) {
  return !one.at_most && actual_of(one, unit) > ideal_of(one, unit) &&
         actual_of(one, unit) >= least_ratio * ideal_of(one, unit);
}

/// Of copies of an access: the shape of the block, its arguments and the active lanes are the same for all of them.
bool common_to_copies(const PatternCondition &condition) {
  using Kind = PatternCondition::Kind;
  return condition.kind == Kind::Shape || condition.kind == Kind::Argument || condition.kind == Kind::Lanes ||
         condition.kind == Kind::FewerLanes || is_of_some_copies(condition);
}

/// Wherever it holds, another copy of the access costs more.
bool outdone(const PatternCase &one, const Pattern &pattern, Unit unit) {
  const auto holds = [&](const PatternCondition &condition) {
    return std::ranges::find(one.when, condition) != one.when.end();
  };
  return std::ranges::any_of(one.when, is_of_some_copies) && std::ranges::all_of(one.when, common_to_copies) &&
         std::ranges::any_of(pattern.cases, [&](const PatternCase &other) {
           return !other.at_most && actual_of(other, unit) > actual_of(one, unit) &&
                  std::ranges::all_of(other.when, holds);
         });
}

} // namespace

std::optional<Certain> certain_cost(const Pattern &pattern, const Launch &launch, Unit unit, double least_ratio) {
  if (!pattern.reached || !covers(pattern, launch))
    return std::nullopt;
  Certain out;
  bool any = false;
  std::uint8_t fewer_lanes = 0;
  const auto own_shape = static_cast<unsigned>(shape_of(launch.block.x, launch.block.y, launch.block.z));
  // Of a block that is not known: rows of whole warps are a case worth stating, whatever the rarer shapes cost. Another shape is one that was guessed.
  const std::uint8_t decisive = launch.block_known               ? kAllShapes
                                : 1U << own_shape == kWholeWarps ? kWholeWarps
                                                                 : kAllShapes & ~kOtherShape;
  for (const PatternCase &one : pattern.cases) {
    if (!possible(one, launch)) {
      out.by_values |= excluded_by_values(one, launch);
      continue;
    }
    if (outdone(one, pattern, unit))
      continue;
    if (!costly(one, unit, least_ratio)) {
      if (has(one, PatternCondition::Kind::FewerLanes))
        fewer_lanes |= shapes_of(one);
      else if (shapes_of(one) & shapes_of(launch) & decisive)
        return std::nullopt;
      continue;
    }
    if (!any || actual_of(one, unit) < actual_of(out.least, unit))
      out.least = one;
    any = true;
    std::vector<PatternCondition> conditions;
    std::ranges::copy_if(one.when, std::back_inserter(conditions), [](const PatternCondition &condition) {
      return condition.kind == PatternCondition::Kind::Argument;
    });
    out.one_case &= out.conditions.empty() || out.conditions == conditions;
    for (const PatternCondition &condition : conditions)
      if (std::ranges::find(out.conditions, condition) == out.conditions.end())
        out.conditions.push_back(condition);
  }
  if (!any)
    return std::nullopt;
  // Speak of blocks of the launch's own shape, which is a plausible one where the launch is not known, and of all others with this very cost.
  std::array<const PatternCase *, kBlockShapes> least{};
  for (const PatternCase &one : pattern.cases) {
    if (has(one, PatternCondition::Kind::FewerLanes) || one.at_most || outdone(one, pattern, unit) ||
        (has(one, PatternCondition::Kind::Argument) && !possible(one, launch)))
      continue;
    for (unsigned shape = 0; shape < kBlockShapes; ++shape)
      if (shapes_of(one) >> shape & 1 && (!least[shape] || actual_of(one, unit) < actual_of(*least[shape], unit)))
        least[shape] = &one;
  }
  for (const PatternCase &one : pattern.cases) // a bound says nothing of the least
    if (one.at_most && !has(one, PatternCondition::Kind::FewerLanes))
      for (unsigned shape = 0; shape < kBlockShapes; ++shape)
        if (shapes_of(one) >> shape & 1)
          least[shape] = nullptr;
  if (const PatternCase *own = least[own_shape]; own && costly(*own, unit, least_ratio))
    out.least = *own;
  out.all_lanes = fewer_lanes >> own_shape & 1;
  const std::uint8_t spoken_of = launch.block_known || shapes_of(launch) == 0 ? kAllShapes : shapes_of(launch);
  const auto shapes_without = [&](std::uint8_t left_out) {
    std::uint8_t shapes = 0;
    for (unsigned shape = 0; shape < kBlockShapes; ++shape)
      if (least[shape] && !(left_out >> shape & 1) && actual_of(*least[shape], unit) == actual_of(out.least, unit))
        shapes |= static_cast<std::uint8_t>(1U << shape);
    return static_cast<std::uint8_t>(shapes & spoken_of);
  };
  out.shapes = shapes_without(out.all_lanes ? 0 : fewer_lanes);
  // Where each block has requests of fewer lanes, it is said of those of all lanes, or of none.
  if (!out.shapes && fewer_lanes) {
    out.all_lanes = true;
    out.shapes = shapes_without(0);
  }
  out.of_some_copies = std::ranges::any_of(pattern.cases, [&](const PatternCase &one) {
    return possible(one, launch) && (shapes_of(one) & out.shapes) != 0 && outdone(one, pattern, unit);
  });
  out.at_least = std::ranges::any_of(pattern.cases, [&](const PatternCase &one) {
    return possible(one, launch) && (shapes_of(one) & out.shapes) != 0 &&
           actual_of(one, unit) > actual_of(out.least, unit);
  });
  return out;
}

} // namespace smem
