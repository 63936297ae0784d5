// Control-flow graph of a Program: post-dominators, control dependence, clean-up.
#pragma once

#include <vector>

#include "smem/program.h"

namespace smem::lower {

class ControlFlow {
public:
  explicit ControlFlow(Program &program);

  /// Where all paths from `block` meet again; kNone if only at the end of the kernel.
  BlockId post_dominator(BlockId block) const { return post_dominator_[block]; }
  /// Blocks whose branch decides whether `block` runs.
  const std::vector<BlockId> &control_dependence(BlockId block) const { return dependence_[block]; }

  /// After branches were changed: drops unreachable blocks, the phi edges that are gone and phis whose result is not in
  /// `needed`; joins blocks that always follow each other.
  void compact(const std::vector<bool> &needed);

private:
  void compute_post_dominators();
  void compute_dependence();

  Program &program_;
  std::vector<BlockId> post_dominator_;
  std::vector<std::vector<BlockId>> dependence_;
};

} // namespace smem::lower
