// Loads that may be done before the branch that leads to them.
#pragma once

#include "nvcc/rules/rules.h"

namespace llvm {
class Function;
} // namespace llvm

namespace smem {

/// Raises Uncertainty::IfConversion of loads that cannot fail, such as those of a constant address in an array, in a short block that a branch leads into or past: nvcc makes
/// selects of it, and all lanes load.
void note_speculated_loads(llvm::Function &kernel, const CompilerRules &rules);

} // namespace smem
