// What nvcc moves from before a branch into the one block that uses it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class BasicBlock;
class DominatorTree;
} // namespace llvm

namespace smem {

/// Loads and what is computed from them go into the block where that leaves no more values alive across the branch.
class SinkAsNvcc : public llvm::PassInfoMixin<SinkAsNvcc> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// `v = in[t]; switch (k) { case 0: x = in[t]; break; default: x = v + 1; }`: before equal loads become one, nvcc's first pass moves the one that a single case uses into that case, where it stays.
/// Other branches make one of the two again.
struct SinkIntoCases : llvm::PassInfoMixin<SinkIntoCases> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Does `target`, which one branch alone leads to, use loads before that branch that nothing else uses, with nothing in between that writes?
bool takes_loads(llvm::BasicBlock &target, const llvm::DominatorTree &tree);

} // namespace smem
