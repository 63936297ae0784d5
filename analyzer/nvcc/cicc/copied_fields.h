// Fields of structures that are also copied as a whole.
#pragma once

namespace llvm {
class Function;
class ScalarEvolution;
} // namespace llvm

namespace smem::lower {

/// A field is read that a copy of the whole structure has just read or written. nvcc knows it from there, or it copies field by field because
/// of it, or ptxas finds it in what the copy loads, or it loads it again. Raises an uncertainty of both, where short copies are still calls; and of what
/// sets memory or copies single bytes.
void note_copied_field_accesses(llvm::Function &kernel, llvm::ScalarEvolution &evolution);

} // namespace smem::lower
