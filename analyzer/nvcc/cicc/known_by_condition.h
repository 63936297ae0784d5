// Addresses that a condition on the way fixes.
#pragma once

#include <span>

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace smem {

struct SourceAccess;

/// `i = t / 4; ... if (t == 0) x = s[i] + s[i + 1];`: nvcc knows i to be 0 where it has moved its computation behind the condition by the time it looks there, as where i is used once
/// (24 of 24 probes of six operations) and not where it is used twice (16 of 16 of four; sums and products become part of the address). What it makes of the array's accesses there,
/// and whether it loads before the branch what has a constant address, is uncertain.
void note_known_by_condition(llvm::Function &kernel, const llvm::DominatorTree &tree,
                             std::span<const SourceAccess> accesses);

} // namespace smem
