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

/// With bounds that so many lanes do not exceed as the blocks have threads: each adds one wavefront, or one sector, at most.
std::vector<PatternCase> within(std::vector<PatternCase> cases, const SiteRow &row, const Launch &launch) {
  const Access &access = row.site->access;
  const bool by_lanes = (access.operation == Operation::Load || access.operation == Operation::Store ||
                         access.operation == Operation::Atomic) &&
                        access.width_bits <= 128;
  const auto lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(most_threads(launch), kWarpSize));
  for (PatternCase &one : cases)
    if (one.at_most && by_lanes) {
      one.wavefronts = std::min(one.wavefronts, lanes);
      one.conflict_degree = std::min(one.conflict_degree, lanes);
      one.sectors = std::min(one.sectors, lanes);
    }
  return cases;
}

/// What the case says beside the block's shape.
std::vector<PatternCondition> without_shape(const PatternCase &one) {
  std::vector<PatternCondition> rest = one.when;
  std::erase_if(rest, [](const PatternCondition &c) { return c.kind == PatternCondition::Kind::Shape; });
  return rest;
}

std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> cost_of(const PatternCase *one) {
  return {one->conflict_degree, one->wavefronts, one->sectors};
}

bool is_bound(const std::string &words) { return words.find("at most") != std::string::npos; }

/// "conflict-free to 32-way", "4 to 32 sectors": of exact figures of one kind, the cheapest first; else empty.
std::string range_words(const std::vector<const PatternCase *> &ascending, const SiteRow &row) {
  const PatternCase &least = *ascending.front(), &most = *ascending.back();
  if (row.moves_shared && row.moves_global)
    return {};
  if (row.moves_global)
    return std::to_string(least.sectors) + " to " + plural(most.sectors, "sector");
  if (row.site->access.operation == Operation::Atomic)
    return std::to_string(least.wavefronts) + " to " + plural(most.wavefronts, "wavefront");
  const bool degrees = std::ranges::all_of(ascending, [](const PatternCase *one) {
    return one->conflict_degree > 1 || one->wavefronts <= one->ideal_wavefronts;
  });
  if (!degrees)
    return {};
  return (least.conflict_degree > 1 ? std::to_string(least.conflict_degree) + "-" : "conflict-free") + " to " +
         std::to_string(most.conflict_degree) + "-way";
}

/// Of either of these: what they have in common, "32-way or conflict-free" if there are two, or no more than the largest figures. `ranges`: figures that are
/// exact have a least one, too.
std::string words_of_any(std::vector<const PatternCase *> of, const SiteRow &row, bool ranges) {
  std::ranges::stable_sort(of, {}, cost_of);
  PatternCase most = *of[0];
  std::vector<std::string> different;
  bool exact = true;
  for (const PatternCase *one : of) {
    exact &= !one->at_most;
    if (std::string words = case_words(*one, row); std::ranges::find(different, words) == different.end())
      different.push_back(std::move(words));
    most.wavefronts = std::max(most.wavefronts, one->wavefronts);
    most.ideal_wavefronts = std::max(most.ideal_wavefronts, one->ideal_wavefronts);
    most.conflict_degree = std::max(most.conflict_degree, one->conflict_degree);
    most.sectors = std::max(most.sectors, one->sectors);
    most.ideal_sectors = std::max(most.ideal_sectors, one->ideal_sectors);
  }
  if (different.size() == 1)
    return different[0];
  if (ranges && exact && different.size() == 2)
    return different[1] + " or " + different[0];
  if (std::string range = ranges && exact ? range_words(of, row) : std::string(); !range.empty())
    return range;
  most.at_most = true;
  return case_words(most, row);
}

/// On something that has no name, or on nothing that is put into words.
bool is_nameless(const PatternCondition &condition) {
  using Kind = PatternCondition::Kind;
  return is_joint(condition) ||
         ((condition.kind == Kind::Argument || condition.kind == Kind::Quantity) && condition.name.empty());
}

/// What the cases turn on: "n and m"; empty where that is too much.
std::string subject_words(const std::vector<const PatternCase *> &cases) {
  constexpr std::size_t kMostNames = 3;
  std::vector<std::string> names;
  bool nameless = false;
  for (const PatternCase *one : cases)
    for (const PatternCondition &c : one->when) {
      nameless |= is_nameless(c) && !is_joint(c);
      if (!c.name.empty() && !is_joint(c) && std::ranges::find(names, c.name) == names.end())
        names.push_back(c.name);
    }
  if (nameless)
    names.push_back("a condition");
  std::string about;
  for (std::size_t i = 0; i < names.size() && names.size() <= kMostNames; ++i)
    about += (i ? (i + 1 == names.size() ? " and " : ", ") : "") + names[i];
  return about;
}

/// Bit BlockShape: the one that is spoken of. Of a block that is not known, rows of whole warps, as nearly all blocks have them, or else the assumed one.
std::uint8_t leading_shape(const std::vector<const PatternCase *> &cases, const Launch &launch) {
  const auto bit = [](BlockShape shape) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(shape)); };
  std::vector<std::uint8_t> shapes{bit(BlockShape::WholeWarps),
                                   bit(shape_of(launch.block.x, launch.block.y, launch.block.z))};
  for (unsigned shape = 1; shape < kBlockShapes; ++shape)
    shapes.push_back(static_cast<std::uint8_t>(1U << shape));
  const auto known = std::ranges::find_if(shapes, [&](std::uint8_t shape) {
    return shapes_of(launch) & shape &&
           std::ranges::any_of(cases, [&](const PatternCase *one) { return shapes_of(*one) & shape; });
  });
  return known == shapes.end() ? 0 : *known;
}

