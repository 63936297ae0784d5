// Shared variables that only ever hold one value.
//
// What was never given a value may have any: LLVM's GlobalOpt makes of a variable that is written with one constant that constant. It is told to leave
// shared memory alone; nvcc's does not, even where the variable is volatile (`__shared__ int n; if (threadIdx.x == 0) n = 5;` is no access).
// Addresses are no such constants.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace smem {

/// Constants take the place of such variables of `module`, whether there were any. Arrays and structures are not looked into.
bool replace_once_written(llvm::Module &module);

} // namespace smem
