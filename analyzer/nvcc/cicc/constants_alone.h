// Constants are propagated, and no ranges.
#pragma once

#include <vector>

#include <llvm/IR/ValueHandle.h>

namespace llvm {
class Function;
class Module;
class PreservedAnalyses;
} // namespace llvm

namespace smem {

/// The propagation of constants by conditions (SCCP) keeps ranges of integers since LLVM 11, and finds by them that `for (i = 0; i >= 0; --i)` has one iteration, or what sums do not wrap. nvcc's, which is older,
/// knows what is constant: its loop is one until loops are unrolled, and a load has left it by then. Around the pass each integer goes through a `freeze`, which hands on constants and nothing else.
class ConstantsAlone {
public:
  void before(llvm::Function &function);
  void before(llvm::Module &module);
  template <typename Unit> void after(Unit &, const llvm::PreservedAnalyses &) { thaw(); }

private:
  void thaw();

  std::vector<llvm::WeakVH> frozen_; ///< the `freeze`s; null once they are gone
};

} // namespace smem
