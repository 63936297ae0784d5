// What happens to a kernel between Clang's optimised IR and machine code, as far as it changes memory instructions.
#pragma once

#include <stop_token>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace smem::lower {

/// Kernels of the module with a body, in its order.
std::vector<llvm::Function *> kernels_of(const llvm::Module &module);

/// Shared arrays that `kernel` uses, in the module's order (which is that of the machine code's layout).
std::vector<llvm::GlobalVariable *> shared_arrays_of(const llvm::Function &kernel);

/// Inlines device functions, resolves address spaces, drops duplicate loads and merges adjacent accesses, as nvcc and
/// ptxas do. Declared alignments of shared arrays are as before afterwards. Asked for an end it leaves kernels as they are.
void model_compiler(llvm::Module &module, std::stop_token stop = {});

} // namespace smem::lower
