// The cases of one memory operation over all that interpretations supposed.
#pragma once

#include <string>
#include <vector>

#include "domain.h"
#include "figures.h"

namespace smem::pattern {

/// How a quantity is, of which something had to be supposed.
struct Branch {
  Quantity quantity;
  std::vector<Alternative> ways;
  bool none = false; ///< it is none of those
};

/// What an operation costs where all of that holds.
struct Leaf {
  std::vector<Branch> path; ///< in the order in which it was supposed
  Cases cases;
};

/// Of leaves that together cover all launches that reach the operation.
Cases of_leaves(const std::vector<Leaf> &leaves);

} // namespace smem::pattern
