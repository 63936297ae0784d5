// Pointers, and indices in loops, that depend on a condition: some compiler branches there, and makes several accesses of one.
#pragma once

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace smem {

/// Raises Uncertainty::IfConversion of the accesses. Where loops have been `unrolled`, values that join tell nothing.
void note_selected_addresses(llvm::Function &function, const llvm::LoopInfo &loops, bool unrolled);

} // namespace smem
