#include "report/html_text.h"

#include "report/format.h"

namespace smem {

std::pair<std::string, bool> label_of(const HtmlSite &site) {
  const Finding *finding = site.findings.empty() ? nullptr : site.findings.front();
  const bool error = finding && finding->severity == Diagnostic::Severity::Error;
  std::string excess;
  if (site.excess != 0)
    excess = (site.unknown() ? "≥ +" : "+") + thousands(site.excess) + " " + std::string(to_string(site.unit));
  if (error)
    return {"error" + (excess.empty() ? "" : ", " + excess), true};
  if (!excess.empty())
    return {excess, true};
  if (finding)
    return {std::string(to_string(finding->severity)), finding->severity != Diagnostic::Severity::Note};
  return {site.unknown() ? "unknown" : "–", false};
}

std::string expression_of(const HtmlSite &site) {
  if (!site.row)
    return site.findings.front()->message;
  return site.row->site->expression.empty() ? describe_operation(site.row->site->access) : site.row->site->expression;
}

std::string place_of(const SourceLocation &location) {
  return to_string(SourceLocation{location.file, location.line, 0});
}

} // namespace smem
