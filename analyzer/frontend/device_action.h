// Clang's action for a device pass: generate IR, look at the syntax tree while it is there, optimise.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <clang/Frontend/FrontendAction.h>

#include "launches/launches.h"
#include "source/array_uses.h"
#include "source/source_index.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace smem {

class DiagnosticCollector;

struct DeviceActionResult {
  std::unique_ptr<llvm::Module> module; ///< null after errors
  std::vector<Diagnostic> diagnostics;  ///< about headers that are not there
  SourceIndex index;
  ArrayUses arrays;
  HostLaunches launches;
};

class DeviceAction : public clang::ASTFrontendAction {
public:
  DeviceAction(llvm::LLVMContext &context, DiagnosticCollector &collector, const std::string &headers,
               std::uint64_t max_instantiations, DeviceActionResult &result)
      : context_(context), collector_(collector), headers_(headers), max_instantiations_(max_instantiations), result_(result) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef file) override;

private:
  llvm::LLVMContext &context_;
  DiagnosticCollector &collector_;
  const std::string &headers_;
  std::uint64_t max_instantiations_;
  DeviceActionResult &result_;
};

} // namespace smem
