// Basic blocks of a function's machine code. Subroutines that the compiler called instead of inlining them (divisions) are part of
// it, once for each call.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sass/listing.h"

namespace smem::compiled {

struct MachineBlock {
  enum class End : std::uint8_t {
    Falls,   ///< to successors[0]
    Branch,  ///< to successors[0] if the branch is taken, else to successors[1]
    Switch,  ///< to the successor whose address the last instruction computes
    Exit,    ///< the thread ends
    MayExit, ///< where the guard holds; else successors[0]
    Trap,
  };
  std::size_t first = 0, end = 0; ///< instructions of the listing; the one that ends the block is included
  End kind = End::Falls;
  std::vector<std::size_t> successors, predecessors; ///< indices of blocks
};

struct MachineFlow {
  std::vector<MachineBlock> blocks; ///< in reverse post-order, the entry first; all reachable
  std::string error;                ///< not empty: why the control flow is not known
};

/// The instruction's base: "LDS" of "LDS.128".
std::string_view base_of(std::string_view opcode);
bool has_modifier(std::string_view opcode, std::string_view modifier);

MachineFlow find_flow(const ListedFunction &function);

} // namespace smem::compiled
