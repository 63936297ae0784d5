// Loads in the straight code that a thread may end in.
#pragma once

#include <vector>

#include "nvcc/facts/accesses.h"

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace smem::lower {

/// `if (c) x += s[t]; if (t >= n) return; out[t] = x;`: ptxas predicates the load and the end of the thread, so that both are in one block, and schedules the load before the end or after it, where
/// fewer lanes are left. Raises Uncertainty::LoadSinking of loads of which only what follows such an end needs anything.
void note_loads_before_exits(llvm::Function &kernel, const llvm::DominatorTree &tree,
                             const std::vector<SourceAccess> &accesses);

} // namespace smem::lower
