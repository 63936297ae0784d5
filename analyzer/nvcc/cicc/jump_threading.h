// Branches whose condition is known on the way to them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace smem {

/// Two branches in a row with one condition are one to nvcc, whether lanes diverge or not. LLVM's pass does nothing for targets where they can.
struct ThreadJumps : llvm::PassInfoMixin<ThreadJumps> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace smem
