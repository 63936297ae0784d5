// Loops that ptxas has YIELD in.
#pragma once

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace smem::lower {

/// Headers of loops that end by what an atomic returns or a volatile or ordered load finds, directly or through what is computed of it: ptxas takes them to wait for another thread
/// (15 of 16 such loops, the other has a NANOSLEEP; none of 9 that are counted, or end by what a plain load finds, whatever atomics they have; machine code read). Not those that all lanes
/// leave together, as they load one word: there is no BSYNC behind them either.
std::vector<const llvm::BasicBlock *> waiting_loops(llvm::Function &kernel);

} // namespace smem::lower
