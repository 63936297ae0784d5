// Which memory operations some iterations of a loop pass by.
#pragma once

#include <vector>

#include "smem/control_flow.h"
#include "smem/program.h"

namespace smem {

/// By memory operation.
struct ConditionalOperations {
  std::vector<bool> conditional; ///< not every iteration (or launch) of its loop reaches it
  std::vector<bool> behind_exit; ///< it would be conditional, but what does not reach it ends the kernel there
};

ConditionalOperations find_conditional_operations(const Program &program, const ControlFlow &flow);

/// Neither predicated nor of a source of fewer bytes: Access::plain_copy.
bool is_plain_copy(const MemoryOperation &operation, bool conditional);

} // namespace smem
