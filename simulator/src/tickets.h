// Counters that tell blocks apart: one lane of every block adds to one place of global memory and learns how many came before.
//
// Which block comes when is not known, but often does not matter: "the last one sums up what all have left" costs the same,
// whichever it is. What follows from such a number is counted as if blocks came in the order of their indices, and is an assumption.
#pragma once

#include <cstdint>
#include <vector>

#include "smem/control_flow.h"

namespace smem {

struct Ticket {
  std::uint32_t operation = 0;    ///< index of the memory operation
  SiteId site = kNone;            ///< of this operation alone
  std::vector<SiteId> dependents; ///< whose execution or address depends on what the operation returns
  bool drawn = false;             ///< some execution took what it returned for the block's number
  bool spoiled = false;           ///< and some could not
};

/// Atomics that may be tickets as far as the program tells: integer sums whose operand is given, outside of loops.
std::vector<Ticket> find_tickets(const Program &program, const ControlFlow &flow);

} // namespace smem
