// Loads that are used behind a branch alone.
#pragma once

#include <vector>

#include "nvcc/facts/accesses.h"

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace smem::lower {

/// `x = in[t]; y = __shfl_xor_sync(…); if (t < 40) out[t] = x + y;`: ptxas moves what one block alone uses to where the branch has
/// led there, across exchanges between lanes; what is only read cicc moves into any block, past barriers and stores. What is there already stays. Raises Uncertainty::LoadSinking.
void note_late_sinking(llvm::Function &kernel, const llvm::DominatorTree &tree,
                       const std::vector<SourceAccess> &accesses);

} // namespace smem::lower
