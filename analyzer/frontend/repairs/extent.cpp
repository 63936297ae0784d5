#include "frontend/repairs/extent.h"

#include <algorithm>
#include <utility>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace smem {

Extent extent_of(const FrontendResult &result) {
  Extent extent;
  for (const auto &[name, kernel] : result.index.kernels) {
    const llvm::Function *function = result.module ? result.module->getFunction(name) : nullptr;
    extent.kernels += function && !function->isDeclaration();
  }
  extent.messages = static_cast<std::size_t>(std::ranges::count_if(
      result.diagnostics, [](const Diagnostic &one) { return one.severity != Diagnostic::Severity::Note; }));
  return extent;
}

bool has_errors(const FrontendResult &result) {
  return result.index.kernels.empty() || std::ranges::any_of(result.diagnostics, [](const Diagnostic &one) {
           return one.severity == Diagnostic::Severity::Error;
         });
}

void restore(FrontendResult &result, FrontendResult &&before) {
  SourceDependencies tried = std::move(result.dependencies);
  result = std::move(before);
  result.dependencies.read.merge(tried.read);
  result.dependencies.absent.merge(tried.absent);
  result.dependencies.complete = result.dependencies.complete && tried.complete;
}

} // namespace smem
