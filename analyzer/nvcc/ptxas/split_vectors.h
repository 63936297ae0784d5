// Vector loads of which the machine code needs a part only.
#pragma once

namespace llvm {
class Function;
}

namespace smem::lower {

/// A vector whose elements are used one by one is loaded as far as they need it: ptxas drops words that nothing uses, and of narrow
/// elements a single one is loaded alone.
void split_vectors(llvm::Function &kernel);

} // namespace smem::lower
