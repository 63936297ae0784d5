// Loops that are unrolled before anything is hoisted out of them.
#pragma once

#include <llvm/IR/PassManager.h>

#include "nvcc/rules/rules.h"

namespace smem {

/// `#pragma unroll` on a loop of known length that is too large for full unrolling: nvcc unrolls it first of all, so that what it loads in every iteration
/// is not hoisted, which would drop its location, but combined. LLVM hoists first. Loads in such loops are noted as those of unrolled loops (original_locations.h).
/// To be called before any loop is changed.
void note_early_unrolling(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                          const CompilerRules &rules);

/// Raises Uncertainty::Unroll in loops of which nvcc does not know as LLVM does that they run at all, if they run more often than such a loop is unrolled whole. To be called before any loop is changed.
void note_bounded_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, const CompilerRules &rules);

} // namespace smem
