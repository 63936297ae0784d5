// Places that several iterations of a loop access.
#pragma once

#include <vector>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/rules/rules.h"

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace smem {

/// `for (...) a[i] + a[i + 4]`: accesses of a loop that cicc has left, which come to a place that another access of it comes to some iterations before or after, no
/// further apart than iterations that ptxas may make one: all, where their number is known. Of those that it does it then makes one access. Remainders and the like of
/// such places, `a[(x + i) % n]`, cicc finds in the iterations that it makes one, where LLVM does not.
/// `apart`: what stands between two accesses, in the same iteration or in different ones, keeps both.
std::vector<SourceAccess>
accesses_of_common_places(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, const CompilerRules &rules,
                          llvm::function_ref<bool(const SourceAccess &, const SourceAccess &, bool)> apart);

} // namespace smem
