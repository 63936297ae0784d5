// What iterations of a loop have in common with what stands outside of it.
#pragma once

#include <vector>

#include "nvcc/rules/rules.h"

namespace llvm {
class Function;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace smem {

struct SourceAccess;

/// `c = s[x + 6]; for (i < 64) v += s[x + 3 * i] * c`: ptxas makes straight code of many loops of known length that cicc has left, or of some of their first or last iterations (those that
/// are left over where it unrolls), and of accesses of one address one. Which loops, and how much of them, depends on its own measures. Accesses in such loops that meet one outside of them,
/// or in another one, with no barrier between: both. And loads in such loops that a loop around them does not change, which leave that one.
std::vector<SourceAccess> accesses_beside_iterations(llvm::Function &kernel, const llvm::LoopInfo &loops,
                                                     llvm::ScalarEvolution &evolution, const CompilerRules &rules);

} // namespace smem
