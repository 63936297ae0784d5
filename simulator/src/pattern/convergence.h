// Where lanes of a warp come to a block together, given the branches at which they may part.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "smem/control_flow.h"

namespace smem::pattern {

using Blocks = std::vector<bool>; ///< by block

class Convergence {
public:
  Convergence(const Program &program, const ControlFlow &flow);

  /// Lanes may go different ways behind this block. Whether that was new.
  bool part_at(BlockId branch);

  bool parts(BlockId block) const { return parts_[block]; }
  /// Lanes that left a common branch on different ways may come here at different times.
  bool apart(BlockId block) const { return apart_[block]; }
  /// The branches whose lanes meet again here.
  const std::vector<BlockId> &meeting_at(BlockId block) const { return meeting_[block]; }
  /// What is computed in `from` may stem from different iterations in the lanes that are together in `at`.
  bool out_of_step(BlockId from, BlockId at) const { return leaves_step(from, at) != kNone; }
  /// The branch at which they parted; kNone: there is none.
  BlockId leaves_step(BlockId from, BlockId at) const;
  /// The block in which just those lanes were together that are together here; kNone: there is no such.
  BlockId together_with(BlockId block);
  BlockId dominator(BlockId block) const { return dominator_[block]; }
  /// In an order in which blocks follow those that dominate them.
  const std::vector<BlockId> &order() const { return order_; }

private:
  bool post_dominates(BlockId a, BlockId b) const;
  void number_post_dominators();
  struct Above {
    BlockId block = kNone;
    bool in_all = false; ///< it is on the same ways of the same partings
  };
  Above find_together_with(BlockId block) const;
  Blocks reach(BlockId from, BlockId around) const;

  struct Parting {
    Blocks cycle;   ///< blocks on ways back to the branch that do not pass its reconvergence point
    Blocks several; ///< blocks that can be reached on several of its ways before that point
    BlockId branch;
  };
  const Program &program_;
  const ControlFlow &flow_;
  std::vector<BlockId> order_, dominator_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      post_; ///< by block: its number, and the one behind those that it post-dominates
  Blocks parts_;
  std::vector<Parting> partings_;
  Blocks apart_;
  std::vector<std::vector<BlockId>> meeting_;       ///< by block
  std::vector<std::vector<std::uint32_t>> cycles_;  ///< by block: the partings whose cycle it is in
  std::vector<std::vector<std::uint32_t>> several_; ///< by block: those of which several ways lead here
  std::vector<std::optional<BlockId>> together_;    ///< by block, as far as it was asked for since the last parting
};

} // namespace smem::pattern
