// Where a warp keeps its registers.
#pragma once

#include <vector>

#include "smem/control_flow.h"
#include "smem/program.h"

namespace smem {

/// Most registers are read by instructions behind their own in the same block and by nothing else: they share a few places in turn. A register that
/// other blocks, conditions, phis or loops look at has a place of its own, and so has what memory instructions write lane by lane.
struct RegisterPlaces {
  std::vector<std::uint32_t> place; ///< by register
  std::vector<bool> shared;         ///< by register: what others left there is not its own
  std::vector<std::uint8_t> width;  ///< by place: of the register that has it to itself; 32 where it is shared
};

RegisterPlaces place_registers(const Program &program, const ControlFlow &flow);

} // namespace smem
