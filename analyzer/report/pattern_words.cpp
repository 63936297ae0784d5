#include "report/claim.h"

#include "report/format.h"
#include "report/pattern_cases.h"
#include "plan/kernel_facts.h"

#include <algorithm>
#include <tuple>

namespace smem {

std::string case_words(const PatternCase &one, const SiteRow &row) {
  const std::string bound = one.at_most ? "at most " : "";
  std::string text;
  if (row.moves_shared) {
    const bool atomic = row.site->access.operation == Operation::Atomic;
    if (one.at_most ? one.conflict_degree <= 1 && !atomic : one.wavefronts <= one.ideal_wavefronts)
      text = "conflict-free";
    else if (one.conflict_degree > 1 && !atomic)
      text = bound + std::to_string(one.conflict_degree) + "-way";
    else
      text = bound + plural(one.wavefronts, "wavefront") +
             (one.at_most ? "" : " instead of " + std::to_string(one.ideal_wavefronts));
  }
  if (row.moves_global) {
    const bool ideal = !one.at_most && one.sectors <= one.ideal_sectors;
    text += (text.empty() ? "" : ", ") +
            (ideal ? std::string("coalesced")
                   : bound + plural(one.sectors, "sector") +
                         (one.at_most || ideal ? "" : " instead of " + std::to_string(one.ideal_sectors)));
  }
  return text;
}

namespace {

/// Without a condition on the block's shape that all blocks of which this is known satisfy.
std::vector<PatternCondition> beyond(const Launch &launch, std::vector<PatternCondition> when) {
  std::erase_if(when, [&](const PatternCondition &c) {
    return c.kind == PatternCondition::Kind::Shape && !(shapes_of(launch) & kAllShapes & ~c.shapes);
  });
  return when;
}

/// What the case says beside the block's shape.
std::vector<PatternCondition> without_shape(const PatternCase &one) {
  std::vector<PatternCondition> rest = one.when;
  std::erase_if(rest, [](const PatternCondition &c) { return c.kind == PatternCondition::Kind::Shape; });
  return rest;
}

/// "depends on n: 32-way when n % 32 == 0, 16-way when n % 32 == 16, else at most 8-way": worst first, of blocks of the launch's own shape; of
/// others there is a bound.
std::string dependence_words(const std::vector<const PatternCase *> &cases, const SiteRow &row, const Launch &launch,
                             bool covered) {
  constexpr std::size_t kMostNamed = 3, kMostConditions = 2, kLongestCondition = 90, kMostNames = 3;
  const auto own =
      static_cast<std::uint8_t>(1U << static_cast<unsigned>(shape_of(launch.block.x, launch.block.y, launch.block.z)));
  std::uint8_t spoken_of = kAllShapes; // shapes of which all is said
  for (const PatternCase *one : cases)
    if (shapes_of(*one) & own)
      spoken_of &= shapes_of(*one);
  const auto of_others = [&](const PatternCase *one) { return (shapes_of(*one) & ~spoken_of) != 0; };
  const bool others = std::ranges::any_of(cases, of_others);
  const auto cost = [](const PatternCase *one) {
    return std::tuple(one->conflict_degree, one->wavefronts, one->sectors);
  };
  std::vector<std::pair<std::string, std::vector<const PatternCase *>>> groups;
  std::vector<const PatternCase *> rest, elsewhere;
  std::vector<std::string> names;
  for (const PatternCase *one : cases) {
    if (of_others(one))
      elsewhere.push_back(one);
    if (!(shapes_of(*one) & own))
      continue;
    for (const PatternCondition &c : one->when)
      if (!c.name.empty() && std::ranges::find(names, c.name) == names.end())
        names.push_back(c.name);
    if (one->at_most) {
      rest.push_back(one);
      continue;
    }
    const std::string words = case_words(*one, row);
    const auto known = std::ranges::find_if(groups, [&](const auto &group) { return group.first == words; });
    (known == groups.end() ? groups.emplace_back(words, std::vector<const PatternCase *>()) : *known)
        .second.push_back(one);
  }
  std::ranges::stable_sort(groups, [&](const auto &a, const auto &b) { return cost(a.second[0]) > cost(b.second[0]); });
  std::string text;
  std::size_t named = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto &[words, own_cases] = groups[g];
    std::vector<std::string> conditions;
    bool nameable = named < kMostNamed;
    for (const PatternCase *one : own_cases) {
      const std::vector<PatternCondition> when = without_shape(*one);
      nameable &= std::ranges::none_of(when, is_joint);
      std::string condition = to_string(when);
      nameable &= !condition.empty();
      if (std::ranges::find(conditions, condition) == conditions.end())
        conditions.push_back(std::move(condition));
    }
    std::string when;
    for (const std::string &condition : conditions)
      when += (when.empty() ? "" : " or ") + condition;
    // The last one is what is left.
    const bool last = g + 1 == groups.size() && rest.empty() && covered;
    if (last || !nameable || conditions.size() > kMostConditions || when.size() > kLongestCondition) {
      rest.insert(rest.end(), own_cases.begin(), own_cases.end());
      continue;
    }
    text += (text.empty() ? "" : ", ") + words + " when " + when;
    ++named;
  }
  const auto all_words = [&](const std::vector<const PatternCase *> &of) {
    PatternCase most = *of[0];
    bool same = true;
    for (const PatternCase *one : of) {
      same &= case_words(*one, row) == case_words(*of[0], row);
      most.wavefronts = std::max(most.wavefronts, one->wavefronts);
      most.ideal_wavefronts = std::max(most.ideal_wavefronts, one->ideal_wavefronts);
      most.conflict_degree = std::max(most.conflict_degree, one->conflict_degree);
      most.sectors = std::max(most.sectors, one->sectors);
      most.ideal_sectors = std::max(most.ideal_sectors, one->ideal_sectors);
    }
    most.at_most |= !same;
    return case_words(most, row);
  };
  if (!rest.empty() && covered)
    text += (text.empty() ? "" : ", else ") + all_words(rest);
  if (text.empty())
    return {};
  std::string about;
  for (std::size_t i = 0; i < names.size() && names.size() <= kMostNames; ++i)
    about += (i ? (i + 1 == names.size() ? " and " : ", ") : "") + names[i];
  text = (about.empty() ? "" : "depends on " + about + ": ") + text;
  if (!others)
    return text;
  PatternCondition shape;
  shape.kind = PatternCondition::Kind::Shape;
  shape.shapes = spoken_of;
  std::string where = to_string(std::vector{shape}); // the launch's own block is one
  if (where.starts_with('(') && where.ends_with(')'))
    where = where.substr(1, where.size() - 2);
  text = "when " + where + ", " + text;
  return covered ? text + "; in other blocks " + all_words(elsewhere) : text;
}

/// "n % 32 == 0 (host.cu:12)": the facts that exclude cases; empty where known values do.
std::string facts_words(const Pattern &pattern, const Launch &launch) {
  std::string words;
  for (const PatternCase &one : pattern.cases)
    for (const PatternCondition &condition : one.when) {
      if (condition.kind != PatternCondition::Kind::Argument)
        continue;
      const ArgumentValue *argument = argument_of(launch, condition);
      if (!argument || (argument->value && argument->provenance != Provenance::Assumed)) {
        if (argument && !admits(condition, *argument->value))
          return {};
        continue;
      }
      if (!excludes(argument->facts, condition))
        continue;
      std::string name = condition.name;
      if (condition.divisor != 1)
        name.resize(std::min(name.size(), name.rfind(" / ")));
      const std::string fact = said_by_code(*argument, name);
      if (words.find(fact) == std::string::npos)
        words += (words.empty() ? "" : " and ") + fact;
    }
  return words;
}

} // namespace

