// Where a kernel's shared arrays are.
#pragma once

#include <vector>

#include "nvcc/ptxas/vectorise.h"

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace smem::lower {

/// Shared arrays that `kernel` uses, in the module's order (which is that of the machine code's layout).
std::vector<llvm::GlobalVariable *> shared_arrays_of(const llvm::Function &kernel, unsigned scalarised_elements);

/// Their offsets in the block's window.
SharedOffsets lay_out_shared_arrays(const llvm::Function &kernel, unsigned scalarised_elements);

} // namespace smem::lower
