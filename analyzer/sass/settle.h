// What the machine code says about a kernel's rows, in place of what the source alone leaves open.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sass/lower_machine_code.h"
#include "smem/simulate.h"

namespace smem::compiled {

/// How the rows of a kernel (place, space, operation) came out.
struct Settled {
  std::size_t confirmed = 0; ///< machine code and source agree in every count
  std::size_t corrected = 0; ///< they do not: the machine code's counts are given
  std::size_t absent = 0;    ///< the machine code has no such instruction
  std::size_t open = 0;      ///< the machine code's counts are not known: the source's stand, at most as assumed
};

/// One launch of a kernel, simulated twice: from its source and from its machine code.
struct SimulatedTwice {
  SimulationResult *source = nullptr; ///< gets the outcome
  SimulationResult machine;
};

/// Changes the sites of `source` and the results of all its launches alike, so that they are those of the machine code wherever that is
/// known.
Settled settle(Program &source, const LoweredMachineCode &machine, std::vector<SimulatedTwice> &launches);

/// A kernel whose machine code is there and cannot be followed: claims about it become assumptions.
void leave_unsettled(SimulationResult &result, const std::string &why);

} // namespace smem::compiled
