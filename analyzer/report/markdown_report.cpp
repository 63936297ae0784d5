// A comment on a pull request: what got worse first, details folded away.
#include "report/machine_text.h"
#include "report/report.h"

#include "report/format.h"
#include "sinks/escape.h"

namespace smem {
namespace {

std::string place(const Report &report, const SourceLocation &location) {
  return report.repository_path(location.file) + (location.known() ? ":" + std::to_string(location.line) : "");
}

void list(std::string &out, const char *heading, const std::vector<std::string> &items) {
  if (items.empty())
    return;
  out += std::string("\n<details><summary>") + heading + " (" + std::to_string(items.size()) + ")</summary>\n\n";
  for (const std::string &item : items)
    out += "- " + sinks::markdown_code(item) + "\n";
  out += "\n</details>\n";
}

} // namespace

std::string markdown_report(const Report &report) {
  const Tally count = tally(report);
  const std::vector<Finding> findings = one_per_statement(report.findings);
  const std::size_t total = findings.size();
  std::string out = "### smem-lint: " + (total == 0 ? std::string("no findings") : plural(total, "finding")) + "\n";
  if (report.baseline) {
    const BaselineSummary &baseline = *report.baseline;
    out += "\nAgainst the baseline: " + std::to_string(baseline.added) + " new, " + std::to_string(baseline.worse) +
           " worse, " + std::to_string(baseline.better) + " better, " + std::to_string(baseline.gone.size()) +
           " gone, " + std::to_string(baseline.unchanged) + " unchanged.\n";
  }
  for (const Diagnostic &missing : incomplete(report))
    out += "\n**" + std::string(missing.severity == Diagnostic::Severity::Error ? "Not analysed" : "Analysed in part") +
           ":** " +
           (missing.location.file.empty() ? "" : sinks::markdown_code(place(report, missing.location)) + ": ") +
           sinks::markdown(missing.message) + "\n";
  if (total != 0) {
    out += "\n| | place | finding | cost |\n|---|---|---|---|\n";
    for (const std::size_t index : worst_first(findings)) {
      const Finding &finding = findings[index];
      std::string message = headline(finding);
      if (!finding.fixes.empty())
        message += "\n" + fix_text(finding.fixes.front());
      else if (!finding.hint.empty())
        message += "\n" + finding.hint;
      const std::string_view state = to_string(finding.baseline);
      out += "| " + std::string(to_string(finding.severity)) + (state.empty() ? "" : ", " + std::string(state)) +
             " | " + sinks::markdown_code(place(report, finding.location)) + " | " + sinks::markdown(message) + "<br>" +
             sinks::markdown_code(finding.rule->id) + " | " + sinks::markdown(finding.cost) + " |\n";
    }
  }
  if (report.baseline) {
    list(out, "Gone since the baseline", report.baseline->gone);
    list(out, "In the baseline, cost unknown now", report.baseline->not_known);
  }
  out += "\n" + plural(count.kernels, "kernel") + ", " + plural(count.launches, "launch") +
         (report.files.empty() ? "" : " on " + architectures_text(report.files)) +
         "; memory instructions: " + thousands(count.exact) + " exact, " + thousands(count.assumed) + " assumed, " +
         thousands(count.unknown) + " unknown.\n";
  return out;
}

} // namespace smem
