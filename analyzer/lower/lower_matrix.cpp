// Warp matrix fragments (wmma).
#include "lower/kernel_lowering.h"

namespace smem::lower {

bool KernelLowering::lower_matrix_intrinsic(const llvm::IntrinsicInst &) { return false; }

} // namespace smem::lower
