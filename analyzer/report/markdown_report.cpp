// A comment on a pull request: what got worse first, details folded away.
#include "report/machine_text.h"
#include "report/report.h"

#include "report/format.h"

namespace smem {
namespace {

/// Text in a cell: what Markdown or HTML would take for markup is escaped, but for our own code between backticks.
std::string cell(std::string_view text) {
  std::string out;
  bool in_code = false;
  for (const char c : text) {
    in_code ^= c == '`';
    if (c == '`' || (in_code && c != '|' && c != '\n')) {
      out += c;
      continue;
    }
    if (c == '\n') {
      out += "<br>";
      continue;
    }
    if (c == '<') {
      out += "&lt;";
      continue;
    }
    if (std::string_view("\\|*_[]~").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

/// In backticks, which no text inside may end.
std::string code(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '`' ? "'" : c == '|' ? "\\|" : std::string(1, c);
  return "`" + out + "`";
}

std::string place(const Report &report, const SourceLocation &location) {
  return report.repository_path(location.file) + (location.known() ? ":" + std::to_string(location.line) : "");
}

void list(std::string &out, const char *heading, const std::vector<std::string> &items) {
  if (items.empty())
    return;
  out += std::string("\n<details><summary>") + heading + " (" + std::to_string(items.size()) + ")</summary>\n\n";
  for (const std::string &item : items)
    out += "- " + code(utf8(item)) + "\n";
  out += "\n</details>\n";
}

} // namespace

std::string markdown_report(const Report &report) {
  const Tally count = tally(report);
  const std::size_t total = report.findings.size();
  std::string out = "### smem-lint: " + (total == 0 ? std::string("no findings") : plural(total, "finding")) + "\n";
  if (report.baseline) {
    const BaselineSummary &baseline = *report.baseline;
    out += "\nAgainst the baseline: " + std::to_string(baseline.added) + " new, " + std::to_string(baseline.worse) + " worse, " +
           std::to_string(baseline.better) + " better, " + std::to_string(baseline.gone.size()) + " gone, " +
           std::to_string(baseline.unchanged) + " unchanged.\n";
  }
  for (const Diagnostic &missing : incomplete(report))
    out += "\n**" + std::string(missing.severity == Diagnostic::Severity::Error ? "Not analysed" : "Analysed in part") + ":** " +
           (missing.location.file.empty() ? "" : code(utf8(place(report, missing.location))) + ": ") + cell(utf8(missing.message)) + "\n";
  if (total != 0) {
    out += "\n| | place | finding | cost |\n|---|---|---|---|\n";
    for (const std::size_t index : worst_first(report.findings)) {
      const Finding &finding = report.findings[index];
      std::string message = headline(finding);
      if (!finding.fixes.empty())
        message += "\n" + fix_text(finding.fixes.front());
      else if (!finding.hint.empty())
        message += "\n" + finding.hint;
      const std::string_view state = to_string(finding.baseline);
      out += "| " + std::string(to_string(finding.severity)) + (state.empty() ? "" : ", " + std::string(state)) + " | " +
             code(utf8(place(report, finding.location))) +
             " | " + cell(utf8(message)) + "<br>" + code(finding.rule->id) + " | " + cell(utf8(finding.cost)) + " |\n";
    }
  }
  if (report.baseline) {
    list(out, "Gone since the baseline", report.baseline->gone);
    list(out, "In the baseline, cost unknown now", report.baseline->not_known);
  }
  out += "\n" + plural(count.kernels, "kernel") + ", " + plural(count.launches, "launch") + (report.files.empty() ? "" : " on " + architectures_text(report.files)) + "; memory instructions: " + thousands(count.exact) +
         " exact, " + thousands(count.assumed) + " assumed, " + thousands(count.unknown) + " unknown.\n";
  return out;
}

} // namespace smem
