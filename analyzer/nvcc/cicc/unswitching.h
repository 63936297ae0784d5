// Loops that cicc makes two of: `for (...) { if (c) a; else b; }` becomes `if (c) for (...) a; else for (...) b;`.
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

#include "nvcc/rules/rules.h"

namespace llvm {
class LPMUpdater;
class Loop;
} // namespace llvm

namespace smem {

/// cicc does so with conditions that all lanes of a warp have in common, LLVM 19's SimpleLoopUnswitch, which knows nothing of lanes, with all or none. Notes those branches, before passes over loops.
struct NoteUniformBranches : llvm::PassInfoMixin<NoteUniformBranches> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Right before SimpleLoopUnswitch: all but one condition that cicc would take change in the loop, as far as that sees. Where cicc may do more, accesses are uncertain.
class HideDivergentBranches : public llvm::PassInfoMixin<HideDivergentBranches> {
public:
  explicit HideDivergentBranches(const CompilerRules &rules) : rules_(&rules) {}
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater);

private:
  const CompilerRules *rules_;
};

/// After passes over loops: as they were.
struct ShowDivergentBranches : llvm::PassInfoMixin<ShowDivergentBranches> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace smem
