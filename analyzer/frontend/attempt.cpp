#include "frontend/attempt.h"

#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/dependencies.h"
#include "frontend/command_line.h"
#include "frontend/find_prefix.h"
#include "frontend/headers.h"
#include "frontend/host_frameworks.h"
#include "frontend/leading_headers.h"
#include "frontend/prefix_invocation.h"
#include "frontend/regular_files.h"
#include "frontend/use_prefix.h"
#include "frontend/user_macros.h"
#include "nvcc/pipeline.h"
#include "nvcc/rules/rules.h"
#include "sinks/files.h"
#include "support/paths.h"

namespace smem {
namespace {

class LlvmDiagnostics : public llvm::DiagnosticHandler {
public:
  explicit LlvmDiagnostics(std::vector<Diagnostic> &sink) : sink_(sink) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      sink_.push_back({Diagnostic::Severity::Error, {}, std::move(text)});
    }
    return true;
  }

private:
  std::vector<Diagnostic> &sink_;
};

/// What stands in for a header of a framework.
std::string text_of_stand_in(const std::string &header) {
  const bool torch = stand_in_for(header) == StandIn::PyTorch;
  const bool of_device_code = torch && (header.ends_with(".cuh") || header.starts_with("THC/"));
  return std::string("#pragma once\n#include <smem_lint_host/") + (torch ? "torch.h" : "logging.h") + ">\n" +
         (of_device_code ? "#include <smem_lint_host/torch_exchanges.h>\n" : "");
}

/// The headers in kFoundHeaders beside other files. What they include is included by its own path, so that what lies beside it is found.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
with_found_headers(const OwnHeaders &own, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> others) {
  auto headers = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &[header, names] : own.implied) {
    std::string text;
    for (const std::string &name : names)
      text += "#if __has_include(<" + name + ">)\n#include <" + name + ">\n#endif\n";
    if (const auto generated = own.generated.find(header); generated != own.generated.end())
      text += generated->second;
    if (!own.found.contains(header))
      headers->addFile(std::string(kFoundHeaders) + "/" + header, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  }
  for (const auto &[header, text] : own.generated)
    if (!own.found.contains(header) && !own.implied.contains(header))
      headers->addFile(std::string(kFoundHeaders) + "/" + header, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  for (const auto &[header, in_project] : own.found)
    headers->addFile(std::string(kFoundHeaders) + "/" + header, 0,
                     llvm::MemoryBuffer::getMemBufferCopy("#include \"" + in_project.file + "\"\n"));
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(others));
  both->pushOverlay(std::move(headers));
  return both;
}

/// Behind the source, so that its lines stay: an address is enough for an instantiation.
std::string instantiations(const std::set<std::string> &wanted) {
  std::string text;
  for (const std::string &name : wanted)
    text += "\nnamespace { [[maybe_unused]] const auto smem_lint_wanted_" + std::to_string(text.size()) + " = &" +
            name + "; }";
  return text.empty() ? text : text + "\n";
}

} // namespace

std::string text_of(const FrontendOptions &options, const std::string &path) {
  if (options.contents && path == options.file)
    return *options.contents;
  if (const auto overlay = options.overlays.find(normalise_path(path)); overlay != options.overlays.end())
    return overlay->second;
  std::string wrong;
  return sinks::read_file(path, wrong, kLargestSource).value_or("");
}

