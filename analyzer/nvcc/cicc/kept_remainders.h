// Remainders of products by a factor of theirs, which nvcc takes no 0 for.
#pragma once

#include <vector>

#include <llvm/IR/ValueHandle.h>

namespace llvm {
class Function;
class PreservedAnalyses;
} // namespace llvm

namespace smem {

/// `t * 15 % 5` and `t * n % n` are 0 to LLVM 19, as a product that may not wrap is a multiple of its factors. nvcc, which is older, divides. (By a power of two it knows
/// the low bits, as LLVM does.) Before a pass such products say nothing of how they wrap.
class ForgetFactors {
public:
  void before(llvm::Function &function);
  void after(llvm::Function &, const llvm::PreservedAnalyses &) {}
};

/// The same around InstCombine, which concludes that they do not wrap while it runs: there the remainder does not see the product.
class HideProducts {
public:
  void before(llvm::Function &function);
  void after(llvm::Function &function, const llvm::PreservedAnalyses &preserved);

private:
  std::vector<llvm::WeakVH> hidden_; ///< null once it is gone
};

} // namespace smem
