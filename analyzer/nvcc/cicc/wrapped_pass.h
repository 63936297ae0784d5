// A pass of LLVM's with what the model does right before and right after it.
#pragma once

#include <utility>

#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace smem {

/// Goes by the name of `Pass`, and preserves what that says it does: what `Around` changes, no analysis may know of.
template <typename Pass> class WrappedPass {
public:
  explicit WrappedPass(Pass pass) : pass_(std::move(pass)) {}
  static llvm::StringRef name() { return Pass::name(); }
  void printPipeline(llvm::raw_ostream &stream, llvm::function_ref<llvm::StringRef(llvm::StringRef)> names) {
    pass_.printPipeline(stream, names);
  }

protected:
  Pass pass_;
};

/// `Around` has before(Unit &) and after(Unit &, const PreservedAnalyses &), and is made anew for each run.
template <typename Pass, typename Around, typename Unit, typename Analyses> class WrappedUnitPass
    : public WrappedPass<Pass> {
public:
  using WrappedPass<Pass>::WrappedPass;
  llvm::PreservedAnalyses run(Unit &unit, Analyses &analyses) {
    Around around;
    around.before(unit);
    llvm::PreservedAnalyses preserved = this->pass_.run(unit, analyses);
    around.after(unit, preserved);
    return preserved;
  }
};

template <typename Pass, typename Around> using WrappedFunctionPass =
    WrappedUnitPass<Pass, Around, llvm::Function, llvm::FunctionAnalysisManager>;
template <typename Pass, typename Around> using WrappedModulePass =
    WrappedUnitPass<Pass, Around, llvm::Module, llvm::ModuleAnalysisManager>;

/// The same of loops. after() is left out where the pass has done away with the loop, or wants it to be visited once more.
template <typename Pass, typename Around> class WrappedLoopPass : public WrappedPass<Pass> {
public:
  using WrappedPass<Pass>::WrappedPass;
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater) {
    Around around;
    around.before(loop);
    llvm::PreservedAnalyses preserved = this->pass_.run(loop, analyses, results, updater);
    if (!updater.skipCurrentLoop())
      around.after(loop, preserved);
    return preserved;
  }
};

} // namespace smem
