#include "report/problem_findings.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "report/format.h"
#include "report/launch_finding.h"

namespace smem {
namespace {

std::string_view rule_of(Problem::Kind kind) {
  switch (kind) {
  case Problem::Kind::OutOfBounds: return rule::out_of_bounds;
  case Problem::Kind::Misaligned: return rule::misaligned;
  case Problem::Kind::DivisionByZero: return rule::division_by_zero;
  case Problem::Kind::DivergentBarrier: return rule::barrier_divergence;
  case Problem::Kind::SharedCapacity: return rule::capacity;
  case Problem::Kind::LaunchLimit: return rule::launch_limit;
  case Problem::Kind::Budget: return rule::analysis_budget;
  case Problem::Kind::UnboundedLoop: return rule::unbounded_loop;
  }
  return rule::analysis_budget;
}

/// The text without its numbers: what the findings of two launches of one kernel have in common.
std::string without_numbers(std::string_view message) {
  std::string out;
  for (const char c : message)
    if (c < '0' || c > '9')
      out += c;
  return out;
}

} // namespace

std::optional<Finding> problem_finding(const FileAnalysis &file, std::size_t file_index, std::size_t launch,
                                       const Problem &problem, std::span<const SiteRow> rows,
                                       const AccessNames &names) {
  const LaunchAnalysis &analysis = file.launches[launch];
  const Program &program = file.programs[analysis.program];
  Finding finding = launch_finding(rule_of(problem.kind), file, file_index, launch);
  const Launch &configuration = analysis.launch;
  finding.location = problem.location;
  if (!finding.location.known() && problem.site && *problem.site < program.sites.size())
    finding.location = program.sites[*problem.site].location;
  if (!finding.location.known())
    finding.location = configuration.location.known() ? configuration.location : program.location;
  finding.site = problem.site;
  finding.message = problem.message;
  finding.subject = without_numbers(problem.message);
  const std::string kernel = short_kernel(program.kernel, 60), block = " block=" + to_string(configuration.block);
  finding.cost = problem.holds == Problem::Holds::Launch
                     ? "in " + kernel + " launched with grid=" + to_string(configuration.grid) + block
                     : "in all launches of " + kernel + " with" + block +
                           (problem.holds == Problem::Holds::WhereItRuns ? " that come here" : "");
  finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
  for (const SiteRow &row : rows)
    if (finding.site && std::find(row.ids.begin(), row.ids.end(), *finding.site) != row.ids.end()) {
      finding.occurrences = {names.occurrence(row)};
      finding.occurrences[0].metrics = {}; // what is wrong is not a matter of degree
    }
  // A defect that only an assumed launch has may be the assumption's fault. Limits concern what is assumed only if they are about it.
  const bool stated =
      (problem.kind == Problem::Kind::LaunchLimit && configuration.grid_known && configuration.block_known) ||
      (problem.kind == Problem::Kind::SharedCapacity && configuration.dynamic_known);
  const bool in_all = problem.holds != Problem::Holds::Launch;
  const bool assumed = file.doubts_headers || (!configuration.assumptions.empty() && !stated && !in_all);
  if (in_all)
    finding.reach = Reach::OpenValues;
  if (problem.holds == Problem::Holds::WhereItRuns)
    finding.severity = Diagnostic::Severity::Warning;
  if (assumed || !configuration.reached) {
    // Of a launch of its own making, or that host code does not come to, the tool does not report that it leaves an array, has too much of something, or does not end.
    if (problem.kind == Problem::Kind::OutOfBounds || problem.kind == Problem::Kind::Misaligned ||
        problem.kind == Problem::Kind::DivisionByZero || problem.kind == Problem::Kind::SharedCapacity ||
        problem.kind == Problem::Kind::LaunchLimit || problem.kind == Problem::Kind::UnboundedLoop)
      return std::nullopt;
    finding.reach = Reach::Assumed;
    finding.severity = Diagnostic::Severity::Note;
    finding.verdict = Verdict::Assumed;
    finding.cost += ", which is assumed";
  }
  return finding;
}

} // namespace smem
