// Clang's diagnostics as values.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <clang/Basic/Diagnostic.h>

#include "frontend/source_patches.h"
#include "support/diagnostic.h"

namespace smem {

/// Collects errors and their notes; warnings are the compiler's business, not ours.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  explicit DiagnosticCollector(std::vector<Diagnostic> &sink) : sink_(sink) {}
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override;

  /// An error that did not end the compilation.
  struct Tolerated {
    clang::SourceLocation place;
    Diagnostic diagnostic;
    bool calls_device = false; ///< a host function calls a device function: nvcc's device pass does not look at that
  };
  /// Errors of `engine` behind `from` are kept here and end nothing.
  void tolerate_errors(clang::DiagnosticsEngine &engine, clang::SourceLocation from);
  const std::vector<Tolerated> &tolerated() const { return tolerated_; }

  /// After an error Clang expects less of declarations: what could not be instantiated is missed and no reason to look at what is not there. Of
  /// tolerated errors it knows only what is admitted to it, for as long as it is.
  void admit_tolerated(clang::DiagnosticsEngine &engine) const;
  /// An error that is shown to no one. Errors of our own are none of the compilation's for Clang: it goes on instantiating after a fatal one unless there was another.
  static void add_hidden_error(clang::DiagnosticsEngine &engine);
  /// Code is generated only where Clang knows of no error.
  void withdraw_tolerated(clang::DiagnosticsEngine &engine) const;

  /// Why the header that was looked up last cannot be opened although it is there; empty: it is not. Whoever asks tells it, so that it is tolerated no more.
  std::string take_unopened();

  /// Errors at places in files, many more than are told.
  const std::vector<SourceError> &errors() const { return source_errors_; }

  /// Whether an error was to be tolerated and was not, as it is in a precompiled header: Clang fixes how severe an error is there when it parses it.
  bool needs_headers() const { return needs_headers_; }

  /// Between these, errors are counted, and of those that no argument of a template can mend the places are kept.
  void begin_trial() {
    in_trial_ = true;
    trial_errors_ = 0;
  }
  /// Whether there were none.
  bool end_trial() {
    in_trial_ = false;
    return trial_errors_ == 0;
  }

private:
  std::vector<Diagnostic> &sink_;
  void remember(const clang::Diagnostic &info, const std::string &message);
  /// That a name is not declared is told once, with the number of its uses.
  bool is_told(const std::string &message);

  std::vector<Tolerated> tolerated_;
  std::vector<SourceError> source_errors_;
  std::map<std::string, std::shared_ptr<const std::string>> contents_; ///< of files with errors
  clang::DiagnosticsEngine *tolerant_ = nullptr;                       ///< errors of this are tolerated
  bool in_trial_ = false, last_is_remembered_ = false, last_is_tolerated_ = false;
  std::string unopened_;
  std::size_t trial_errors_ = 0;
  std::size_t errors_ = 0, told_ = 0;
  struct Told {
    std::size_t first = 0; ///< in the sink
    std::size_t more = 0;  ///< uses beside the first one
  };
  std::map<std::string, Told> told_once_; ///< by message
  bool last_was_kept_ = false, needs_headers_ = false;
};

} // namespace smem
