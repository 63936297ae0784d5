#include "report/pattern_cases.h"

#include "report/claim.h"
#include "plan/kernel_facts.h"

#include <algorithm>

namespace smem {

const ArgumentValue *argument_of(const Launch &launch, const PatternCondition &condition) {
  const auto found = std::find_if(launch.arguments.begin(), launch.arguments.end(), [&](const ArgumentValue &one) {
    return one.index == condition.argument && one.offset == condition.offset && one.width_bits == condition.width &&
           !one.pointer;
  });
  return found == launch.arguments.end() ? nullptr : &*found;
}

namespace {

bool listed(const PatternCondition &condition, std::int64_t value) {
  value = value / condition.divisor + condition.plus;
  if (std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end())
    return true;
  if (condition.remainders.empty() || (value < condition.near && value > -condition.near))
    return false;
  const auto modulus = static_cast<std::int64_t>(condition.modulus);
  const auto remainder = static_cast<std::uint32_t>(((value % modulus) + modulus) % modulus);
  return std::find(condition.remainders.begin(), condition.remainders.end(), remainder) != condition.remainders.end();
}

} // namespace

bool admits(const PatternCondition &condition, std::int64_t value) {
  return listed(condition, value) != condition.none;
}

namespace {

/// A condition that all of some lanes are active, of which a block of so few threads has only the first.
bool lacks_lanes(const PatternCondition &condition, std::uint64_t threads) {
  return condition.kind == PatternCondition::Kind::Lanes && threads < kWarpSize && condition.lanes >> threads != 0;
}

} // namespace

bool excludes(const ArgumentFacts &of_argument, const PatternCondition &condition) {
  ArgumentFacts facts = of_argument;
  if (const std::int64_t by = condition.divisor; by != 1) { // of a quotient rounded towards zero
    facts = {};
    if (by <= 0)
      return false;
    if (of_argument.modulus % by == 0 && of_argument.remainder == 0)
      facts.modulus = of_argument.modulus / by;
    if (of_argument.least)
      facts.least = *of_argument.least / by;
    if (of_argument.most)
      facts.most = *of_argument.most / by;
  }
  if (const std::int64_t plus = condition.plus; plus != 0) {
    facts.remainder = ((facts.remainder + plus) % facts.modulus + facts.modulus) % facts.modulus;
    for (std::optional<std::int64_t> *bound : {&facts.least, &facts.most})
      if (*bound)
        **bound += plus;
  }
  if (condition.none) // all that the facts admit is listed
    return condition.near == 0 && facts.modulus % condition.modulus == 0 &&
           std::ranges::find(condition.remainders, static_cast<std::uint32_t>(facts.remainder % condition.modulus)) !=
               condition.remainders.end();
  const bool near = facts.least && *facts.least > -condition.near && facts.most && *facts.most < condition.near;
  return (near || std::none_of(condition.remainders.begin(), condition.remainders.end(),
                               [&](std::uint32_t remainder) {
                                 return admits_remainder(facts, condition.modulus, remainder);
                               })) &&
         std::none_of(condition.values.begin(), condition.values.end(),
                      [&](std::int64_t value) { return facts.admits(value); });
}

std::uint8_t shapes_of(const Launch &launch) {
  return launch.block_known ? static_cast<std::uint8_t>(
                                  1U << static_cast<unsigned>(shape_of(launch.block.x, launch.block.y, launch.block.z)))
                            : launch.block_shapes;
}

std::uint64_t most_threads(const Launch &launch) {
  if (launch.block_known)
    return launch.block.count();
  constexpr std::int64_t kMost = 1024;
  if (launch.contradicted)
    return kMost;
  std::int64_t threads = 1;
  for (const ArgumentFacts &axis : launch.block_facts)
    threads = std::min(kMost, threads * std::clamp<std::int64_t>(axis.most.value_or(kMost), 1, kMost));
  return static_cast<std::uint64_t>(threads);
}

bool possible(const PatternCase &one, const Launch &launch) {
  return std::none_of(one.when.begin(), one.when.end(), [&](const PatternCondition &condition) {
    if (condition.kind == PatternCondition::Kind::Shape)
      return !(condition.shapes & shapes_of(launch));
    if (lacks_lanes(condition, most_threads(launch)))
      return true;
    if (condition.kind != PatternCondition::Kind::Argument)
      return false;
    const ArgumentValue *argument = argument_of(launch, condition);
    if (!argument)
      return false;
    if (argument->value && argument->provenance != Provenance::Assumed)
      return !admits(condition, *argument->value);
    return !launch.contradicted && excludes(argument->facts, condition);
  });
}

bool excluded_by_values(const PatternCase &one, const Launch &launch) {
  PatternCase of_any_values = one;
  std::erase_if(of_any_values.when,
                [](const PatternCondition &condition) { return condition.kind == PatternCondition::Kind::Argument; });
  return !possible(one, launch) && possible(of_any_values, launch);
}

bool has(const PatternCase &one, PatternCondition::Kind kind) {
  return std::any_of(one.when.begin(), one.when.end(),
                     [&](const PatternCondition &condition) { return condition.kind == kind; });
}

std::vector<PatternCondition> beyond_block(std::vector<PatternCondition> when, const Launch &launch) {
  std::erase_if(when, [&](const PatternCondition &condition) {
    return condition.kind == PatternCondition::Kind::Shape && !(shapes_of(launch) & kAllShapes & ~condition.shapes);
  });
  return when;
}

std::string pattern_cost(const PatternCase &one, bool shared) {
  const std::uint32_t cost = shared ? one.wavefronts : one.sectors;
  return (one.at_most ? "at most " : "") + std::to_string(cost) + (shared ? " wavefront" : " sector") +
         (cost == 1 ? "" : "s");
}

bool covers(const Pattern &pattern, const Launch &launch) {
  if (pattern.verdict != PatternVerdict::Always && pattern.verdict != PatternVerdict::Cases)
    return false;
  std::uint8_t covered = 0;
  for (const PatternCase &one : pattern.cases)
    if (possible(one, launch))
      covered |= shapes_of(one);
  return pattern.reason.empty() || !(shapes_of(launch) & kAllShapes & ~covered);
}

std::string facts_text(const ArgumentFacts &facts, const std::string &name) {
  std::string text = to_string(facts, name);
  for (std::size_t at = 0; (at = text.find(", ", at)) != std::string::npos;)
    text.replace(at, 2, " and ");
  return text;
}

namespace {

/// "block=32..1024 step 32", or where it has a bound on one side only "blockDim.x <= 16 and blockDim.y == 1".
std::string block_text(const BlockFacts &facts) {
  if (std::string words = block_words(facts); words.find_first_of("<>") == std::string::npos)
    return words;
  constexpr const char *kNames[] = {"blockDim.x", "blockDim.y", "blockDim.z"};
  std::string text;
  for (std::size_t axis = 0; axis < facts.size(); ++axis)
    if (const std::string one = facts_text(facts[axis], kNames[axis]); !one.empty())
      text += (text.empty() ? "" : " and ") + one;
  return text;
}

} // namespace

std::string all_launches(const Launch &launch, bool narrowed) {
  if (!narrowed || (!launch.block_known && std::ranges::all_of(launch.block_facts, &ArgumentFacts::empty)))
    return "in all launches";
  return "in all launches with " +
         (launch.block_known ? "block=" + to_string(launch.block) : block_text(launch.block_facts));
}

bool may_have(const Launch &launch, const PatternCase &one) {
  return std::all_of(one.when.begin(), one.when.end(), [&](const PatternCondition &condition) {
    if (condition.kind == PatternCondition::Kind::Shape)
      return (condition.shapes >> static_cast<unsigned>(shape_of(launch.block.x, launch.block.y, launch.block.z)) &
              1) != 0;
    if (lacks_lanes(condition, launch.block.count()))
      return false;
    const ArgumentValue *argument =
        condition.kind == PatternCondition::Kind::Argument ? argument_of(launch, condition) : nullptr;
    return !argument || (argument->value ? admits(condition, *argument->value) : !excludes(argument->facts, condition));
  });
}

bool admitted(const PatternCase &one, const Launch &launch) {
  return launch.contradicted || std::ranges::none_of(one.when, [&](const PatternCondition &condition) {
           const ArgumentValue *argument =
               condition.kind == PatternCondition::Kind::Argument ? argument_of(launch, condition) : nullptr;
           return (condition.kind == PatternCondition::Kind::Shape && !(condition.shapes & launch.block_shapes)) ||
                  (argument && excludes(argument->facts, condition));
         });
}

bool all_admitted_known(const Pattern &pattern, const Launch &launch) {
  std::uint8_t known = 0;
  for (const PatternCase &one : pattern.cases)
    known |= shapes_of(one);
  return !(launch.block_shapes & kAllShapes & ~known);
}

} // namespace smem
