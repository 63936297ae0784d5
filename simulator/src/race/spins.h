// Tests of a phase of a barrier in shared memory that are repeated until it is complete.
#pragma once

#include <set>

#include "smem/program.h"

namespace smem::race {

/// Those after which, where the phase is not complete, a thread only comes to the same test again: it does nothing, and nothing is another
/// value then. Such a test waits.
std::set<const Instruction *> find_spins(const Program &program);

} // namespace smem::race
