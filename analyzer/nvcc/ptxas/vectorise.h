// What the compiler makes of neighbouring accesses.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace smem::lower {

/// Byte offsets of the kernel's shared arrays in the block's window, as the layout places them.
using SharedPlaces = std::map<const llvm::GlobalVariable *, std::uint64_t>;

/// Merges loads and stores into the wider ones that the machine code has: in shared memory by where the arrays are placed, in
/// global memory by the width of other accesses to the same base.
void vectorise_accesses(llvm::Function &kernel, const SharedPlaces &places);

/// Has `access` been merged from accesses to several arrays?
bool spans_arrays(const llvm::Instruction &access);
/// Those, which nothing else may lead to any more.
std::vector<const llvm::GlobalVariable *> spanned_arrays(const llvm::Instruction &access);

} // namespace smem::lower
