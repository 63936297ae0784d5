// Loads of shared memory that the source makes by the name of an array of numbers.
#pragma once

#include <vector>

#include "smem/program.h"

namespace smem::race {

/// By operation. What they read is what the source reads: a load of a structure may be one of its bit-fields, of which the store keeps the rest.
std::vector<bool> loads_by_name(const Program &program);

} // namespace smem::race
