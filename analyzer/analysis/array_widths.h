// How wide the accesses of a shared array are: what the rows of another layout have to be multiples of.
#pragma once

#include "smem/program.h"

#include <span>

namespace smem {

/// SharedArray::widest and ::widest_in_source of all arrays of `programs`. An array that several kernels are made of (instantiations, functions that are
/// inlined) has the widest access of all of them. `sources`: the kernels before optimisation, or some of them.
void note_array_widths(std::span<Program> programs, std::span<const Program> sources);

} // namespace smem
