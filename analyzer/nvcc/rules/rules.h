// What the model knows of nvcc in numbers: every threshold, with its evidence, one table for each release.
#pragma once

#include <span>
#include <string_view>

namespace smem {

/// nvcc's halves: cicc makes PTX of the source, ptxas makes machine code of PTX.
enum class Half { Cicc, Ptxas };

/// What a release has for a rule.
struct CompilerRule {
  unsigned value = 0;
  std::string_view
      evidence; ///< what was compiled or measured to find it; a section of validate/RULES.md has the whole of it
  std::string_view section; ///< that section's first words
  std::string_view test;    ///< of tests/lit/, one that fails with another value; empty: none does yet
  constexpr operator unsigned() const { return value; }
  constexpr bool operator==(const CompilerRule &) const = default;
};

/// The rules of one release of nvcc, a constant. Another one has a file with the rows that differ (CONTRIBUTING.md); no algorithm asks which it is.
struct CompilerRules {
  std::string_view release; ///< "13.0"
#define SMEM_RULE(half, name, unit, what) CompilerRule name;
#include "nvcc/rules/rules.def"
#undef SMEM_RULE
};

/// What a rule is, whatever its value.
struct RuleDescription {
  Half half;
  std::string_view name, unit, what;
  CompilerRule CompilerRules::*rule;
};
/// All rules, in the order of rules.def.
std::span<const RuleDescription> rule_descriptions();
/// The description of a rule by its name; null if there is none.
const RuleDescription *find_compiler_rule(std::string_view name);

/// The releases that there are tables of, oldest first.
std::span<const CompilerRules *const> rule_tables();
/// The table for a toolkit ("13.0", "12.4.1"; empty: not known): that of the release, or else the newest one.
const CompilerRules &rules_for(std::string_view toolkit = {});
/// Whether there is a table for that toolkit's own release.
bool has_rules_of(std::string_view toolkit);

} // namespace smem
