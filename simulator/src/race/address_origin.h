// Which object of global memory an address is made from, where it is not known itself.
#pragma once

#include <span>
#include <vector>

#include "machine.h"
#include "race/memories.h"

namespace smem::race {

/// By following it to the arguments and variables that it may come from. A pointer that comes out of memory may be any.
AddressOrigin origin_of(Machine &machine, RegisterId address);
std::vector<AddressOrigin> origins_of(Machine &machine, std::span<const RegisterId> addresses);

} // namespace smem::race
