// Accesses through pointers that a local variable keeps.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace smem {

/// Where nvcc finds out which pointer a local variable holds, it knows more of what it points to: its space, its alignment, its neighbours. When
/// it does depends on the order of its passes (CUTLASS's iterators it sees through, of a loop of 32 such steps only the first three).
/// Raises an uncertainty of every access through such a pointer that `function` has now.
void note_local_pointer_accesses(llvm::Function &function);

} // namespace smem
