// Workflow commands, https://docs.github.com/actions/reference/workflow-commands: one line each, escaped.
#include "report/machine_text.h"
#include "report/report.h"

#include "report/format.h"

namespace smem {
namespace {

constexpr std::size_t kAnnotationsAStep = 10; // GitHub drops what is more

std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text)
    switch (c) {
    case '%': out += "%25"; break;
    case '\r': out += "%0D"; break;
    case '\n': out += "%0A"; break;
    case ':': out += property ? "%3A" : ":"; break;
    case ',': out += property ? "%2C" : ","; break;
    default: out += c;
    }
  return out;
}

std::string_view command(Diagnostic::Severity severity) {
  switch (severity) {
  case Diagnostic::Severity::Note: return "notice";
  case Diagnostic::Severity::Warning: return "warning";
  case Diagnostic::Severity::Error: return "error";
  }
  return "error";
}

} // namespace

std::string github_report(const Report &report) {
  std::string out;
  std::size_t written = 0;
  for (const std::size_t index : worst_first(report.findings)) {
    if (written++ == kAnnotationsAStep)
      break;
    const Finding &finding = report.findings[index];
    out += "::" + std::string(command(finding.severity)) + " ";
    if (!finding.location.file.empty())
      out += "file=" + escaped(report.repository_path(finding.location.file), true) + ",";
    if (finding.location.line != 0)
      out += "line=" + std::to_string(finding.location.line) + ",";
    if (finding.location.column != 0)
      out += "col=" + std::to_string(finding.location.column) + ",";
    out += "title=" + escaped(finding.rule->id, true) + "::" + escaped(utf8(paragraphs(finding)), false) + "\n";
  }
  if (report.findings.size() > kAnnotationsAStep)
    out += "smem-lint: " + std::to_string(kAnnotationsAStep) + " of " + plural(report.findings.size(), "finding") +
           " annotated, the worst first; GitHub shows no more a step. --format=sarif or text has all of them.\n";
  return out;
}

} // namespace smem
