// Addresses that several iterations of a loop access.
#pragma once

#include "nvcc/rules/rules.h"

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace smem {

class ReadOnlyMemory;

/// `for (...) a[i] + a[i + 4]`: accesses of a loop that cicc has left, which come to an address that another access of it comes to some iterations before or after, no
/// further apart than iterations that ptxas may make one: all, where their number is known. Of those that it does it then makes one access, unless a barrier stands between. Remainders
/// and the like of such addresses, `a[(x + i) % n]`, cicc finds in the iterations that it makes one, where LLVM does not. Raises Uncertainty::RedundantAccess of them.
void note_common_addresses(llvm::Function &kernel, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                           llvm::ScalarEvolution &evolution, const ReadOnlyMemory &read_only,
                           const CompilerRules &rules);

} // namespace smem
