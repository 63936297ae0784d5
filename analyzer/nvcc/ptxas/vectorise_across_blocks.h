// Neighbours in shared memory that are loaded on both sides of a branch.
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace smem::lower {

class AddressSums;

/// A word that is loaded behind a branch, in an arm or where arms have met, is loaded in front of it with its neighbour, as long as nothing in between ends
/// the region: its load moves there, for merge_accesses() to merge them. Where ptxas may do otherwise a doubt is raised of both.
void bring_neighbours_together(llvm::Function &kernel, AddressSums &addresses, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops);

} // namespace smem::lower
