// What the interpreter wants to know of a control-flow graph before it runs it.
#pragma once

#include <vector>

#include "smem/program.h"

namespace smem {

/// A header phi whose value changes by the same amount every iteration: next = phi + sum(added) - sum(subtracted), the
/// operands being defined outside the loop.
struct Induction {
  std::vector<RegisterId> added;
  std::vector<RegisterId> subtracted;
  bool known = false;
  bool fits = false; ///< none of its sums wraps around, as signed numbers (kNoSignedWrap)
};

struct Loop {
  BlockId header = kNone;
  std::uint32_t parent = kNone;
  std::vector<bool> contains;        ///< by block
  std::vector<RegisterId> defined;   ///< registers that the loop writes, header phis included
  std::vector<Induction> inductions; ///< parallel to the header's phis
  std::vector<Induction>
      steady; ///< likewise, with operands that the loop may compute: they are there from its second iteration on
  bool all_inductive = false;
};

/// Several branches behind `from` lead to `at`, and others past it: `if (a || b) c;`, `if (a) { b; if (c) return; } d;`. The lanes that come to `at`
/// wait there for one another (BSYNC); those that go elsewhere are taken off the list (BREAK, EXIT). Of several such places behind one branch
/// the last one counts.
struct Meeting {
  BlockId from = kNone, at = kNone;
  std::vector<bool> inside; ///< by block: on a way from `from` to `at`
};

struct ControlFlow {
  std::vector<std::vector<BlockId>> predecessors;
  std::vector<BlockId> immediate_dominator;      ///< the entry: itself; kNone: not reached
  std::vector<BlockId> immediate_post_dominator; ///< kNone: only the exit post-dominates
  std::vector<Meeting> meetings;
  std::vector<std::uint32_t> meeting_behind; ///< by block: index into meetings, kNone if its branch has none
  std::vector<std::uint32_t> meeting_around; ///< by block: the smallest of those it is inside of
  std::vector<std::uint32_t> loop_of_header; ///< by block: index into loops, kNone if no header
  std::vector<std::uint32_t> innermost_loop; ///< by block
  std::vector<Loop> loops;                   ///< natural loops of the reducible part
};

ControlFlow analyze_control_flow(const Program &program);

} // namespace smem
