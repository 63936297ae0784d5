// What ptxas sees and nvcc's front end did not.
#pragma once

namespace llvm {
class Function;
}

namespace smem::lower {

/// Takes statements of inline PTX away that are empty (`asm volatile("" ::: "memory")` is no text at all, and holds no access of memory in its place), and
/// makes one conversion of `(int)rintf(x)`, as F2I has the rounding in it. Whether there was any: what is now redundant is to be removed.
bool simplify_as_ptxas(llvm::Function &kernel);

} // namespace smem::lower
