#include "report/claim.h"

#include <algorithm>
#include <bit>

#include "report/claim_certain.h"
#include "report/pattern_cases.h"

namespace smem {
namespace {

/// A finding names the blocks that nearly all launches have where it holds for these; the pattern names all.
std::string shape_words(std::uint8_t shapes) {
  constexpr std::uint8_t kUsual =
      1U << static_cast<unsigned>(BlockShape::WholeWarps) | 1U << static_cast<unsigned>(BlockShape::Line);
  PatternCondition condition;
  condition.kind = PatternCondition::Kind::Shape;
  condition.shapes = (shapes & kUsual) == kUsual ? kUsual : shapes;
  return to_string(std::vector{condition});
}

/// What is known of the arguments that the conditions are about: "n % 8 == 0 and n >= 1".
std::string stated_values(const std::vector<PatternCondition> &conditions, const Launch &launch) {
  std::string text;
  std::vector<const ArgumentValue *> named;
  for (const PatternCondition &condition : conditions) {
    const ArgumentValue *argument = argument_of(launch, condition);
    if (!argument || condition.divisor != 1 || std::ranges::find(named, argument) != named.end())
      continue;
    named.push_back(argument);
    const std::string one = argument->value && argument->provenance != Provenance::Assumed
                                ? condition.name + " == " + std::to_string(*argument->value)
                                : facts_text(argument->facts, condition.name);
    if (!one.empty())
      text += (text.empty() ? "" : " and ") + one;
  }
  return text;
}

/// Of which requests it is, where others have a bound only.
std::string lanes_words(const PatternCase &one) {
  for (const PatternCondition &condition : one.when)
    if (condition.kind == PatternCondition::Kind::Lanes && ~condition.lanes != 0)
      return "in requests of all " + std::to_string(std::popcount(condition.lanes)) + " lanes that may be active";
  return "in warps whose lanes are all active";
}

} // namespace

std::string words_of(const Certain &certain, const Launch &launch, bool assumed) {
  constexpr std::size_t kLongest = 100;
  const bool all = certain.shapes == kAllShapes && !certain.by_values && !certain.all_lanes;
  if (!assumed) {
    const bool rare = !(certain.shapes >> static_cast<unsigned>(BlockShape::WholeWarps) & 1) && certain.shapes != 0;
    return all ? "in all launches" : rare ? "when " + shape_words(certain.shapes) : std::string();
  }
  std::string words;
  if (certain.by_values) {
    std::string values = certain.one_case ? to_string(certain.conditions) : std::string();
    if (values.empty() || values.size() > kLongest)
      values = stated_values(certain.conditions, launch);
    words = values.empty() || values.size() > kLongest ? "in all launches with the values that are stated"
                                                       : "when " + values;
  } else if (!(shapes_of(launch) & kAllShapes & ~certain.shapes) || launch.block_known || certain.shapes == 0)
    words = all_launches(launch, certain.shapes != kAllShapes);
  else
    words = "when " + shape_words(certain.shapes);
  if (certain.all_lanes)
    words = lanes_words(certain.least) + ", " + words;
  return words;
}

std::string if_assumed(const Claim &claim) {
  std::string values;
  for (const std::string &value : claim.rests_on)
    values += (values.empty() ? "" : ", ") + value;
  if (!claim.assumed_headers.empty())
    return " if " + claim.assumed_headers + (values.empty() ? "" : ", and " + values + ", as assumed");
  return values.empty() ? ", in a launch that is assumed"
                        : " if " + values + ", which " + (claim.rests_on.size() == 1 ? "is" : "are") + " assumed";
}

std::string how_to_state(const Claim &claim, const std::string &kernel) {
  std::string words;
  for (const std::string &name : claim.to_state)
    words += (words.empty() ? "" : " ") + name + "=<value>";
  if (claim.of_template)
    return "name its template arguments: --launch '" + kernel.substr(0, kernel.find('<')) + "<...>:" + words + "'";
  return words.empty() ? "" : "state it: --launch '" + kernel + ":" + words + "'";
}

} // namespace smem