std::string pattern_words(const SiteRow &row, const Launch &launch) {
  if (!row.pattern || !row.pattern->reached)
    return {};
  const Pattern &pattern = *row.pattern;
  if (pattern.verdict == PatternVerdict::Data)
    return "depends on loaded data";
  if (pattern.verdict == PatternVerdict::Unknown)
    return {};
  constexpr std::size_t kMostConditions = 2, kLongestCondition = 90, kMostGroups = 2;
  std::vector<std::pair<std::string, std::vector<const PatternCase *>>> groups;
  bool narrowed = false, by_values = false;
  for (const PatternCase &one : pattern.cases) {
    if (!possible(one, launch)) {
      narrowed = true;
      by_values |= has(one, PatternCondition::Kind::Argument);
      continue;
    }
    const std::string words = case_words(one, row);
    const auto known =
        std::find_if(groups.begin(), groups.end(), [&](const auto &group) { return group.first == words; });
    (known == groups.end() ? groups.emplace_back(words, std::vector<const PatternCase *>()) : *known)
        .second.push_back(&one);
  }
  if (groups.empty())
    return {};
  const bool covered = covers(pattern, launch);
  if (groups.size() == 1 && covered) {
    const std::string facts = by_values ? facts_words(pattern, launch) : std::string();
    return groups[0].first + " " +
           (!facts.empty() ? "in all launches with " + facts
            : by_values    ? "in all launches with these values"
                           : all_launches(launch, narrowed));
  }
  // The group of the most cases is what is left when the others are named; bounds come last.
  const auto rank = [](const auto &group) {
    return std::pair(
        std::all_of(group.second.begin(), group.second.end(), [](const auto *one) { return one->at_most; }),
        group.second.size());
  };
  std::stable_sort(groups.begin(), groups.end(), [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  std::string text;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto &[words, cases] = groups[i];
    text += (text.empty() ? "" : ", ");
    if (i + 1 == groups.size() && covered) {
      text += "else " + words;
      continue;
    }
    std::string when;
    for (std::size_t k = 0; k < cases.size() && k < kMostConditions; ++k)
      when += (when.empty() ? "" : " or ") + to_string(beyond(launch, cases[k]->when));
    const bool too_much = cases.size() > kMostConditions || when.size() > kLongestCondition || when.empty();
    if (too_much || groups.size() > kMostGroups) {
      std::vector<const PatternCase *> all;
      for (const PatternCase &one : pattern.cases)
        if (possible(one, launch))
          all.push_back(&one);
      if (std::string dependence = dependence_words(all, row, launch, covered); !dependence.empty())
        return dependence;
    }
    text += words + (too_much ? " in some cases" : " when " + when);
  }
  return text;
}

} // namespace smem
