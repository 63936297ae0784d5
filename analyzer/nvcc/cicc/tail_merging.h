// Accesses that two ways out of a branch have alike: nvcc may make one of them, and leave that without a location.
#pragma once

#include <array>
#include <vector>

#include <llvm/IR/PassManager.h>

#include "nvcc/facts/accesses.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace smem {

/// Notes which then and else blocks may end alike. nvcc looks for these before it unrolls loops, so that a block that ends with a loop never is one.
void mark_equal_tails(llvm::Function &function);
bool may_have_equal_tail(const llvm::BasicBlock &block);

/// Raises Uncertainty::TailMerging of them.
void note_equal_tails(llvm::Function &function, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops);

/// Around a pass that drops an access of one block because it was made before: nvcc has looked for equal tails by then, and that of the other block may be one.
class NoteDroppedTails {
public:
  void before(llvm::Function &function);
  void after(llvm::Function &function, const llvm::PreservedAnalyses &preserved);

private:
  using Sides = std::array<std::vector<SourceAccess>, 2>; ///< of a branch
  std::vector<Sides> branches_;
};

} // namespace smem
