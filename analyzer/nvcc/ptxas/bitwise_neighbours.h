// Accesses of several iterations that only the bits of a counter show to be adjacent.
#pragma once

#include <vector>

namespace llvm {
class Instruction;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace smem {

/// Shared accesses of a loop that is to be unrolled by `count` which have a neighbour within 16 bytes in another of the iterations that become one, though their addresses do not step on by a
/// constant: `a[(k & 31) + (k >> 5) * 2]`, where k is a multiple of four. LLVM concludes from the bits of k that they are adjacent; how much of that nvcc does depends on how it has written the
/// additions by then. Found by computing the addresses of some iterations, with some values for what the loop does not change.
std::vector<llvm::Instruction *> bitwise_neighbours(const llvm::Loop &loop, llvm::ScalarEvolution &evolution,
                                                    unsigned count);

/// Of a loop that becomes straight code as a whole: those that are adjacent because of ones that an index always has (`s[(4 * t + 3) ^ k]`, `s[(4 * t + 3) & ~k]`). LLVM clears such a bit in each
/// iteration by itself, and then knows what is left; nvcc does not, as the iterations share the index (64 of 64 loops, PTX read).
/// Raises Uncertainty::Vectorisation.
void note_neighbours_by_ones(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count);

} // namespace smem
