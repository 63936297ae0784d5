// Branches that repeat the comparison of one nested in the branch before them.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace smem::lower {

/// `if (a) { b; if (x == 3) c; } if (x == 3) d; else e;`: ptxas may send the lanes that skip c straight to e, and those that made c and those that skipped
/// b then run d apart; likewise where another such branch follows in place of e, `if (x == 3) { d; if (y == 4) e; } if (y == 4) f;`, as lanes wait for one another
/// at the last of these branches only. With neither they wait before d. Which of these ptxas does has no known rule: raises
/// Uncertainty::RepeatedCondition of what only the second branch leads to.
void note_repeated_conditions(llvm::Function &kernel, const llvm::DominatorTree &tree,
                              llvm::UniformityInfo &uniformity);

} // namespace smem::lower
