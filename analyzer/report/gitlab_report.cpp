// GitLab Code Quality, https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
#include "report/machine_text.h"
#include "report/report.h"

#include <set>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

namespace smem {
namespace {

std::string_view severity(Diagnostic::Severity severity) {
  switch (severity) {
  case Diagnostic::Severity::Note: return "info";
  case Diagnostic::Severity::Warning: return "major";
  case Diagnostic::Severity::Error: return "critical";
  }
  return "critical";
}

} // namespace

std::string gitlab_report(const Report &report) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  llvm::json::OStream json(stream, 2);
  std::set<std::string> used;
  json.array([&] {
    for (const Finding &finding : report.findings) {
      // Fingerprints have to be unique in a report.
      std::string base = finding.fingerprints.empty() ? std::string() : finding.fingerprints.front();
      if (base.empty())
        base = llvm::utohexstr(llvm::xxh3_64bits(std::string(finding.rule->id) + '\0' + finding.location.file + '\0' + finding.message), true, 16);
      std::string fingerprint = base;
      for (unsigned n = 1; !used.insert(fingerprint).second; ++n)
        fingerprint = base + "-" + std::to_string(n);
      json.object([&] {
        json.attribute("description", utf8(paragraphs(finding)));
        json.attribute("check_name", std::string(finding.rule->id));
        json.attribute("fingerprint", fingerprint);
        json.attribute("severity", std::string(severity(finding.severity)));
        json.attributeObject("location", [&] {
          json.attribute("path", utf8(report.repository_path(finding.location.file)));
          json.attributeObject("lines", [&] { json.attribute("begin", std::max(1u, finding.location.line)); });
        });
      });
    }
  });
  stream << '\n';
  return out;
}

} // namespace smem
