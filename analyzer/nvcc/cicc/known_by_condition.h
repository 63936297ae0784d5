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

/// `if (n > 5) x += in[i + 1]; s[i] = x; s[i + 1] = x;`: LLVM makes a phi of the two computations of i + 1 where partial redundancies go, which hides that s[i + 1] is beside s[i]; nvcc
/// merges them. Raises uncertainties.
void note_joined_indices(llvm::Function &kernel, std::span<const SourceAccess> accesses);

} // namespace smem
