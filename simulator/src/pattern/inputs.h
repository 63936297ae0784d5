// Which arguments decide what a memory instruction's requests cost: whatever else a launch has, these have to be known.
#pragma once

#include <vector>

#include "smem/control_flow.h"
#include "smem/pattern.h"

namespace smem::pattern {

/// By Program::sites. Of arguments beyond the first 62 of a program nothing is said.
std::vector<PatternInputs> inputs_of(const Program &program, const ControlFlow &flow);

} // namespace smem::pattern
