// Loads of neighbouring bytes and half-words that nvcc merges although some between them are not wanted.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class AAResults;
class Function;
class Instruction;
} // namespace llvm

namespace smem::lower {

/// nvcc's vectoriser loads what is missing between the members of an aligned structure, and behind the last one: `in[i].x` and `in[i].z` of uchar4 are
/// one load of 32 bits. Read off PTX and machine code of all pairs, triples and more of up to eight members (nvcc 13.0): the gap is one element, or two behind the
/// first; what is behind four in a row begins anew. ptxas takes words apart again of which a register is not wanted: those need no model.
void vectorise_with_gap_fill(llvm::Function &kernel, llvm::AAResults &aliases);

/// Of a load that was part of a row of four words until ptxas took that apart: how many bytes behind its beginning it is. That the row is aligned is
/// known all the same.
std::optional<std::uint32_t> place_in_row(const llvm::Instruction &access);

} // namespace smem::lower
