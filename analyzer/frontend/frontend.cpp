#include "frontend/frontend.h"

#include <memory>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <clang/Basic/DiagnosticLex.h>
#include <clang/Frontend/Utils.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/MemoryBuffer.h>

#include "frontend/attempt.h"
#include "frontend/command_line.h"
#include "frontend/device_action.h"
#include "frontend/diagnostics.h"
#include "frontend/headers.h"
#include "frontend/regular_files.h"
#include "frontend/repairs/steps.h"
#include "nvcc/cicc/llvm_settings.h"
#include "flags/translate_flags.h"
#include "sinks/files.h"
#include "support/paths.h"

namespace smem {

FrontendResult::FrontendResult() = default;
FrontendResult::~FrontendResult() = default;
FrontendResult::FrontendResult(FrontendResult &&) noexcept = default;
FrontendResult &FrontendResult::operator=(FrontendResult &&other) noexcept {
  if (this != &other) { // member by member the context would go before the modules in it
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}

namespace {

namespace fs = std::filesystem;

/// Deeply nested code makes Clang recurse; the main thread's stack is not ours to choose.
constexpr unsigned kStackBytes = 64u << 20;

void report(std::vector<Diagnostic> &sink, Diagnostic::Severity severity, std::string message,
            SourceLocation location = {}) {
  sink.push_back({severity, std::move(location), std::move(message)});
}

/// Why `path` cannot be analysed, or empty.
std::string unreadable_reason(const std::string &path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return "no such file: '" + path + "'";
  if (error)
    return "cannot read '" + path + "': " + error.message();
  if (status.type() == fs::file_type::directory)
    return "'" + path + "' is a directory";
  std::string wrong;
  if (!sinks::read_existing(path, wrong, kLargestSource))
    return "cannot read '" + path + "': " + wrong;
  return {};
}

/// What failed without an attempt: the options, or the file.
bool cannot_begin(const FrontendOptions &options, const std::string &headers, std::vector<Diagnostic> &diagnostics) {
  std::string wrong = prepare_llvm();
  if (wrong.empty() && !options.contents)
    wrong = unreadable_reason(options.file);
  if (wrong.empty() && options.toolkit.shipped && headers.empty())
    wrong = "the device headers that belong to smem-lint are missing";
  if (wrong.empty() && !options.toolkit.shipped && !has_headers(options.toolkit.root))
    wrong = "no CUDA toolkit in '" + options.toolkit.root + "'";
  if (!wrong.empty())
    report(diagnostics, Diagnostic::Severity::Error, std::move(wrong));
  return !diagnostics.empty();
}

/// What a crash left half built is not to be touched again.
void leak_modules(FrontendResult &result) {
  (void)result.module.release();
  (void)result.source.release();
  (void)result.context.release();
  result.ok = false;
}

/// Without what may be the cause, if there is something to leave out.
Next after_crash(Progress &progress) {
  Repairs &repairs = progress.repairs;
  if (progress.attempt.has_prefix) { // without it the compiler may fare better
    repairs.with_prefix = false;
    return Next::AgainForFree;
  }
  if (repairs.trials.enabled && !repairs.trials.next.empty()) {
    repairs.trials.enabled = false; // what was tried may be the cause
    return Next::Again;
  }
  std::vector<Diagnostic> &diagnostics = progress.result.diagnostics;
  const auto is_error = [](const Diagnostic &one) { return one.severity == Diagnostic::Severity::Error; };
  if (repairs.tolerant) // without the attempt to go on, the errors are what there is to say
    diagnostics = std::move(progress.refusal);
  else if (std::ranges::none_of(diagnostics, is_error)) // what follows an error is no surprise
    report(diagnostics, Diagnostic::Severity::Error, "the compiler front end crashed on this file",
           {normalise_path(progress.options.file), 0, 0});
  return Next::Done;
}

/// One attempt, and what follows from it.
Next attempt_once(Progress &progress, RepairSteps &steps) {
  FrontendResult &result = progress.result;
  progress.attempt = {};
  result = {};
  result.diagnostics = progress.before;
  llvm::CrashRecoveryContext guard;
  if (!guard.RunSafelyOnThread(
          [&] {
            attempt_compilation(progress.options, progress.arguments, progress.headers, progress.repairs, result,
                                progress.attempt);
          },
          kStackBytes)) {
    leak_modules(result);
    return after_crash(progress);
  }
  if (progress.options.stop.stop_requested())
    return Next::Done;
  if (progress.attempt.has_prefix && progress.attempt.needs_headers) {
    progress.repairs.with_prefix = false;
    return Next::AgainForFree;
  }
  progress.codegen = progress.attempt.codegen;
  progress.about_headers = progress.attempt.inclusions.messages;
  for (const auto &step : steps)
    if (const Next next = step->after(progress); next != Next::Step)
      return next;
  return Next::Done;
}

/// What the first error misses is missed for no other error's sake: where all headers were found, it may be a macro of the build's.
void name_macro_of_build(std::vector<Diagnostic> &diagnostics) {
  const auto is_error = [](const Diagnostic &one) { return one.severity == Diagnostic::Severity::Error; };
  const auto first = std::ranges::find_if(diagnostics, is_error);
  if (first == diagnostics.end() || std::ranges::any_of(diagnostics, [&](const Diagnostic &one) {
        return is_error(one) && one.message.ends_with("file not found");
      }))
    return;
  llvm::StringRef name = first->message;
  if (!name.consume_front("use of undeclared identifier '"))
    return;
  name = name.take_until([](char c) { return c == '\'' || c == ':'; });
  const std::string macro = name.str();
  report(diagnostics, Diagnostic::Severity::Note,
         "if the build defines '" + macro + "': `-- -D" + macro +
             "=VALUE` does so here, `-p DIR` takes the flags of its compile_commands.json",
         first->location);
}

/// The messages of a result, in the terms of the source, with those about what was done to it.
void finish_messages(Progress &progress, const RepairSteps &steps) {
  std::vector<Diagnostic> &diagnostics = progress.result.diagnostics;
  std::ranges::move(progress.messages, std::back_inserter(diagnostics));
  for (Diagnostic &diagnostic : diagnostics)
    for (const auto &step : steps)
      step->reword(diagnostic, progress);
  if (progress.result.ok)
    std::ranges::move(progress.repairs.patched.notes, std::back_inserter(diagnostics));
  name_macro_of_build(diagnostics);
}

} // namespace

FrontendResult run_frontend(const FrontendOptions &options) {
  using Severity = Diagnostic::Severity;
  FrontendResult refused;
  const std::string headers = find_shipped_headers();
  if (cannot_begin(options, headers, refused.diagnostics))
    return refused;
  TranslatedFlags flags = translate_flags(options.compiler_flags);
  std::vector<Diagnostic> &about_options = refused.diagnostics;
  about_options = std::move(flags.diagnostics);
  std::ranges::move(diagnostics_of(flags.unused), std::back_inserter(about_options));
  if (std::ranges::any_of(about_options, [](const Diagnostic &one) { return one.severity == Severity::Error; }))
    return refused;
  if (const ParsedArchitecture parsed = architecture_for_clang(options); parsed.substituted)
    report(about_options, Severity::Note,
           "Clang 19 does not know " + std::string(options.architecture->name) + ": parsed as " + parsed.name +
               ", modelled as " + std::string(options.architecture->name));

  Progress progress(options, headers);
  progress.arguments = driver_arguments(options, flags.clang, headers, options.file);
  progress.before = std::move(about_options);
  progress.repairs.own_headers.search = options.search_project;
  progress.repairs.own_headers.project = std::make_shared<ProjectFiles>(options.file);
  RepairSteps steps = repair_steps();
  constexpr int kMostAttempts = 12;
  for (int attempts = 0; attempts < kMostAttempts;) {
    const Next next = attempt_once(progress, steps);
    if (next == Next::Done)
      break;
    attempts += next == Next::Again;
  }
  for (const auto &step : steps)
    step->finish(progress);
  finish_messages(progress, steps);

  FrontendResult &result = progress.result;
  llvm::CrashRecoveryContext guard;
  if (result.module && progress.codegen && !options.for_others && !progress.is_optimised &&
      !guard.RunSafelyOnThread([&] { optimise(options, *progress.codegen, headers, result); }, kStackBytes)) {
    leak_modules(result);
    report(result.diagnostics, Severity::Error, "the compiler crashed on this file",
           {normalise_path(options.file), 0, 0});
  }
  return std::move(result);
}

} // namespace smem
