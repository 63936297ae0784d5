// Which machine instruction counts for which space and operation.
#pragma once

#include "model.h"

namespace smem::compare {

/// Where an instruction's access may go.
enum class Reach {
  Shared,
  Global,
  Both,    ///< asynchronous copies: global read and shared write in one
  Generic, ///< either, as its counters say
  Local,   ///< registers that were spilled, arrays of a thread
  None     ///< nothing that is counted
};

struct OpcodeClass {
  Reach reach = Reach::None;
  Operation operation = Operation::Undecoded;
};

/// Of a mnemonic with or without its modifiers (`LDS`, `LDS.128`); nothing for one that the table does not know.
std::optional<OpcodeClass> classify_opcode(std::string_view opcode);

} // namespace smem::compare
