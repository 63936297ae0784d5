#include "fixes/export_yaml.h"

#include "support/paths.h"

#include <algorithm>
#include <vector>

#include <clang/Tooling/DiagnosticsYaml.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {
namespace {

using Exported = clang::tooling::Diagnostic;

Exported::Level level_of(Diagnostic::Severity severity) {
  switch (severity) {
  case Diagnostic::Severity::Note: return Exported::Remark;
  case Diagnostic::Severity::Warning: return Exported::Warning;
  case Diagnostic::Severity::Error: break;
  }
  return Exported::Error;
}

unsigned offset_of(const SourceLocation &place, SourceLines &sources) {
  if (!place.known())
    return 0;
  const std::string_view text = sources.text(place.file);
  std::size_t at = 0;
  for (unsigned line = 1; line < place.line && at != std::string_view::npos; ++line)
    if (at = text.find('\n', at); at != std::string_view::npos)
      ++at;
  return at == std::string_view::npos ? 0 : static_cast<unsigned>(at + (place.column ? place.column - 1 : 0));
}

} // namespace

std::string export_fixes(std::span<const Finding> findings, SourceLines &sources, const std::string &main_file) {
  clang::tooling::TranslationUnitDiagnostics unit;
  unit.MainSourceFile = main_file.empty() ? std::string() : normalise_path(main_file);
  std::vector<const std::vector<Edit> *> written;
  for (const Finding &finding : findings) {
    Exported diagnostic(std::string(finding.rule->id), level_of(finding.severity), "");
    diagnostic.Message.Message = finding.message;
    diagnostic.Message.FilePath = finding.location.file.empty() ? std::string() : normalise_path(finding.location.file);
    diagnostic.Message.FileOffset = offset_of(finding.location, sources);
    if (!finding.fixes.empty()) {
      const Fix &fix = finding.fixes.front();
      const bool known = std::any_of(written.begin(), written.end(),
                                     [&](const std::vector<Edit> *edits) { return *edits == fix.edits; });
      if (!fix.edits.empty() && !known) {
        written.push_back(&fix.edits);
        for (const Edit &edit : fix.edits) {
          const std::string path = normalise_path(edit.file);
          const clang::tooling::Replacement replacement(path, static_cast<unsigned>(edit.offset),
                                                        static_cast<unsigned>(edit.length), edit.replacement);
          llvm::consumeError(diagnostic.Message.Fix[path].add(replacement));
        }
      }
    }
    unit.Diagnostics.push_back(std::move(diagnostic));
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::yaml::Output yaml(out);
  yaml << unit;
  return text;
}

} // namespace smem
