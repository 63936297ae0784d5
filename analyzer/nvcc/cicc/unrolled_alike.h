// Accesses that count alike however often their loop is unrolled.
#pragma once

#include <span>

namespace llvm {
class DominatorTree;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace smem {

class BarrierRegions;
struct SourceAccess;

/// None of an iteration is one with any of another, nor its neighbour: in shared memory a barrier is between them, or the address moves further in each iteration than accesses are wide, or by
/// what is not known, and no other access of the loop is of that array; then the loop is an innermost one, and each of
/// its iterations makes the access.
bool is_unrolled_alike(const SourceAccess &access, const llvm::Loop &loop, std::span<const SourceAccess> accesses,
                       const BarrierRegions &regions, const llvm::DominatorTree &tree,
                       llvm::ScalarEvolution &evolution);

} // namespace smem
