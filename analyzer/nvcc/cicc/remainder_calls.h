// Remainders of floating-point numbers, which are functions of libdevice.
#pragma once

namespace llvm {
class Module;
}

namespace smem {

/// `__builtin_fmodf(x, y)` is an instruction to Clang, straight code; what nvcc has is libdevice's function, a loop.
void call_for_remainders(llvm::Module &module);

} // namespace smem
