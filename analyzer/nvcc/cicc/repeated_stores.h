// Stores that the iterations of an outer loop repeat: the inner loop becomes straight code, the outer one is unrolled, and only then stores leave it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class LoopInfo;
class Module;
} // namespace llvm

namespace smem {

/// Raises Uncertainty::RedundantAccess of stores whose addresses an inner loop of known length steps through, the same in each iteration of a loop around it. Of one of unknown length they
/// are made once after the unrolled iterations and once after those that are left over. LLVM moves them out of the loop before it unrolls it, if it can tell the places apart; nvcc
/// tells fewer apart, and then makes the stores in each iteration.
void note_repeated_stores(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/// Remembers the stores that stand in two loops and more. Before optimisation.
void remember_nests(llvm::Module &module);

/// Raises Uncertainty::RedundantAccess of those that have left two, to one address each: LLVM moves the condition that the inner loop runs at all out of the outer one, and the store after it. nvcc does so
/// in a plain nest, and in a third loop with barriers makes the store twice for each of its iterations (machine code read; 3 of 3,300 kernels counted). After optimisation.
void note_stores_out_of_nests(llvm::Function &kernel, const llvm::LoopInfo &loops);

} // namespace smem
