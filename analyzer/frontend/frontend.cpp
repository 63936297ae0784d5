#include "frontend/frontend.h"

#include <cstring>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <system_error>

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/command_line.h"
#include "frontend/dependencies.h"
#include "frontend/device_action.h"
#include "frontend/diagnostics.h"
#include "frontend/headers.h"
#include "frontend/translate_flags.h"
#include "frontend/user_macros.h"
#include "source/paths.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
}

namespace smem {

FrontendResult::FrontendResult() = default;
FrontendResult::~FrontendResult() {
  module.reset(); // before the context that it lives in, whatever the order of the members
}
FrontendResult::FrontendResult(FrontendResult &&) noexcept = default;
FrontendResult &FrontendResult::operator=(FrontendResult &&other) noexcept {
  module = std::move(other.module);
  context = std::move(other.context);
  index = std::move(other.index);
  arrays = std::move(other.arrays);
  launches = std::move(other.launches);
  diagnostics = std::move(other.diagnostics);
  dependencies = std::move(other.dependencies);
  ok = other.ok;
  return *this;
}

namespace {

namespace fs = std::filesystem;

/// Deeply nested code makes Clang recurse; the main thread's stack is not ours to choose.
constexpr unsigned kStackBytes = 64u << 20;

void initialise_llvm_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    llvm::CrashRecoveryContext::Enable();
  });
}

/// -mllvm options are global to the process: parsed when they change, which within a run they hardly do.
void parse_llvm_options(const std::vector<std::string> &options) {
  static std::mutex mutex;
  static std::vector<std::string> current;
  const std::lock_guard lock(mutex);
  if (options == current)
    return;
  current = options;
  std::vector<const char *> pointers = {"smem-lint"};
  for (const std::string &option : options)
    pointers.push_back(option.c_str());
  llvm::cl::ResetAllOptionOccurrences();
  llvm::cl::ParseCommandLineOptions(static_cast<int>(pointers.size()), pointers.data(), "", &llvm::nulls());
}

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
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return "cannot read '" + path + "': " + buffer.getError().message();
  return {};
}

class LlvmDiagnostics : public llvm::DiagnosticHandler {
public:
  explicit LlvmDiagnostics(std::vector<Diagnostic> &sink) : sink_(sink) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      report(sink_, Diagnostic::Severity::Error, std::move(text));
    }
    return true;
  }

private:
  std::vector<Diagnostic> &sink_;
};

/// The last call into Clang; everything it allocates is on the heap or of this frame, so that a crash inside only leaks.
void compile(const FrontendOptions &options, const std::vector<std::string> &arguments, const std::string &headers,
             const PatchedSources &patched, FrontendResult &result, std::vector<SourceError> &errors) {
  DiagnosticCollector collector(result.diagnostics);
  auto diagnostic_options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::DiagnosticsEngine driver_diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), diagnostic_options,
                                              &collector, /*ShouldOwnClient=*/false);
  const auto invocation = device_invocation(arguments, driver_diagnostics);
  if (!invocation) {
    if (!driver_diagnostics.hasErrorOccurred())
      report(result.diagnostics, Diagnostic::Severity::Error, "no device compilation follows from the compiler flags");
    return;
  }
  parse_llvm_options(invocation->getFrontendOpts().LLVMArgs);

  clang::CodeGenOptions &codegen = invocation->getCodeGenOpts();
  // Line tables change no instruction; the driver's default for optimised device code has no places for inlined calls.
  codegen.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  codegen.DebugColumnInfo = true;
  codegen.ClearASTBeforeBackend = false;
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  invocation->getDiagnosticOpts().ShowCarets = false;
  invocation->getFrontendOpts().DisableFree = false;
  const auto replace = [&](const std::string &path, const std::string &text) {
    invocation->getPreprocessorOpts().addRemappedFile(path, llvm::MemoryBuffer::getMemBufferCopy(text, path).release());
  };
  if (options.contents && !patched.contains(options.file))
    replace(options.file, *options.contents);
  for (const auto &[path, text] : options.overlays)
    if (!patched.contains(path))
      replace(path, text);
  for (const auto &[path, text] : patched)
    replace(path, text);
  user_macros_behind_headers(invocation->getPreprocessorOpts());

  result.context = std::make_unique<llvm::LLVMContext>();
  result.context->setDiscardValueNames(codegen.DiscardValueNames);
  result.context->setDiagnosticHandler(std::make_unique<LlvmDiagnostics>(result.diagnostics));

  clang::CompilerInstance compiler;
  compiler.setInvocation(invocation);
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  compiler.addDependencyCollector(make_dependency_collector(result.dependencies));
  DeviceActionResult outcome;
  DeviceAction action(*result.context, collector, headers, options.max_instantiations, outcome);
  const bool succeeded = compiler.ExecuteAction(action);
  result.index = std::move(outcome.index);
  std::move(outcome.diagnostics.begin(), outcome.diagnostics.end(), std::back_inserter(result.diagnostics));
  result.arrays = std::move(outcome.arrays);
  result.launches = std::move(outcome.launches);
  std::move(result.launches.diagnostics.begin(), result.launches.diagnostics.end(), std::back_inserter(result.diagnostics));
  errors = collector.errors();
  if (succeeded && outcome.module && !compiler.getDiagnostics().hasErrorOccurred()) {
    result.module = std::move(outcome.module);
    result.ok = true;
  }
}

} // namespace

