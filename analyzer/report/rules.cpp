#include "report/rules.h"

#include <algorithm>

#include "report/rule_tables.h"

namespace smem {
namespace {

using enum Diagnostic::Severity;

void indent(std::string &out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty())
      out.append("  ").append(line);
    out += '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

void section(std::string &out, std::string_view heading, std::string_view body) {
  if (body.empty())
    return;
  out.append("\n").append(heading).append("\n");
  indent(out, body);
}

} // namespace

std::span<const Rule> rules() {
  static const std::vector<Rule> sorted = [] {
    std::vector<Rule> all;
    for (const std::span<const Rule> table :
         {shared_memory_rules(), global_memory_rules(), order_rules(), launch_rules(), gate_rules()})
      all.insert(all.end(), table.begin(), table.end());
    std::sort(all.begin(), all.end(), [](const Rule &a, const Rule &b) { return a.id < b.id; });
    return all;
  }();
  return sorted;
}

std::vector<std::string_view> tags_of(const Rule &rule) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> ids) {
    return std::find(ids.begin(), ids.end(), rule.id) != ids.end();
  };
  std::vector<std::string_view> tags;
  if (is_one_of({rule::bank_conflict, rule::uncoalesced, rule::narrow_access, rule::atomic_serialization,
                 rule::copy_lines, rule::redundant_barrier, rule::floor_raised, rule::grid_tail, rule::low_occupancy,
                 rule::redundant_traffic}))
    tags.push_back("performance");
  else if (is_one_of({rule::capacity, rule::out_of_bounds, rule::misaligned, rule::launch_limit, rule::race,
                      rule::global_race, rule::uninitialized, rule::barrier_divergence, rule::division_by_zero,
                      rule::unbounded_loop}))
    tags.push_back("correctness");
  else if (is_one_of({rule::unused_nolint, rule::expectation_broken, rule::expectation_stale}))
    tags.push_back("maintainability");
  else
    tags.push_back("analysis");
  tags.push_back("cuda");
  if (rule.id.starts_with("smem-"))
    tags.push_back("shared-memory");
  else if (rule.id.starts_with("gmem-"))
    tags.push_back("global-memory");
  return tags;
}

const Rule *find_rule(std::string_view id) {
  for (const Rule &rule : rules())
    if (rule.id == id)
      return &rule;
  return nullptr;
}

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const Rule &rule : rules())
    ids.emplace_back(rule.id);
  return ids;
}

std::string_view to_string(Diagnostic::Severity severity) {
  switch (severity) {
  case Note: return "note";
  case Warning: return "warning";
  case Error: return "error";
  }
  return "error";
}

std::string explain_text(const Rule &rule) {
  std::string out;
  out.append(rule.id).append(": ").append(rule.title).append(" (").append(to_string(rule.severity)).append(")\n");
  section(out, "Cause", rule.cause);
  section(out, "Picture", rule.picture);
  section(out, "Bad", rule.bad);
  section(out, "Good", rule.good);
  section(out, "Limits", rule.limits);
  return out;
}

std::string explain_markdown(const Rule &rule) {
  std::string out;
  out.append("# ").append(rule.id).append("\n\n");
  out.append(rule.title).append(" · default severity: ").append(to_string(rule.severity)).append("\n\n");
  out.append("## Cause\n\n").append(rule.cause).append("\n");
  if (!rule.picture.empty())
    out.append("\n```text\n").append(rule.picture).append("\n```\n");
  if (!rule.bad.empty())
    out.append("\n## Bad\n\n```cuda\n").append(rule.bad).append("```\n");
  if (!rule.good.empty())
    out.append("\n## Good\n\n```cuda\n").append(rule.good).append("```\n");
  out.append("\n## Limits\n\n").append(rule.limits).append("\n");
  return out;
}

} // namespace smem
