// Sums that a condition on the way makes an "or" of.
#pragma once

#include <vector>

#include <llvm/IR/ValueHandle.h>

namespace llvm {
class Function;
class PreservedAnalyses;
} // namespace llvm

namespace smem {

/// Behind `if (t < 64)` InstCombine knows that `t + 64` is `t | 64` since LLVM 18; to nvcc, which is older, it stays a sum, whose constant it adds up with others. Around the pass: what was no "or" before, and is
/// one by conditions alone, is a sum again.
class KeepSums {
public:
  void before(llvm::Function &function);
  void after(llvm::Function &function, const llvm::PreservedAnalyses &preserved);

private:
  std::vector<llvm::WeakVH> ors_; ///< that were there; null once they are gone
};

} // namespace smem
