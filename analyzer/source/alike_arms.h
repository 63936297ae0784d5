// Accesses that two ways out of a branch have alike: nvcc may make one of them, and leave that without a place.
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace smem {

/// Raises Doubt::Arms of them.
void doubt_alike_arms(llvm::Function &function, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops);

} // namespace smem
