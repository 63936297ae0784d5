// Loads that are used behind a branch alone.
#pragma once

#include <vector>

#include "nvcc/facts/accesses.h"

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace smem {
class ReadOnlyMemory;
}

namespace smem::lower {

/// `x = in[t]; y = __shfl_xor_sync(…); if (t < 40) out[t] = x + y;`: ptxas moves what one block alone uses to where the branch has
/// led there, across exchanges between lanes; what is only read cicc moves into any block, past barriers and stores. What is there already stays. What several blocks
/// use one after the other, under their conditions: some of it is loaded for some of the lanes. Raises Uncertainty::LoadSinking.
void note_late_sinking(llvm::Function &kernel, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                       const std::vector<SourceAccess> &accesses, const ReadOnlyMemory &read_only);

} // namespace smem::lower
