// Store sinking: the last stores of the then and else blocks of a branch, which nvcc makes one after it.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class Function;
} // namespace llvm

namespace smem::lower {

/// Sinks the stores that all predecessors of a block end with into it, and the loads of what they store, where nvcc does. Expects IR
/// in which LLVM's own sinking has not run. Blocks of a branch that is not divergent stay apart. The store has the location of the
/// block that comes last, as in nvcc's line table.
///
/// The rule was found by compiling all pairs of ten kinds of stored values, to one or two addresses, shared or global, with nvcc
/// 13.0 for sm_90 and counting the stores of the PTX.
void sink_stores(llvm::Function &kernel, llvm::UniformityInfo &uniformity);

} // namespace smem::lower
