// Bitwise functions of three operands as and, or, exclusive or and complement: what LOP3 and PLOP3 compute.
#pragma once

#include <array>
#include <cstdint>

#include "program/program_builder.h"

namespace smem::compiled {

/// `table` has a bit for each combination: that of the first operand counts 4, of the second 2, of the third 1. Operands that are
/// constantly 0 or all ones make for a shorter form.
RegisterId bitwise_function(lower::ProgramBuilder &builder, const std::array<RegisterId, 3> &operands,
                            std::uint8_t table);

} // namespace smem::compiled