/// "depends on n: 32-way when n % 32 == 0, 16-way when n % 32 == 16, else at most 8-way": worst first, of blocks of one shape; of others there is a
/// bound, or nothing if they are not covered.
std::string dependence_words(const std::vector<const PatternCase *> &cases, const SiteRow &row, const Launch &launch,
                             bool covered) {
  constexpr std::size_t kMostNamed = 3, kMostConditions = 2, kLongestCondition = 90;
  const std::uint8_t leading = leading_shape(cases, launch);
  std::uint8_t spoken_of = kAllShapes; // shapes of which all is said
  for (const PatternCase *one : cases)
    if (shapes_of(*one) & leading)
      spoken_of &= shapes_of(*one);
  std::vector<std::pair<std::string, std::vector<const PatternCase *>>> groups;
  std::vector<const PatternCase *> own, rest, elsewhere;
  for (const PatternCase *one : cases) {
    if (shapes_of(*one) & ~spoken_of)
      elsewhere.push_back(one);
    if (!(shapes_of(*one) & leading))
      continue;
    own.push_back(one);
    const std::string words = case_words(*one, row);
    if (is_bound(words)) {
      rest.push_back(one);
      continue;
    }
    const auto known = std::ranges::find_if(groups, [&](const auto &group) { return group.first == words; });
    (known == groups.end() ? groups.emplace_back(words, std::vector<const PatternCase *>()) : *known)
        .second.push_back(one);
  }
  if (own.empty())
    return {};
  std::ranges::stable_sort(groups,
                           [&](const auto &a, const auto &b) { return cost_of(a.second[0]) > cost_of(b.second[0]); });
  std::string text;
  std::size_t named = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto &[words, own_cases] = groups[g];
    std::vector<std::string> conditions;
    bool nameable = named < kMostNamed;
    for (const PatternCase *one : own_cases) {
      const std::vector<PatternCondition> when = without_shape(*one);
      nameable &= std::ranges::none_of(when, is_nameless);
      std::string condition = to_string(when);
      nameable &= !condition.empty();
      if (std::ranges::find(conditions, condition) == conditions.end())
        conditions.push_back(std::move(condition));
    }
    std::string when;
    for (const std::string &condition : conditions)
      when += (when.empty() ? "" : " or ") + condition;
    // The last one is what is left.
    const bool last = g + 1 == groups.size() && rest.empty();
    if (last || !nameable || conditions.size() > kMostConditions || when.size() > kLongestCondition) {
      rest.insert(rest.end(), own_cases.begin(), own_cases.end());
      continue;
    }
    text += (text.empty() ? "" : ", ") + words + " when " + when;
    ++named;
  }
  if (!rest.empty()) {
    const std::string words = words_of_any(rest, row, text.empty());
    // Where it depends on nothing else, each of these is the cost of some copy.
    const bool of_copies = text.empty() && !is_bound(words) && std::ranges::all_of(rest, [](const PatternCase *one) {
                             const std::vector<PatternCondition> when = without_shape(*one);
                             return when.size() == 1 && is_of_some_copies(when[0]);
                           });
    text += (text.empty() ? "" : ", else ") + words + (of_copies ? " in different copies of the access" : "");
  }
  const std::string others = covered && !elsewhere.empty() ? words_of_any(elsewhere, row, false) : std::string();
  if (text == others)
    return text;
  const bool alike = std::ranges::all_of(
      own, [&](const PatternCase *one) { return case_words(*one, row) == case_words(*own[0], row); });
  const std::string about = alike ? std::string() : subject_words(own);
  text = (about.empty() ? "" : "depends on " + about + ": ") + text;
  if (elsewhere.empty() && covered)
    return text;
  PatternCondition shape;
  shape.kind = PatternCondition::Kind::Shape;
  shape.shapes = spoken_of;
  text = "when " + to_string(std::vector{shape}) + ", " + text;
  return others.empty() ? text : text + "; in other blocks " + others;
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
      if (condition.plus != 0)
        name.resize(std::min(name.size(), name.rfind(condition.plus < 0 ? " - " : " + ")));
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
  const std::vector<PatternCase> cases_of_launch = within(pattern.cases, row, launch);
  std::vector<std::pair<std::string, std::vector<const PatternCase *>>> groups;
  bool narrowed = false, by_values = false;
  for (const PatternCase &one : cases_of_launch) {
    if (!possible(one, launch)) {
      narrowed = true;
      by_values |= excluded_by_values(one, launch);
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
      when += (when.empty() ? "" : " or ") + to_string(beyond_block(cases[k]->when, launch));
    const bool nameless =
        std::ranges::any_of(cases, [](const PatternCase *one) { return std::ranges::any_of(one->when, is_nameless); });
    const bool too_much = nameless || cases.size() > kMostConditions || when.size() > kLongestCondition || when.empty();
    if (too_much || groups.size() > kMostGroups) {
      std::vector<const PatternCase *> all;
      for (const PatternCase &one : cases_of_launch)
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
