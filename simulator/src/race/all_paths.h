// Global memory, whichever way conditions go that arguments decide.
#pragma once

#include "machine.h"

namespace smem::race {

/// Whether no two threads of the grid race in global memory, whatever the arguments are that the launch has no values of: conditions that all
/// threads of a block share, and that guard barriers, are taken both ways. False: it is not known. `machine` has executed nothing yet.
bool free_on_all_paths(Machine &machine);

} // namespace smem::race
