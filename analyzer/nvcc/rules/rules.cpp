#include "nvcc/rules/rules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "nvcc/rules/tables.h"

namespace smem {
namespace {

constexpr RuleDescription kDescriptions[] = {
#define SMEM_RULE(half, name, unit, what) {Half::half, #name, unit, what, &CompilerRules::name},
#include "nvcc/rules/rules.def"
#undef SMEM_RULE
};

constexpr std::array kTables{&kNvcc130}; // oldest first

const CompilerRules *table_of(std::string_view toolkit) {
  const auto is_of = [&](const CompilerRules *table) {
    return toolkit == table->release || toolkit.starts_with(std::string(table->release) + ".");
  };
  const auto found = std::ranges::find_if(kTables, is_of);
  return found == kTables.end() ? nullptr : *found;
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
  return table ? *table : *kTables.back();
}

bool has_rules_of(std::string_view toolkit) { return table_of(toolkit); }

} // namespace smem
