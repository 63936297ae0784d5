#include "fixes/cases.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace smem {
namespace {

constexpr std::size_t kLongestCondition = 120, kMostCases = 6;

std::string equals(const TemplateArgument &argument) {
  const std::string name = argument.type ? "sizeof(" + argument.name + ")" : argument.name;
  if (argument.value == "true")
    return name;
  if (argument.value == "false")
    return "!" + name;
  return name + " == " + argument.value;
}

/// Arguments, and the power of two in each integer: that is what decides which banks a stride reaches.
std::vector<TemplateArgument> properties(const Variant &variant) {
  std::vector<TemplateArgument> all = variant.arguments;
  for (const TemplateArgument &argument : variant.arguments) {
    if (argument.type || argument.value.empty() ||
        !std::all_of(argument.value.begin(), argument.value.end(), [](unsigned char c) { return std::isdigit(c); }) ||
        argument.value.size() > 9)
      continue;
    const long value = std::stol(argument.value);
    all.push_back({"(" + argument.name + " & -" + argument.name + ")", std::to_string(value & -value), false});
  }
  return all;
}

/// Variants with equal values of the properties in `used`.
struct Class {
  std::string condition;
  std::vector<std::size_t> members;
  std::vector<Layout> layouts; ///< that suit all of them
};

std::vector<Class> classes_of(const std::vector<Variant> &variants,
                              const std::vector<std::vector<TemplateArgument>> &properties,
                              const std::vector<std::size_t> &used) {
  std::vector<Class> classes;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    std::string condition;
    for (const std::size_t p : used)
      condition += (condition.empty() ? "" : " && ") + equals(properties[v][p]);
    auto same =
        std::find_if(classes.begin(), classes.end(), [&](const Class &each) { return each.condition == condition; });
    if (same == classes.end())
      classes.push_back({condition, {v}, variants[v].layouts});
    else {
      same->members.push_back(v);
      std::erase_if(same->layouts, [&](const Layout &layout) {
        return std::find(variants[v].layouts.begin(), variants[v].layouts.end(), layout) == variants[v].layouts.end();
      });
    }
  }
  return classes;
}

/// A layout for each class, few different ones: again and again that which suits most of the classes still open.
std::vector<Layout> choose(const std::vector<Class> &classes) {
  std::vector<Layout> chosen(classes.size());
  std::vector<std::size_t> open(classes.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  while (!open.empty()) {
    std::map<Layout, std::pair<std::size_t, std::size_t>> votes; // how many, and how far from the front
    for (const std::size_t c : open)
      for (std::size_t i = 0; i < classes[c].layouts.size(); ++i) {
        auto &[count, rank] = votes[classes[c].layouts[i]];
        ++count;
        rank += i;
      }
    const auto best = std::max_element(votes.begin(), votes.end(), [](const auto &a, const auto &b) {
      return std::pair{a.second.first, b.second.second} < std::pair{b.second.first, a.second.second};
    });
    std::erase_if(open, [&](std::size_t c) {
      const bool suits =
          std::find(classes[c].layouts.begin(), classes[c].layouts.end(), best->first) != classes[c].layouts.end();
      if (suits)
        chosen[c] = best->first;
      return suits;
    });
  }
  return chosen;
}

/// The cases of a choice; empty if a condition would be too long to read.
LayoutCases cases_of(const std::vector<Class> &classes, const std::vector<Layout> &chosen) {
  std::map<Layout, std::vector<std::string>> conditions;
  for (std::size_t c = 0; c < classes.size(); ++c)
    conditions[chosen[c]].push_back(classes[c].condition);
  const auto rest = std::max_element(conditions.begin(), conditions.end(),
                                     [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
  LayoutCases result;
  std::vector<LayoutCase> &cases = result.cases;
  for (const auto &[layout, alternatives] : conditions) {
    if (layout == rest->first)
      continue;
    std::string condition;
    for (const std::string &each : alternatives)
      condition += (condition.empty() ? "" : " || ") +
                   (alternatives.size() > 1 && each.find("&&") != std::string::npos ? "(" + each + ")" : each);
    if (alternatives.size() > 1 || condition.find("&&") != std::string::npos)
      condition = "(" + condition + ")";
    if (condition.size() > kLongestCondition)
      return {};
    cases.push_back({condition, layout});
  }
  if (cases.size() >= kMostCases)
    return {};
  cases.push_back({{}, rest->first});
  return result;
}

} // namespace

LayoutCases distinguish(const std::vector<Variant> &variants, std::vector<Layout> &chosen) {
  std::vector<std::vector<TemplateArgument>> all;
  for (const Variant &variant : variants)
    all.push_back(properties(variant));
  const std::size_t count = all.empty() ? 0 : all.front().size();
  if (std::any_of(all.begin(), all.end(), [&](const auto &each) { return each.size() != count; }))
    return {};
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t i = 0; i < count; ++i) {
    sets.push_back({i});
    for (std::size_t j = i + 1; j < count; ++j)
      sets.push_back({i, j});
  }
  LayoutCases best;
  std::size_t shortest = std::string::npos;
  for (const std::vector<std::size_t> &used : sets) {
    const std::vector<Class> classes = classes_of(variants, all, used);
    if (std::any_of(classes.begin(), classes.end(), [](const Class &each) { return each.layouts.empty(); }))
      continue;
    const std::vector<Layout> layouts = choose(classes);
    LayoutCases cases = cases_of(classes, layouts);
    std::size_t length = 0;
    for (const LayoutCase &each : cases.cases)
      length += 1 + each.condition.size();
    if (cases.cases.empty() || length >= shortest)
      continue;
    shortest = length;
    best = std::move(cases);
    chosen.assign(variants.size(), {});
    for (std::size_t c = 0; c < classes.size(); ++c)
      for (const std::size_t v : classes[c].members)
        chosen[v] = layouts[c];
  }
  return best;
}

} // namespace smem
