// Loads that are needed on some ways only.
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class PostDominatorTree;
class ScalarEvolution;
} // namespace llvm

namespace smem {

/// `if (c) a = p[i]; b = p[i];`: the second load may move into the other arm, or the first in front of the branch. Raises Doubt::Repetition of both.
/// Before optimisation has chosen.
void doubt_partly_redundant(llvm::Function &function, const llvm::DominatorTree &tree, const llvm::PostDominatorTree &post, llvm::ScalarEvolution &evolution);

} // namespace smem
