// Structures that are still whole when nvcc generates code.
#pragma once

namespace llvm {
class Module;
}

namespace smem {

/// What was left whole for the padding in it nvcc loads field by field in the end, those that somebody uses; single bytes that stand in a row,
/// padding behind them included, as two, four or eight at once, the last as half-words. After optimisation.
void split_structures_as_nvcc(llvm::Module &module);

} // namespace smem
