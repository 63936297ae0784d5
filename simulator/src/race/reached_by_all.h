// Which blocks all threads of a block come to, equally often.
#pragma once

#include <vector>

#include "smem/control_flow.h"

namespace smem::race {

/// By block, as far as it shows without running: no branch before it that threads may take differently. What is loaded, or exchanged, may differ.
std::vector<bool> reached_by_all(const Program &program, const ControlFlow &flow);

} // namespace smem::race
