// Loads that one iteration of a loop makes, of an address that is known then.
#pragma once

#include <llvm/IR/PassManager.h>

namespace smem {

/// Raises Uncertainty::SourceLine of loads from shared arrays under a condition that one value of the loop's counter meets, with an address of which the counter is
/// all that varies: nvcc puts that value in its place, and the load, which cannot fail any more, leaves the loop and loses its line. LLVM unrolls such loops before.
void note_loads_of_one_iteration(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace smem
