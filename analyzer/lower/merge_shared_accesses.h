// What ptxas makes of neighbouring accesses to shared memory.
#pragma once

#include <cstdint>
#include <map>

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace smem::lower {

/// Byte offsets of the kernel's shared arrays in the block's window, as the layout places them.
using SharedPlaces = std::map<const llvm::GlobalVariable *, std::uint64_t>;

/// Merges loads and stores of 32- and 64-bit pieces into the 64- and 128-bit accesses that the machine code has.
void merge_shared_accesses(llvm::Function &kernel, const SharedPlaces &places);

} // namespace smem::lower
