// Inline PTX whose results nothing uses.
#pragma once

namespace llvm {
class Function;
}

namespace smem::lower {

/// To ptxas `asm volatile` is like any other text: it drops `ldmatrix`, `ld` and `mma` whose results come to nothing.
void drop_unused_ptx(llvm::Function &kernel);

} // namespace smem::lower
