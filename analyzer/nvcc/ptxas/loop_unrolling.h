// What ptxas makes of loops that cicc has left.
#pragma once

#include <vector>

#include "nvcc/rules/rules.h"

namespace llvm {
class Instruction;
class LoadInst;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace smem {

/// Certain is only that a loop stays as it is.
enum class Chunks { No, Unlikely, Likely };

/// What ptxas makes of a loop, `count` iterations of which are one already.
Chunks chunks_of(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count, const CompilerRules &rules);

/// Shared loads and stores that meet those of the next iterations in one of the 16 bytes that ptxas accesses at once: they step through an array from a constant
/// on, or from what may be a multiple of 16; `count` iterations are one already. `stays`: ptxas is told to leave the loop as it is.
std::vector<llvm::Instruction *> words_across_iterations(const llvm::Loop &loop, llvm::ScalarEvolution &evolution,
                                                         unsigned count, bool stays = false);

/// Shared loads that step down through their array by their size. Where ptxas unrolls such a loop of known length once more and is left with a rest, it merges in the rest alone, or in nothing.
std::vector<llvm::Instruction *> descending_loads(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// Shared loads of 16 bits that step through their array by as much: which of those of several iterations ptxas merges has no rule.
std::vector<llvm::LoadInst *> halves_across_iterations(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// Shared accesses whose next iteration's is within the 16 bytes that one instruction reads or writes at most.
std::vector<llvm::Instruction *> accesses_within_window(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// Are there shared loads whose next iteration's is in the same window of what ptxas loads at once, where the up to `count` - 1 iterations that are left over
/// are straight code?
bool merges_in_straight_rest(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count);

/// Loads of neighbours in one iteration, and stores, that ptxas may merge and cicc does not: in shared memory, if the array is not declared to be aligned, and fields of several sizes, the widest of
/// which tells how a structure in global memory is aligned. A rolled loop, and the loop of the iterations that are left over of one that is unrolled, may have a
/// pointer to the midst of them (loop strength reduction): of four words two pairs merge there, of two none; not in all such loops. `irregular`: only those in rows of several sizes, or of no
/// power of two, of which the pointer may be to any, so that it matters in a loop of several iterations at a time as well.
std::vector<llvm::Instruction *> stepping_adjacent_accesses(const llvm::Loop &loop, llvm::ScalarEvolution &evolution,
                                                            bool irregular = false);

} // namespace smem
