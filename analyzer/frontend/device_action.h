// Clang's action for a device pass: generate IR, look at the syntax tree while it is there.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <clang/Frontend/FrontendAction.h>

#include "frontend/assumed_templates.h"
#include "frontend/host_errors.h"
#include "frontend/instantiation_budget.h"
#include "frontend/kernel_marks.h"
#include "frontend/missing_headers.h"
#include "frontend/prefix.h"
#include "frontend/skipped_declarations.h"
#include "frontend/unbalanced_bodies.h"
#include "frontend/use_prefix.h"
#include "frontend/user_file_macros.h"
#include "host/launches.h"
#include "syntax/array_uses.h"
#include "syntax/source_index.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace smem {

class DiagnosticCollector;

/// What a compilation is told beside the invocation.
struct DeviceActionOptions {
  std::string headers; ///< the folder of the shipped headers
  std::uint64_t max_instantiations = 0;
  std::uint64_t max_device_code = 0; ///< instructions
  OwnHeaders own_headers;
  bool tolerant = false; ///< errors do not end it: what they are in is left out
  UserFileMacros user_file_macros;
  StatedLaunches stated; ///< what is chosen where host code leaves something free agrees with these
  std::stop_token stop;
  ForeignCode foreign;                  ///< as FrontendOptions::foreign
  std::shared_ptr<const Prefix> prefix; ///< that the compilation begins with; may be null
  std::string last_of_prefix;           ///< its last header, as the command line names it
};

struct DeviceActionResult {
  std::unique_ptr<llvm::Module> module; ///< as generated; null after errors
  std::vector<Diagnostic> diagnostics;  ///< about headers that are not there, and about what is left out or assumed
  Inclusions inclusions;
  bool again = false; ///< nothing was generated: the next attempt knows which templates can be instantiated
  std::vector<std::string> kernel_templates; ///< their qualified names
  std::vector<MacroDefinition> asked_for;    ///< by a condition that leaves out the only kernels
  unsigned asking_line = 0;
  std::vector<SkippedDeclarations> skipped; ///< of names that errors say are not declared
  std::size_t lost = 0;                     ///< kernels whose declarations are hidden by errors
  std::vector<UnbalancedBody> unbalanced;   ///< that may hide them, of one file and in its order
  SourceIndex index;
  ArrayUses arrays;
  HostLaunches launches;
  std::uint64_t source_bytes = 0; ///< as FrontendResult's
  bool parsed = false;            ///< false: the compilation could not begin
  bool asks_for_nvcc = false;     ///< a file of the user's tests __NVCC__
};

class DeviceAction : public clang::ASTFrontendAction {
public:
  DeviceAction(llvm::LLVMContext &context, DiagnosticCollector &collector, const DeviceActionOptions &options,
               TemplateTrials &trials, DeviceActionResult &result)
      : context_(context), collector_(collector), options_(options), trials_(trials), result_(result) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef file) override;
  void ExecuteAction() override;

private:
  llvm::LLVMContext &context_;
  DiagnosticCollector &collector_;
  const DeviceActionOptions &options_;
  TemplateTrials &trials_;
  DeviceActionResult &result_;
  KernelMarks marks_;
  AssumedTemplates assumed_;
  std::vector<DroppedFunction> dropped_;
  InstantiationBudget instantiations_;
  std::optional<LaterPredefines> later_; ///< with a prefix
};

} // namespace smem
