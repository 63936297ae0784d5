// Cases of switches that others fall through to.
#pragma once

#include <span>

#include <llvm/Analysis/UniformityAnalysis.h>

#include "nvcc/rules/rules.h"

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace smem {

struct SourceAccess;

/// nvcc makes a tree of comparisons or a table of a switch. Where its cases fall through more than once, which lanes wait for which depends on that tree. Raises
/// Uncertainty::SwitchReconvergence of accesses in such cases.
void note_fallen_through(llvm::Function &kernel, const llvm::DominatorTree &tree, llvm::UniformityInfo &uniformity,
                         std::span<const SourceAccess> accesses, const CompilerRules &rules);

} // namespace smem
