// Functions of libdevice that are blocks to cicc, and single calls here.
#pragma once

#include <vector>

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/ValueHandle.h>

namespace llvm {
class Function;
class LPMUpdater;
class Loop;
} // namespace llvm

namespace smem {

/// cicc has the blocks of `cosf(w)` twice where the source calls it twice (Branches::Table), and what is loaded for the second is in a block of its own. Once functions have
/// been inlined, before common values are looked for.
struct TellCallsApart : llvm::PassInfoMixin<TellCallsApart> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Around GVN, which does not look at the attributes by which the calls are told apart: each calls another function meanwhile.
class HideCallees {
public:
  void before(llvm::Function &function);
  void after(llvm::Function &function, const llvm::PreservedAnalyses &preserved);

private:
  struct Hidden {
    llvm::WeakVH call; ///< null once it is gone
    llvm::Function *callee;
    llvm::AttributeList attributes;
  };
  std::vector<Hidden> calls_;
};

/// Of a loop with `cosf(w)`, and w from outside, cicc makes one for each way through cosf, unless the loop is large: then the branches stay in it. Which of these w takes is
/// not known, so accesses of the loop are uncertain. Before such calls are hoisted.
struct NoteInvariantBranchingCalls : llvm::PassInfoMixin<NoteInvariantBranchingCalls> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &,
                              llvm::LPMUpdater &);
};

} // namespace smem
