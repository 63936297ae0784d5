// What local arrays and structures begin with.
#pragma once

namespace llvm {
class Module;
}

namespace smem {

/// `const float weights[8] = {...}` in a function: nvcc stores the values one by one, so that an index that is not known finds them in local memory (67 arrays of 2 to 1,000 elements, PTX read). Clang
/// copies them from a constant, and LLVM then does without the copy: a load of global memory. Of many values it is a load of constant memory, which is not counted either.
void write_initial_values(llvm::Module &module);

} // namespace smem
