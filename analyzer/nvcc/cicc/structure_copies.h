// Copies of structures as nvcc makes them.
#pragma once

#include "nvcc/rules/rules.h"

namespace llvm {
class LoadInst;
class Module;
} // namespace llvm

namespace smem {

/// nvcc copies a structure as one value of its type; LLVM's passes then take it apart into its fields where there is no padding between them
/// or where they go separate ways, and make a call of what is left. Clang begins with the call. Before optimisation, behind
/// copy_vectors_as_nvcc().
void copy_structures_as_nvcc(llvm::Module &module, const CompilerRules &rules);

/// One of the fields that a copy loads, which nothing uses: an access that the source does not make.
bool is_unused_field(const llvm::LoadInst &load);

} // namespace smem
