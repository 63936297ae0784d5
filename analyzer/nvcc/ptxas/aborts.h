// Paths that end a launch.
#pragma once

namespace llvm {
class Function;
}

namespace smem::lower {

/// A launch that aborts has no counts: what leads to an abort only is not taken.
void drop_aborts(llvm::Function &kernel);

} // namespace smem::lower
