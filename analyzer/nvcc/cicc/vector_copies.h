// Copies of small structures as nvcc makes them.
#pragma once

namespace llvm {
class Module;
}

namespace smem {

/// nvcc copies a structure that is aligned to its size, of at most 16 bytes and of equal fields (float4, uchar4, a packet of eight
/// 16-bit values), as one vector: the load of such a copy happens or does not, but its elements do not go separate ways. Clang
/// leaves a call that LLVM takes apart, field by field. Before optimisation.
void copy_vectors_as_nvcc(llvm::Module &module);

/// Where nvcc casts the fields of such a copy when it uses them, floats that are taken for bytes, it loads what they are cast to, on the line of
/// the first use. Integers where fractions are read (an int4 for four floats) it loads as fractions, and counts the load there or where it
/// copied them: an uncertainty. After optimisation.
void retype_vector_copies_as_nvcc(llvm::Module &module);

} // namespace smem
