// Loads that are needed on some ways only.
#pragma once

#include <llvm/IR/PassManager.h>

#include "nvcc/rules/rules.h"

namespace smem {

/// `if (c) a = p[i]; b = p[i];`: the second load may move into the other block, or the first to before the branch; of `if (c) p[i] = a; b = p[i];` the load. Raises Uncertainty::RedundantAccess of both.
/// So may one iteration of a later loop of known length. Before optimisation has chosen.
void note_partial_redundancy(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                             const CompilerRules &rules);

} // namespace smem
