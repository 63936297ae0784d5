// Accesses that two ways out of a branch have alike: nvcc may make one of them, and leave that without a place.
#pragma once

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace smem {

/// Notes which blocks are arms that may end alike. nvcc looks for these before it unrolls loops, so that an arm that ends with a loop never is one.
void note_arms(llvm::Function &function);
bool is_noted_arm(const llvm::BasicBlock &block);

/// Raises Doubt::Arms of them.
void doubt_alike_arms(llvm::Function &function, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops);

} // namespace smem
