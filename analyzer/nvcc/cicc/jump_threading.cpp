#include "nvcc/cicc/jump_threading.h"

#include <memory>
#include <optional>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LazyValueInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>

namespace smem {

llvm::PreservedAnalyses ThreadJumps::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  llvm::JumpThreadingPass pass(/*T=*/0);
  const bool changed = pass.runImpl(
      function, &analyses, &analyses.getResult<llvm::TargetLibraryAnalysis>(function),
      &analyses.getResult<llvm::TargetIRAnalysis>(function), &analyses.getResult<llvm::LazyValueAnalysis>(function),
      &analyses.getResult<llvm::AAManager>(function),
      std::make_unique<llvm::DomTreeUpdater>(tree, llvm::DomTreeUpdater::UpdateStrategy::Lazy), std::nullopt,
      std::nullopt);
  if (!changed)
    return llvm::PreservedAnalyses::all();
  pass.getDomTreeUpdater()->flush();
  return llvm::PreservedAnalyses::none();
}

} // namespace smem
