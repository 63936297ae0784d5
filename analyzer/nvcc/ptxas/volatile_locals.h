// Local variables that the source declares volatile.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace smem::lower {

/// `volatile int sink = tile[t];`: cicc keeps the accesses of such a variable apart, and then makes a register of it, or local memory without a word of volatile; ptxas drops what nothing reads
/// (nvcc 13.0 for sm_90, PTX and machine code of 15 kernels read). An array with an index that is not known stays in memory. Forgets that the others are volatile; returns if there were any.
bool release_volatile_locals(llvm::Function &kernel);

} // namespace smem::lower
