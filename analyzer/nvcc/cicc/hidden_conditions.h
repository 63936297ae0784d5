// Conditions of branches that a pass may not conclude from.
#pragma once

#include <vector>

#include <llvm/IR/ValueHandle.h>

namespace llvm {
class Function;
class PreservedAnalyses;
} // namespace llvm

namespace smem {

/// Behind `if (t % 32 == 0)` InstCombine knows that `t & ~31` is t since LLVM 18, and forgets the mask, and with it how an address is aligned. nvcc, which is older, does not. Around a
/// pass, each equality that a branch asks is the argument of an intrinsic that means nothing. (All comparisons would be too much: what LLVM knows of ranges, the sizes of unrolled loops have been measured with.)
class HideConditions {
public:
  void before(llvm::Function &function);
  void after(llvm::Function &function, const llvm::PreservedAnalyses &preserved);

private:
  std::vector<llvm::WeakVH> hidden_; ///< null once it is gone
};

} // namespace smem
