// Loads of neighbouring bytes and half-words that nvcc merges although some between them are not wanted.
#pragma once

namespace llvm {
class AAResults;
class Function;
} // namespace llvm

namespace smem::lower {

/// nvcc's vectoriser loads what is missing between the members of an aligned structure, and behind the last one: `in[i].x` and `in[i].z` of uchar4 are
/// one load of 32 bits. Read off PTX and machine code of all pairs, triples and more of up to eight members (nvcc 13.0): the gap is one element, or two behind the
/// first; what is behind four in a row begins anew. ptxas takes words apart again of which a register is not wanted: what is left of such a row has a
/// record of its offset in it, for the row is known to be aligned all the same.
void vectorise_with_gap_fill(llvm::Function &kernel, llvm::AAResults &aliases);

} // namespace smem::lower
