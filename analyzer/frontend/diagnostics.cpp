#include "frontend/diagnostics.h"

#include <optional>
#include <utility>

#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/skipped_declarations.h"
#include "syntax/locations.h"

namespace smem {

namespace {
/// Errors that are told, and errors that repairs are tried for: what is not tried is lost.
constexpr std::size_t kMaxErrors = 20, kMaxRemembered = 2000;
constexpr std::size_t kMaxMessage = 1000;

/// Stands for all tolerated errors where they are admitted: one of another language, and one of the few that Clang can recover from, so that it
/// keeps the bodies of functions that it parses afterwards.
constexpr unsigned kAdmission = clang::diag::err_arc_array_param_no_ownership;

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

/// The offset of a diagnostic that is in this file.
std::optional<std::size_t> place_in(const clang::Diagnostic &info, const std::string &path) {
  if (!info.hasSourceManager() || !info.getLocation().isFileID())
    return std::nullopt;
  const auto [file, offset] = info.getSourceManager().getDecomposedLoc(info.getLocation());
  const clang::OptionalFileEntryRef entry = info.getSourceManager().getFileEntryRefForID(file);
  return entry && entry->getName() == path ? std::optional<std::size_t>(offset) : std::nullopt;
}

/// Not a warning that is an error by default.
bool is_error(unsigned id) {
  return clang::DiagnosticIDs::isDefaultMappingAsError(id) && !clang::DiagnosticIDs::isBuiltinWarningOrExtension(id);
}

} // namespace

void DiagnosticCollector::tolerate_errors(clang::DiagnosticsEngine &engine, clang::SourceLocation from) {
  if (tolerant_)
    return;
  tolerant_ = &engine;
  engine.setIgnoreAllWarnings(false); // errors become warnings, and real warnings are left out below
  for (unsigned id = 1; id < clang::diag::DIAG_UPPER_LIMIT; ++id)
    if (is_error(id) && id != kAdmission)
      engine.setSeverity(id, clang::diag::Severity::Warning, from);
}

void DiagnosticCollector::add_hidden_error(clang::DiagnosticsEngine &engine) { engine.Report(kAdmission); }

void DiagnosticCollector::admit_tolerated(clang::DiagnosticsEngine &engine) const {
  if (!tolerated_.empty() && !engine.hasUncompilableErrorOccurred())
    engine.Report(kAdmission);
}

void DiagnosticCollector::withdraw_tolerated(clang::DiagnosticsEngine &engine) const {
  if (!tolerated_.empty() && errors_ == 0)
    engine.Reset(/*soft=*/true);
}

std::string DiagnosticCollector::take_unopened() {
  if (!unopened_.empty() && last_is_tolerated_)
    tolerated_.pop_back();
  last_is_tolerated_ = false;
  return std::exchange(unopened_, {});
}

void DiagnosticCollector::remember(const clang::Diagnostic &info, const std::string &message) {
  if (!info.hasSourceManager() || info.getLocation().isInvalid())
    return;
  const clang::SourceManager &sources = info.getSourceManager();
  const bool at_keyword = info.getID() == clang::diag::err_cuda_extern_shared; // __shared__, which is a macro
  const bool in_macro = !info.getLocation().isFileID() && !at_keyword;
  const auto [file, offset] = sources.getDecomposedLoc(at_keyword ? sources.getExpansionLoc(info.getLocation())
                                                                  : sources.getSpellingLoc(info.getLocation()));
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  const std::optional<llvm::StringRef> contents = sources.getBufferDataOrNone(file);
  if (!entry || !contents)
    return;
  std::string path = entry->getName().str();
  std::shared_ptr<const std::string> &text = contents_[path];
  if (!text)
    text = std::make_shared<const std::string>(contents->str());
  source_errors_.push_back({info.getID(), std::move(path), offset, text, message, in_macro});
  last_is_remembered_ = true;
}

bool DiagnosticCollector::is_told(const std::string &message) {
  if (!undeclared_name(message))
    return false;
  const auto [entry, is_new] = told_once_.try_emplace(message, Told{sink_.size(), 0});
  if (is_new)
    return false;
  const auto &[first, times] = entry->second;
  ++entry->second.more;
  if (first < sink_.size() && sink_[first].message.starts_with(message))
    sink_[first].message = message + " (" + std::to_string(times) + (times == 1 ? " more use)" : " more uses)");
  return true;
}

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) {
  if (info.getID() == kAdmission)
    return;
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level != clang::DiagnosticsEngine::Note)
    unopened_ = info.getID() == clang::diag::err_cannot_open_file ? text_of(Diagnostic::Severity::Error, info).message
                                                                  : std::string();
  using Level = clang::DiagnosticsEngine;
  const bool tolerated = tolerant_ && level == Level::Warning && is_error(info.getID());
  if (in_trial_) {
    trial_errors_ += level >= Level::Error || tolerated;
    if (info.getID() == clang::diag::err_shared_var_init &&
        source_errors_.size() < kMaxRemembered) { // whatever the arguments are
      remember(info, text_of(Diagnostic::Severity::Error, info).message);
      if (std::exchange(last_is_remembered_, false))
        source_errors_.back().tolerated = true;
    }
    return;
  }
  if (level >= Level::Error) {
    needs_headers_ |= tolerant_ && info.hasSourceManager() && info.getLocation().isValid() &&
                      info.getSourceManager().isLoadedSourceLocation(info.getLocation());
    last_is_remembered_ = last_is_tolerated_ = last_was_kept_ = false;
    if (++errors_ > kMaxRemembered)
      return;
    Diagnostic error = text_of(Diagnostic::Severity::Error, info);
    remember(info, error.message);
    if (is_told(error.message))
      return;
    last_was_kept_ = ++told_ <= kMaxErrors;
    if (last_was_kept_)
      sink_.push_back(std::move(error));
    else if (told_ == kMaxErrors + 1)
      sink_.push_back({Diagnostic::Severity::Note, {}, "further errors are not listed"});
  } else if (level == Level::Note) {
    if (last_was_kept_)
      sink_.push_back(text_of(Diagnostic::Severity::Note, info));
    if (last_is_remembered_ && info.hasSourceManager() && info.getLocation().isValid())
      source_errors_.back().clashes_with_header |= info.getSourceManager().isInSystemHeader(info.getLocation());
    if (last_is_remembered_ && info.getID() == clang::diag::note_not_found_by_two_phase_lookup)
      source_errors_.back().too_late = place_in(info, source_errors_.back().path);
    if (last_is_tolerated_ && info.getID() == clang::diag::note_ovl_candidate_bad_target)
      tolerated_.back().calls_device = true;
  } else {
    last_was_kept_ = last_is_remembered_ = false;
    last_is_tolerated_ = tolerated;
    if (tolerated) {
      tolerated_.push_back({info.getLocation(), text_of(Diagnostic::Severity::Error, info)});
      if (source_errors_.size() < kMaxRemembered)
        remember(info, tolerated_.back().diagnostic.message);
      if (last_is_remembered_)
        source_errors_.back().tolerated = true;
      if (!tolerant_->hasUncompilableErrorOccurred())
        tolerant_->SetDelayedDiagnostic(kAdmission); // as soon as this one is reported
    }
  }
}

} // namespace smem
