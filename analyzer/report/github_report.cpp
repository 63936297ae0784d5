// Workflow commands, https://docs.github.com/actions/reference/workflow-commands: one line each, escaped.
#include "report/machine_text.h"
#include "report/report.h"

#include "report/format.h"
#include "sinks/escape.h"

namespace smem {
namespace {

constexpr std::size_t kAnnotationsAStep = 10; // GitHub drops what is more

std::string_view command(Diagnostic::Severity severity) {
  switch (severity) {
  case Diagnostic::Severity::Note: return "notice";
  case Diagnostic::Severity::Warning: return "warning";
  case Diagnostic::Severity::Error: return "error";
  }
  return "error";
}

std::string annotation(const Report &report, Diagnostic::Severity severity, const SourceLocation &location,
                       std::string_view title, const std::string &text) {
  std::string out = "::" + std::string(command(severity)) + " ";
  if (!location.file.empty())
    out += "file=" + sinks::workflow_property(report.repository_path(location.file)) + ",";
  if (location.line != 0)
    out += "line=" + std::to_string(location.line) + ",";
  if (location.column != 0)
    out += "col=" + std::to_string(location.column) + ",";
  return out + "title=" + sinks::workflow_property(title) + "::" + sinks::workflow_message(text) + "\n";
}

} // namespace

std::string github_report(const Report &report) {
  std::string out;
  std::size_t written = 0;
  const std::vector<Diagnostic> missing = incomplete(report); // first: what follows is not all
  for (const Diagnostic &each : missing)
    if (written < kAnnotationsAStep) {
      out += annotation(report, each.severity, each.location, "incomplete analysis", each.message);
      ++written;
    }
  const std::vector<Finding> findings = one_per_statement(report.findings);
  for (const std::size_t index : worst_first(findings)) {
    if (written == kAnnotationsAStep)
      break;
    const Finding &finding = findings[index];
    out += annotation(report, finding.severity, finding.location, finding.rule->id, paragraphs(finding));
    ++written;
  }
  if (const std::size_t all = missing.size() + findings.size(); all > kAnnotationsAStep)
    out += "smem-lint: " + std::to_string(kAnnotationsAStep) + " of " +
           (missing.empty() ? plural(all, "finding") : plural(all, "message")) +
           " annotated, the worst first; GitHub shows no more a step. --format=sarif or text has all of them.\n";
  return out;
}

} // namespace smem
