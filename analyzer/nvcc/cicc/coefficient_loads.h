// What libdevice's functions of doubles load.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace smem {

/// `sin(x)` of a double, and eleven other functions, load six coefficients from global memory, three times 16 bytes: one polynomial or the other, as x decides. PTX of 124 functions
/// of libdevice read (nvcc 13.0); all others have their coefficients in the code, but for arguments that only loops reduce.
void load_coefficients(llvm::Function &kernel);

} // namespace smem
