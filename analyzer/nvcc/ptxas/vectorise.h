// What the compiler makes of adjacent accesses.
#pragma once

#include <cstdint>
#include <map>

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace smem::lower {

/// Byte offsets of the kernel's shared arrays in the block's window, as the layout has them.
using SharedOffsets = std::map<const llvm::GlobalVariable *, std::uint64_t>;

/// Before constants are split off addresses: `(16 * i | 1)` and `(16 * i | 2)` are neighbours to LLVM, to nvcc perhaps not. Raises uncertainties.
void note_adjacent_by_bits(llvm::Function &kernel, const SharedOffsets &offsets);

/// Merges loads and stores into the wider ones that the machine code has: in shared memory by where the arrays are placed, in
/// global memory by the width of other accesses to the same base.
void vectorise_accesses(llvm::Function &kernel, const SharedOffsets &offsets);

} // namespace smem::lower
