// The kernels of a module.
#pragma once

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace smem {

/// Those with a body, in the module's order.
std::vector<llvm::Function *> kernels_of(const llvm::Module &module);

} // namespace smem
