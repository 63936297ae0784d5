// Loads that are needed on some ways only.
#pragma once

#include <llvm/IR/PassManager.h>

namespace smem {

/// `if (c) a = p[i]; b = p[i];`: the second load may move into the other arm, or the first in front of the branch. Raises Doubt::Repetition of both.
/// Before optimisation has chosen.
void doubt_partly_redundant(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace smem
