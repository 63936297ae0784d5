// One line for each finding, as compilers print them: for problem matchers, editors and grep.
#include "report/machine_text.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace smem {

std::string oneline_report(const Report &report, bool color) {
  std::string out;
  for (const Finding &finding : one_per_statement(report.findings)) {
    std::string text = with_state(finding);
    if (!finding.extent.empty())
      text += " (" + finding.extent + ")";
    out += heading(finding.location, finding.severity, text, color) +
           styled(" [" + std::string(finding.rule->id) + "]", Style::Dim, color) + "\n";
  }
  return out;
}

} // namespace smem
