// The rules: one table from which `--list-checks`, `--explain` and the documentation are made.
#pragma once

#include "support/diagnostic.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

struct Rule {
  std::string_view id;           ///< stable, kebab-case
  Diagnostic::Severity severity; ///< of a finding that matters; a finding may be milder
  std::string_view title;        ///< one line, no full stop
  std::string_view cause;        ///< paragraphs
  std::string_view picture;      ///< ASCII drawing; may be empty
  std::string_view bad;          ///< CUDA source that the rule fires on; complete, so that a test can analyse it
  std::string_view good;         ///< the same, repaired
  std::string_view limits;       ///< what the model does not see
  bool off_by_default = false;   ///< `--checks` has to name it
};

namespace rule {
inline constexpr std::string_view bank_conflict = "smem-bank-conflict";
inline constexpr std::string_view uncoalesced = "gmem-uncoalesced";
inline constexpr std::string_view narrow_access = "gmem-narrow-access";
inline constexpr std::string_view atomic_serialization = "smem-atomic-serialization";
inline constexpr std::string_view copy_lines = "smem-copy-lines";
inline constexpr std::string_view capacity = "smem-capacity";
inline constexpr std::string_view out_of_bounds = "smem-out-of-bounds";
inline constexpr std::string_view floor_raised = "floor-raised";
inline constexpr std::string_view grid_tail = "grid-tail";
inline constexpr std::string_view low_occupancy = "low-occupancy";
inline constexpr std::string_view redundant_traffic = "gmem-redundant-traffic";
inline constexpr std::string_view race = "smem-race";
inline constexpr std::string_view global_race = "gmem-race";
inline constexpr std::string_view redundant_barrier = "smem-redundant-barrier";
inline constexpr std::string_view uninitialized = "smem-uninitialized";
inline constexpr std::string_view misaligned = "smem-misaligned";
inline constexpr std::string_view launch_unknown = "launch-unknown";
inline constexpr std::string_view launch_limit = "launch-limit";
inline constexpr std::string_view barrier_divergence = "barrier-divergence";
inline constexpr std::string_view division_by_zero = "division-by-zero";
inline constexpr std::string_view unbounded_loop = "unbounded-loop";
inline constexpr std::string_view analysis_budget = "analysis-budget";
inline constexpr std::string_view unused_nolint = "unused-nolint";
inline constexpr std::string_view expectation_broken = "expectation-broken";
inline constexpr std::string_view expectation_stale = "expectation-stale";
} // namespace rule

std::span<const Rule> rules();              ///< sorted by id
const Rule *find_rule(std::string_view id); ///< null if there is none
std::vector<std::string> rule_ids();

/// What it is about, for tools that sort by it: "performance", "correctness", "maintainability" or "analysis" first, then "cuda", "shared-memory", "global-memory".
std::vector<std::string_view> tags_of(const Rule &rule);

std::string_view to_string(Diagnostic::Severity severity); // "note" | "warning" | "error"

/// The text of --explain.
std::string explain_text(const Rule &rule);
std::string explain_markdown(const Rule &rule);

} // namespace smem
