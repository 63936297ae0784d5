// Clang's diagnostics as values.
#pragma once

#include <vector>

#include <clang/Basic/Diagnostic.h>

#include "source/diagnostic.h"
#include "smem/source.h"

namespace clang {
class SourceManager;
}

namespace smem {

/// The place a person would look at: the expansion of a macro, #line respected, path normalised.
SourceLocation to_location(clang::SourceLocation location, const clang::SourceManager &sources);

/// Collects errors and their notes; warnings are the compiler's business, not ours.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  explicit DiagnosticCollector(std::vector<Diagnostic> &sink) : sink_(sink) {}
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override;

private:
  std::vector<Diagnostic> &sink_;
  std::size_t errors_ = 0;
  bool last_was_kept_ = false;
};

} // namespace smem
