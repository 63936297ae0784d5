// Launches that pass one array as two arguments.
#pragma once

#include "smem/race.h"

namespace smem {

/// The search takes pointers among the arguments for arrays of their own, whatever a launch passes: leaves open what it calls free of races in global memory where two lead into one.
void leave_open_within_arrays(Races &races, const Program &source, const Launch &launch,
                              const Architecture &architecture);

} // namespace smem
