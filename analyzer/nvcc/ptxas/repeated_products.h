// Matrix products of which ptxas may leave some out.
#pragma once

#include <llvm/IR/InstrTypes.h>

namespace smem::lower {

/// Of products (wgmma.mma_async) that have the same operands in shared memory, with nothing between them that has an effect, ptxas keeps only
/// some: 2 of 8 in most cases, 3 of 4, 6 of 8.
bool may_be_left_out(const llvm::CallBase &product);

} // namespace smem::lower
