// An instruction's bits -> the text that nvdisasm prints for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sass/disassembler/encoding.h"

namespace smem::compiled {

struct DecodedInstruction {
  std::string text; ///< "@!P0 BRA `(.L_x_40)"; without `.reuse`
  std::optional<std::uint64_t>
      target;        ///< of a branch: the offset in the function, which the label `.L_x_40` is to name
  std::string error; ///< not empty: what of it is not known
};

/// The label of an offset in a function: ".L_x_40".
std::string label_of(std::uint64_t offset);

/// `offset`: of the instruction in its function.
DecodedInstruction decode_instruction(const EncodingTable &table, const InstructionWord &word, std::uint64_t offset);

} // namespace smem::compiled
