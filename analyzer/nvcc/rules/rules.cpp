#include "nvcc/rules/rules.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "nvcc/rules/nvcc_13_0.h"

namespace smem {
namespace {

constexpr RuleDescription kDescriptions[] = {
#define SMEM_RULE(half, name, unit, what) {Half::half, #name, unit, what, &CompilerRules::name},
#include "nvcc/rules/rules.def"
#undef SMEM_RULE
};

constexpr const CompilerRules *kTables[] = {&kNvcc130}; // oldest first

/// "13.0" as 13000.
constexpr unsigned number_of(std::string_view release) {
  unsigned parts[2] = {}, part = 0;
  for (const char c : release)
    c == '.' ? part = 1 : parts[part] = parts[part] * 10 + static_cast<unsigned>(c - '0');
  return parts[0] * 1000 + parts[1];
}

consteval bool in_order() {
  for (std::size_t i = 1; i < std::size(kTables); ++i)
    if (number_of(kTables[i - 1]->release) >= number_of(kTables[i]->release))
      return false;
  return true;
}
static_assert(in_order(), "releases are listed once, the oldest first");

consteval bool complete() {
  for (const CompilerRules *table : kTables)
    for (const RuleDescription &one : kDescriptions)
      if (const CompilerRule &rule = table->*one.rule; !rule.value || rule.evidence.empty() || rule.section.empty())
        return false;
  return true;
}
static_assert(complete(), "every table has a value, its evidence and its section of RULES.md for every rule");

const CompilerRules *table_of(std::string_view toolkit) {
  const auto is_of = [&](const CompilerRules *table) {
    return toolkit == table->release || toolkit.starts_with(std::string(table->release) + ".");
  };
  const auto found = std::ranges::find_if(kTables, is_of);
  return found == std::end(kTables) ? nullptr : *found;
}

} // namespace

std::span<const RuleDescription> rule_descriptions() { return kDescriptions; }

const RuleDescription *find_compiler_rule(std::string_view name) {
  const auto found = std::ranges::find(kDescriptions, name, &RuleDescription::name);
  return found == std::end(kDescriptions) ? nullptr : found;
}

std::span<const CompilerRules *const> rule_tables() { return kTables; }

const CompilerRules &rules_for(std::string_view toolkit) {
  const CompilerRules *table = table_of(toolkit);
  return table ? *table : **std::rbegin(kTables);
}

bool has_rules_of(std::string_view toolkit) { return table_of(toolkit); }

} // namespace smem
