#include "lower/kernel_lowering.h"
namespace smem::lower {
void KernelLowering::lower_inline_ptx(const llvm::CallBase &call, const llvm::InlineAsm &) { define_opaque(call, "result of inline PTX" + at_line(call)); }
} // namespace smem::lower