void attempt_compilation(const FrontendOptions &options, const std::vector<std::string> &arguments,
                         const std::string &headers, Repairs &repairs, FrontendResult &result, Attempt &attempt) {
  DiagnosticCollector collector(result.diagnostics);
  auto diagnostic_options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::DiagnosticsEngine driver_diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), diagnostic_options,
                                              &collector, /*ShouldOwnClient=*/false);
  const auto invocation = device_invocation(arguments, driver_diagnostics);
  if (!invocation) {
    if (!driver_diagnostics.hasErrorOccurred())
      result.diagnostics.push_back(
          {Diagnostic::Severity::Error, {}, "no device compilation follows from the compiler flags"});
    return;
  }

  clang::CodeGenOptions &codegen = invocation->getCodeGenOpts();
  // Line tables change no instruction; the driver's default for optimised device code has no places for inlined calls.
  codegen.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  codegen.DebugInfoForProfiling = true; // functions keep their linkage names: instantiations share places
  codegen.DebugColumnInfo = true;
  codegen.ClearASTBeforeBackend = false;
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  invocation->getDiagnosticOpts().ShowCarets = false;
  invocation->getDiagnosticOpts().ErrorLimit = 0; // there are kernels after the last one, too
  invocation->getFrontendOpts().DisableFree = false;
  const auto replace = [&](const std::string &path, const std::string &text) {
    invocation->getPreprocessorOpts().addRemappedFile(path, llvm::MemoryBuffer::getMemBufferCopy(text, path).release());
  };
  const std::string added = instantiations(repairs.wanted);
  std::map<std::string, std::string> texts = options.overlays;
  if (options.contents)
    texts[options.file] = *options.contents;
  for (const auto &[path, text] : repairs.patched.files)
    texts[path] = text;
  if (!added.empty())
    (texts.contains(options.file) ? texts[options.file] : texts[options.file] = text_of(options, options.file)) +=
        added;
  for (const auto &[path, text] : texts)
    replace(path, text);
  for (const std::string &header : repairs.stand_ins)
    replace(headers + "/host/" + header, text_of_stand_in(header));
  for (const MacroDefinition &definition : repairs.definitions)
    invocation->getPreprocessorOpts().addMacroDef(definition.text());
  user_macros_behind_headers(invocation->getPreprocessorOpts(), repairs.patched.own_names);

  const auto text = [&](const std::string &path) -> std::optional<std::string> {
    for (const auto &[changed, contents] : texts)
      if (normalise_path(changed) == path)
        return contents;
    std::string wrong;
    return sinks::read_file(path, wrong, kLargestSource);
  };
  add_forced_includes(invocation->getPreprocessorOpts(), result.dependencies);
  std::shared_ptr<const Prefix> prefix;
  if (options.prefixes && repairs.with_prefix && !repairs.own_headers.has_any())
    prefix = prefix_for(*invocation, leading_headers(options.file, text), options.precompile_leading, *options.prefixes,
                        options.stop);
  if (prefix && prefix->instantiations > options.max_instantiations)
    prefix = nullptr; // its headers are where the file is given up
  attempt.has_prefix = prefix != nullptr;
  std::string last_of_prefix;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = regular_files();
  if (prefix) {
    last_of_prefix = last_prefix_header(*invocation);
    files = begin_with(*prefix, *invocation, std::move(files));
  }
  if (repairs.own_headers.has_any())
    files = with_found_headers(repairs.own_headers, std::move(files));

  result.context = std::make_unique<llvm::LLVMContext>();
  result.context->setDiscardValueNames(codegen.DiscardValueNames);
  result.context->setDiagnosticHandler(std::make_unique<LlvmDiagnostics>(result.diagnostics));

  clang::CompilerInstance compiler;
  compiler.setInvocation(invocation);
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  compiler.createFileManager(std::move(files));
  compiler.addDependencyCollector(make_dependency_collector(result.dependencies, prefix.get()));
  DeviceActionResult outcome;
  const DeviceActionOptions action_options{headers,
                                           options.max_instantiations,
                                           options.max_device_code,
                                           repairs.own_headers,
                                           repairs.tolerant,
                                           repairs.user_file_macros,
                                           options.stated,
                                           options.stop,
                                           options.foreign,
                                           prefix,
                                           std::move(last_of_prefix)};
  DeviceAction action(*result.context, collector, action_options, repairs.trials, outcome);
  const bool succeeded = compiler.ExecuteAction(action);
  if (repairs.own_headers.has_any()) {
    std::erase_if(result.dependencies.read, [](const std::string &path) { return lies_in(path, kFoundHeaders); });
    std::erase_if(result.dependencies.absent, [](const std::string &path) { return lies_in(path, kFoundHeaders); });
  }
  result.index = std::move(outcome.index);
  const std::vector<Diagnostic> &about_headers = outcome.inclusions.messages;
  result.diagnostics.insert(result.diagnostics.end(), about_headers.begin(), about_headers.end());
  std::move(outcome.diagnostics.begin(), outcome.diagnostics.end(), std::back_inserter(result.diagnostics));
  result.assumed_headers =
      outcome.inclusions.assumed_headers.empty() ? repairs.assumed_definition : outcome.inclusions.assumed_headers;
  result.lacks_headers = !outcome.inclusions.skipped.empty();
  result.chose_headers = outcome.inclusions.chosen || !repairs.assumed_definition.empty();
  result.arrays = std::move(outcome.arrays);
  result.launches = std::move(outcome.launches);
  result.source_bytes = outcome.source_bytes;
  std::move(result.launches.diagnostics.begin(), result.launches.diagnostics.end(),
            std::back_inserter(result.diagnostics));
  if (!result.assumed_headers.empty()) {
    for (HostLaunch &launch : result.launches.unit.launches)
      launch.launch.assumptions.push_back({result.assumed_headers});
    result.launches.unit.calls.clear();   // what they pass is nothing to go by
    result.dependencies.complete = false; // another file of that name anywhere in the project makes another result
  }
  attempt = {collector.errors(),
             std::move(outcome.inclusions),
             outcome.again,
             std::move(outcome.kernel_templates),
             std::move(outcome.asked_for),
             outcome.asking_line,
             std::move(outcome.skipped),
             outcome.lost,
             std::move(outcome.unbalanced),
             prefix != nullptr,
             !outcome.parsed || collector.needs_headers(),
             outcome.asks_for_nvcc,
             compiler.getCodeGenOpts()};
  if (succeeded && outcome.module && !compiler.getDiagnostics().hasErrorOccurred()) {
    result.module = std::move(outcome.module);
    result.ok = true;
  }
}

void optimise(const FrontendOptions &options, const clang::CodeGenOptions &codegen, const std::string &headers,
              FrontendResult &result) {
  const std::string shipped = normalise_path(headers), toolkit = options.toolkit.shipped || options.toolkit.root.empty()
                                                                     ? std::string()
                                                                     : normalise_path(options.toolkit.root);
  const auto is_header = [&](std::string_view file, std::string_view folder) {
    const std::string path = normalise_path(file, folder);
    return looks_like_toolkit(path) || lies_in(path, shipped) || lies_in(path, toolkit);
  };
  optimise_as_nvcc(*result.module, codegen, is_header, rules_for(options.toolkit.version), options.stop,
                   options.keep_source ? &result.source : nullptr);
}

} // namespace smem
