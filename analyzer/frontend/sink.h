// What nvcc moves from in front of a branch into the one arm that uses it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace smem {

/// Loads and what is computed from them go into the arm where that leaves no more values alive across the branch.
class SinkAsNvcc : public llvm::PassInfoMixin<SinkAsNvcc> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace smem
