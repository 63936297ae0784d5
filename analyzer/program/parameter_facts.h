// What a kernel's own code says of its arguments where it accesses memory.
#pragma once

#include <vector>

#include "smem/program.h"

namespace smem::lower {

/// A condition that holds whenever the block is executed, as the source says it: `__builtin_assume(n % 32 == 0)`.
struct AssumedCondition {
  BlockId block = kNone;
  RegisterId condition = kNone;
  SourceLocation location;
};

/// Fills Program::parameter_facts and MemoryOperation::facts of a program that is not sliced yet: from conditions that lead to an operation whatever
/// the way, and from `assumed`. No thread goes on after a block of `ending`, as after an assertion that has failed.
void find_parameter_facts(Program &program, const std::vector<AssumedCondition> &assumed,
                          const std::vector<BlockId> &ending);

} // namespace smem::lower
