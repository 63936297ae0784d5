// Accesses of which nvcc may make something else than the model does, by the shape of the code around them.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>

#include "nvcc/rules/rules.h"

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace smem::lower {

/// Raises uncertainties of `kernel`, whose optimisation is done and none of whose accesses have been merged.
void find_uncertain_accesses(llvm::Function &kernel, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                             llvm::UniformityInfo &uniformity, llvm::ScalarEvolution &evolution,
                             const CompilerRules &rules);

} // namespace smem::lower
