// Floating-point arithmetic of straight code, for floors under times.
#pragma once

#include "smem/arithmetic_work.h"

namespace llvm {
class BasicBlock;
}

namespace smem::lower {

/// What nvcc cannot do without. Half precision, integers, conversions and comparisons are not counted.
ArithmeticWork arithmetic_of(const llvm::BasicBlock &block);

} // namespace smem::lower
