// What nvcc moves from in front of a branch into the one arm that uses it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class BasicBlock;
class DominatorTree;
} // namespace llvm

namespace smem {

/// Loads and what is computed from them go into the arm where that leaves no more values alive across the branch.
class SinkAsNvcc : public llvm::PassInfoMixin<SinkAsNvcc> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Does `arm`, which one branch alone leads to, use loads in front of that branch that nothing else uses, with nothing in between that writes?
bool takes_loads(llvm::BasicBlock &arm, const llvm::DominatorTree &tree);

} // namespace smem
