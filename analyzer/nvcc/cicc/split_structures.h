// Structures that are still whole when nvcc generates code.
#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace smem {

/// What was left whole for the padding in it nvcc loads field by field in the end, those that somebody uses; single bytes that stand in a row,
/// padding behind them included, as two, four or eight at once, the last as half-words. After optimisation.
void split_structures_as_nvcc(llvm::Module &module);

/// The stores of structures with padding that were loaded in another block: of all fields, as what drops the store of a value that was there before has seen
/// them whole. Before neighbours are merged.
void split_structures_of_other_blocks(llvm::Function &kernel);

} // namespace smem
