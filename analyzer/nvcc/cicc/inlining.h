// Calls of device functions, which machine code mostly has not.
#pragma once

namespace llvm {
class Function;
class Module;
class ScalarEvolution;
} // namespace llvm

namespace smem::lower {

/// Does it call functions that nvcc is told to leave alone, and that write nothing?
bool calls_readers(const llvm::Function &function);

/// To cicc such a call is in no one's way: it merges accesses across it, which are apart here once what the function does stands between them. To be called before
/// inlining.
void note_neighbours_across_readers(llvm::Function &function, llvm::ScalarEvolution &evolution);

/// Asks for all functions that can be to be inlined into the kernels: the analysis needs them there. Calls of those that nvcc is told to leave alone are marked, as
/// it neither merges nor drops accesses across them. Whether there were any.
bool request_inlining(llvm::Module &module);

/// Takes the marks away.
void unmark_calls(llvm::Function &kernel);

/// Of a kernel whose marks have been taken away: whether there were any.
bool had_calls(const llvm::Function &kernel);

} // namespace smem::lower
