// The toolkit's mathematics as the optimiser should see them.
#pragma once

namespace llvm {
class Module;
}

namespace smem {

/// With a toolkit's headers, min(), expf() and the like arrive as calls of libdevice functions without a body or a promise: to LLVM any of
/// them may write memory, wait for other lanes, or not return. nvcc links libdevice before it optimises. Here calls become LLVM's own
/// intrinsics or instructions where it has the same, and what is left is declared as what it is: a function of its arguments. Before
/// optimisation.
void describe_libdevice(llvm::Module &module);

} // namespace smem
