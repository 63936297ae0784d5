// Which object of global memory an address is made from, where it is not known itself.
#pragma once

#include "machine.h"
#include "race/memories.h"

namespace smem::race {

/// By following it to the arguments and variables that it may come from. A pointer that comes out of memory may be any.
AddressOrigin origin_of(Machine &machine, RegisterId address);

} // namespace smem::race
