// Functions of libdevice that are blocks to cicc, and single calls here.
#pragma once

#include <vector>

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/ValueHandle.h>

#include "nvcc/cicc/wrapped_pass.h"
#include "nvcc/facts/libdevice_branches.h"

namespace llvm {
class Function;
class LPMUpdater;
class Loop;
} // namespace llvm

namespace smem {

/// cicc has the blocks of `cosf(w)` twice where the source calls it twice (Branches::Table), and what is loaded for the second is in a block of its own. Before common values are
/// looked for, and again once functions have been inlined, whose calls are copies.
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

/// Ends blocks where cicc does.
class BlocksOfCalls {
public:
  /// Of calls that branch as much as `least` or more.
  BlocksOfCalls(llvm::Function &function, Branches least);
  bool empty() const { return begun_.empty(); }
  void merge();

private:
  std::vector<llvm::WeakVH> begun_;
};

/// What drops stores that are overwritten, and in cicc does so within a block. Before functions are inlined (`least` is Table) cicc has calls, too, of which those that read
/// a table are in the way.
template <typename Pass, Branches least> class InBlocksOfCalls : public WrappedPass<Pass> {
public:
  using WrappedPass<Pass>::WrappedPass;
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    BlocksOfCalls blocks(function, least);
    if (blocks.empty())
      return this->pass_.run(function, analyses);
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    this->pass_.run(function, analyses);
    blocks.merge();
    return llvm::PreservedAnalyses::none();
  }
};

/// A loop with `cosf(w)`, where w stays the same, is unswitched by cicc on the conditions in cosf as long as it is small enough for that. What w is is not known: accesses of the
/// loop are uncertain. Before such calls are hoisted.
struct NoteInvariantBranchingCalls : llvm::PassInfoMixin<NoteInvariantBranchingCalls> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &,
                              llvm::LPMUpdater &);
};

} // namespace smem
