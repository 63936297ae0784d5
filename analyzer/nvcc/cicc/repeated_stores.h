// Stores that the iterations of an outer loop repeat: the inner loop becomes straight code, the outer one is unrolled, and only then stores leave it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace smem {

/// Raises Uncertainty::RedundantAccess of stores whose addresses an inner loop of known length steps through, the same in each iteration of a loop around it. Of one of unknown length they
/// are made once after the unrolled iterations and once after those that are left over. LLVM moves them out of the loop before it unrolls it, if it can tell the places apart; nvcc
/// tells fewer apart, and then makes the stores in each iteration.
void note_repeated_stores(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace smem
