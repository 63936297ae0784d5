// Stores that the iterations of an outer loop repeat: the inner loop becomes straight code, the outer one is unrolled, and only then stores leave it.
#pragma once

#include <span>
#include <vector>

#include <llvm/IR/PassManager.h>

#include "nvcc/facts/accesses.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
class Module;
class ScalarEvolution;
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

/// `if (k >= t) *p = x;` in a loop that is unrolled: stores of one place to one address, in different blocks, and those that a loop repeats under a condition. Where nothing between them
/// accesses memory, nvcc makes them one, which has no location (8 loops; in 2 with loads they stay apart; machine code read). After optimisation.
std::vector<SourceAccess> stores_made_one(std::span<const SourceAccess> accesses, const llvm::DominatorTree &tree,
                                          const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution);

} // namespace smem
