// Calls of device functions, which machine code mostly has not.
#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace smem::lower {

/// Asks for all functions that can be to be inlined into the kernels: the analysis needs them there. Calls of those that nvcc is told to leave alone are marked, as
/// it neither merges nor drops accesses across them. Whether there were any.
bool request_inlining(llvm::Module &module);

/// Takes the marks away.
void unmark_calls(llvm::Function &kernel);

} // namespace smem::lower
