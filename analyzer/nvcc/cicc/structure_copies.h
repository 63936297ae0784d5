// Copies of structures as nvcc makes them.
#pragma once

#include "nvcc/rules/rules.h"

namespace llvm {
class Module;
}

namespace smem {

/// nvcc copies a structure as one value of its type; LLVM's passes then take it apart into its fields where there is no padding between them
/// or where they go separate ways, and make a call of what is left. Clang begins with the call. Before optimisation, behind
/// copy_vectors_as_nvcc().
void copy_structures_as_nvcc(llvm::Module &module, const CompilerRules &rules);

/// What was left whole for the padding in it nvcc loads field by field in the end, those that somebody uses; single bytes that stand in a row,
/// padding behind them included, as two, four or eight at once, the last as half-words. After optimisation.
void split_structures_as_nvcc(llvm::Module &module);

} // namespace smem
