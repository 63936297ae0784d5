#include "frontend/diagnostics.h"

#include <clang/Basic/SourceManager.h>

#include "source/paths.h"

namespace smem {

namespace {
constexpr std::size_t kMaxErrors = 20;
constexpr std::size_t kMaxMessage = 1000;
} // namespace

SourceLocation to_location(clang::SourceLocation location, const clang::SourceManager &sources) {
  if (location.isInvalid())
    return {};
  const clang::PresumedLoc place = sources.getPresumedLoc(location);
  if (place.isInvalid())
    return {};
  // Neighbouring places lie in one file, and the directory does not change while it is analysed.
  thread_local std::string name, path;
  if (name != place.getFilename()) {
    name = place.getFilename();
    path = normalise_path(name);
  }
  return {path, place.getLine(), place.getColumn()};
}

namespace {

Diagnostic text_of(Diagnostic::Severity severity, const clang::Diagnostic &info) {
  llvm::SmallString<200> text;
  info.FormatDiagnostic(text);
  if (text.size() > kMaxMessage) {
    text.resize(kMaxMessage);
    text += "...";
  }
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  if (info.hasSourceManager())
    diagnostic.location = to_location(info.getLocation(), info.getSourceManager());
  diagnostic.message = std::string(text);
  return diagnostic;
}

} // namespace

void DiagnosticCollector::tolerate_errors(clang::DiagnosticsEngine &engine, clang::SourceLocation from) {
  if (tolerates_)
    return;
  tolerates_ = true;
  engine.setIgnoreAllWarnings(false); // errors become warnings, and real warnings are left out below
  for (unsigned id = 1; id < clang::diag::DIAG_UPPER_LIMIT; ++id)
    if (clang::DiagnosticIDs::isDefaultMappingAsError(id))
      engine.setSeverity(id, clang::diag::Severity::Warning, from);
}

void DiagnosticCollector::remember(const clang::Diagnostic &info) {
  if (!info.hasSourceManager() || !info.getLocation().isFileID())
    return;
  const clang::SourceManager &sources = info.getSourceManager();
  const auto [file, offset] = sources.getDecomposedLoc(info.getLocation());
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  const std::optional<llvm::StringRef> contents = sources.getBufferDataOrNone(file);
  if (entry && contents)
    source_errors_.push_back({info.getID(), entry->getName().str(), offset, contents->str()});
}

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  using Level = clang::DiagnosticsEngine;
  Diagnostic::Severity severity;
  if (level >= Level::Error) {
    last_was_kept_ = ++errors_ <= kMaxErrors;
    if (last_was_kept_)
      remember(info);
    severity = Diagnostic::Severity::Error;
  } else if (level == Level::Note) {
    severity = Diagnostic::Severity::Note;
  } else {
    last_was_kept_ = false;
    if (tolerates_ && level == Level::Warning && clang::DiagnosticIDs::isDefaultMappingAsError(info.getID()))
      tolerated_.push_back({info.getLocation(), text_of(Diagnostic::Severity::Error, info)});
    return;
  }
  if (!last_was_kept_)
    return;
  sink_.push_back(text_of(severity, info));
}

} // namespace smem
