// GitLab Code Quality, https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
#include "report/machine_text.h"
#include "report/report.h"
#include "sinks/escape.h"

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
  // Fingerprints have to be unique in a report.
  const auto entry = [&](const std::string &base, Diagnostic::Severity level, const SourceLocation &location,
                         std::string_view check, const std::string &text) {
    std::string fingerprint = base;
    for (unsigned n = 1; !used.insert(fingerprint).second; ++n)
      fingerprint = base + "-" + std::to_string(n);
    json.object([&] {
      json.attribute("description", utf8(text));
      json.attribute("check_name", std::string(check));
      json.attribute("fingerprint", fingerprint);
      json.attribute("severity", std::string(severity(level)));
      json.attributeObject("location", [&] {
        json.attribute("path", utf8(report.repository_path(location.file)));
        json.attributeObject("lines", [&] { json.attribute("begin", std::max(1u, location.line)); });
      });
    });
  };
  const auto hash = [](std::string_view check, const std::string &file, const std::string &message) {
    return llvm::utohexstr(llvm::xxh3_64bits(std::string(check) + '\0' + file + '\0' + message), true, 16);
  };
  json.array([&] {
    // Otherwise what is missing would count as repaired.
    for (const Diagnostic &missing : incomplete(report))
      entry(hash("incomplete-analysis", missing.location.file, missing.message), missing.severity, missing.location,
            "incomplete-analysis", missing.message);
    for (const Finding &finding : report.findings)
      entry(finding.fingerprints.empty() || finding.fingerprints.front().empty()
                ? hash(finding.rule->id, finding.location.file, finding.message)
                : finding.fingerprints.front(),
            finding.severity, finding.location, finding.rule->id, paragraphs(finding));
  });
  stream << '\n';
  return sinks::json(out);
}

} // namespace smem
