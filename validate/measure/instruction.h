// What can be told of a machine instruction from its encoding alone: sm_70 and later, 128-bit instructions.
#pragma once

#include <cstdint>
#include <string_view>

namespace smem_lint::validate {

struct Instruction {
  const char *opcode = "";    // NVIDIA's mnemonic; empty if it is not one of the memory instructions
  const char *space = "";     // shared, global, generic, local, constant
  const char *operation = ""; // load, store, atomic, reduction, matrix-load, matrix-store, copy
  int width = 0;              // bits of one lane's access; 0 where the encoding does not tell
};

// `code` begins at the instruction.
Instruction decode(std::string_view code);

} // namespace smem_lint::validate