FrontendResult run_frontend(const FrontendOptions &options) {
  using Severity = Diagnostic::Severity;
  FrontendResult result;
  if (!options.contents) {
    if (std::string reason = unreadable_reason(options.file); !reason.empty()) {
      report(result.diagnostics, Severity::Error, std::move(reason));
      return result;
    }
  }
  const std::string headers = find_shipped_headers();
  if (options.toolkit.shipped && headers.empty()) {
    report(result.diagnostics, Severity::Error, "the device headers that belong to smem-lint are missing");
    return result;
  }
  if (!options.toolkit.shipped && !has_headers(options.toolkit.root)) {
    report(result.diagnostics, Severity::Error, "no CUDA toolkit in '" + options.toolkit.root + "'");
    return result;
  }
  TranslatedFlags flags = translate_flags(options.compiler_flags);
  bool refused = false;
  for (Diagnostic &diagnostic : flags.diagnostics) {
    refused |= diagnostic.severity == Severity::Error;
    result.diagnostics.push_back(std::move(diagnostic));
  }
  if (refused)
    return result;
  if (const ParsedArchitecture parsed = architecture_for_clang(options); parsed.substituted)
    report(result.diagnostics, Severity::Note,
           "Clang 19 does not know " + std::string(options.architecture->name) + ": parsed as " + parsed.name +
               ", modelled as " + std::string(options.architecture->name));

  initialise_llvm_once();
  std::vector<std::string> arguments = driver_arguments(options, flags.clang, headers, options.file);
  // Most sources include what they use; for the others there is what nvcc's headers bring along, at the price of their parsing.
  bool may_widen_prelude = options.toolkit.shipped;
  // Each attempt repairs what the one before stumbled over; one construct can hide another.
  constexpr int kMaxAttempts = 4;
  PatchedSources patched;
  std::vector<Diagnostic> before = std::move(result.diagnostics);
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::vector<SourceError> errors;
    result = {};
    result.diagnostics = before;
    llvm::CrashRecoveryContext guard;
    if (!guard.RunSafelyOnThread([&] { compile(options, arguments, headers, patched, result, errors); }, kStackBytes)) {
      // What the crash left half built is not to be touched again.
      (void)result.module.release();
      (void)result.context.release();
      result.ok = false;
      report(result.diagnostics, Severity::Error, "the compiler front end crashed on this file",
             {normalise_path(options.file), 0, 0});
      break;
    }
    if (result.ok)
      break;
    if (patch_sources(errors, patched))
      continue;
    if (!may_widen_prelude)
      break;
    may_widen_prelude = false;
    arguments.emplace(arguments.begin(), "-DSMEM_LINT_FULL_PRELUDE");
  }
  return result;
}

} // namespace smem
