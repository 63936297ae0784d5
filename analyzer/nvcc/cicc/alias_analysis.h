// Which addresses nvcc takes for different ones.
#pragma once

#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/IR/PassManager.h>

namespace smem {

/// LLVM's basic alias analysis as the older one of nvcc has it: without the dominator tree it asks no branch whether an index is zero. LLVM takes `s[t]` and `s[t + n]` for two
/// places under `if (n > 0)`, and nvcc loads `s[t]` again behind a store to the other.
class BasicAliases {
public:
  using Result = llvm::BasicAAResult;

  /// In place of LLVM's.
  static llvm::AnalysisKey *ID() { return llvm::BasicAA::ID(); }
  static llvm::StringRef name() { return llvm::BasicAA::name(); }

  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace smem
