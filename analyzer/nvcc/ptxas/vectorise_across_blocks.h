// Neighbours in shared memory that are loaded on both sides of a branch.
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace smem::lower {

class AddressSums;

/// A word that is loaded after a branch, in a then or else block or where these reconverge, is loaded before it with the adjacent one, as long as nothing in between ends
/// the region: its load moves there, for vectorise_accesses() to merge them. Where ptxas may do otherwise an uncertainty is raised of both.
void hoist_adjacent_loads(llvm::Function &kernel, AddressSums &addresses, const llvm::DominatorTree &tree,
                          const llvm::LoopInfo &loops);

} // namespace smem::lower
