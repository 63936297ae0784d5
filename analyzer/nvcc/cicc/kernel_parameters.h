// What a kernel is handed.
#pragma once

namespace llvm {
class Function;
}

namespace smem::lower {

/// Parameters live in constant memory; a kernel that indexes one dynamically or writes to it works on a local copy.
void copy_written_parameters(llvm::Function &kernel);

/// The driver hands kernels global pointers only, whether as parameters or inside structures passed by value.
void mark_kernel_pointers(llvm::Function &kernel);

} // namespace smem::lower
