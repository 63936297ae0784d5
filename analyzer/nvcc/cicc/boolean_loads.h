// Truth values in memory: nvcc compares the byte with zero, Clang takes its lowest bit.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace smem {

/// A comparison is what branches on: LLVM makes one condition of two comparisons (`t == 0 && flag`, the flag loaded by all lanes), and none of a truncation.
void compare_booleans(llvm::Module &module);

} // namespace smem
