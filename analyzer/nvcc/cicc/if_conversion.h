// Arms of branches that nvcc keeps where LLVM would make selections of them, or one access of both.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Module;
}

namespace smem {

// nvcc makes selections of cheap arms, then moves loads that only one arm uses into it; a load keeps the arm one from then on. LLVM makes selections of more
// arms, and of others when it knows the functions that are called in them. Read off nvcc 13's PTX: no selection for calls of any function, divisions and
// fractions that become integers, however little is left of them in the end, nor for more than five instructions.

/// At the very beginning: dear arms stay for now.
struct KeepDearArms : llvm::PassInfoMixin<KeepDearArms> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Behind the first selections: of the arms that are left, those stay that loads go to.
struct KeepLoadingArms : llvm::PassInfoMixin<KeepLoadingArms> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Where calls have been replaced by what they do: arms that no loads go to need not stay. Those that compute with fractions do to the end.
class ReleaseArms : public llvm::PassInfoMixin<ReleaseArms> {
public:
  enum class Which { Cheap, All };
  explicit ReleaseArms(Which which) : which_(which) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  Which which_;
};

/// Notes the arms of branches (nvcc/cicc/tail_merging.h), and keeps LLVM from making one of the stores that they end with: nvcc does so by other rules
/// (nvcc/cicc/store_sinking.h).
struct NoteArms : llvm::PassInfoMixin<NoteArms> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// After optimisation: takes away what has kept them.
void release_all_arms(llvm::Module &module);

} // namespace smem
