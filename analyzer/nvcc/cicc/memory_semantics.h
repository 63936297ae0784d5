// What Clang's code generation says of accesses, atomics and inline PTX, as nvcc takes it. Before optimisation.
#pragma once

namespace llvm {
class Module;
}

namespace smem {

/// nvcc lets a store of one type interfere with loads of another.
void forget_types(llvm::Module &module);

/// But two fields of one structure's type, whatever objects these are of, never do: `out[i].x` and `in[j].y`. It goes by the innermost structure that the address is computed with, and by no other type.
void tell_fields_apart(llvm::Module &module);

/// CUDA's atomics order nothing but themselves: nvcc keeps in registers what was loaded before one. Clang's builtins make ordered ones of them.
void relax_atomics(llvm::Module &module);

/// To nvcc inline PTX that is neither volatile nor touches memory is a computation like others: loops around it unroll, and what nothing uses goes.
/// Clang takes every statement for one that lanes may have to reach together.
void free_computing_ptx(llvm::Module &module);

/// Clang's own headers have atomics of vectors as assembly that only computes; nvcc's are no assembly and always happen.
void keep_vector_atomics(llvm::Module &module);

/// nvcc aligns `extern __shared__` arrays to 16 bytes, whatever their elements are, or to more where they say so: cicc merges neighbours by that.
void align_dynamic_shared(llvm::Module &module);

} // namespace smem
