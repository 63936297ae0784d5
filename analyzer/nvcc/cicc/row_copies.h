// Copies of structures that nvcc has as memory.
#pragma once

#include "nvcc/rules/rules.h"

namespace llvm {
class Module;
}

namespace smem {

/// A structure that is_aligned_beyond_members() becomes a row of the widest accesses where it is only copied, from memory to memory or through a variable. The
/// others are left to copy_structures_as_nvcc(). Before optimisation, behind copy_vectors_as_nvcc().
void copy_rows_as_nvcc(llvm::Module &module, const CompilerRules &rules);

/// Of the two copies through a variable nvcc makes one, on the line of the second, unless memory may be written in between; then it copies fields:
/// Uncertainty::StructureCopy. After optimisation.
void forward_rows(llvm::Module &module);

} // namespace smem
