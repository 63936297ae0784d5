// Accesses of one address, of which nvcc may do one or several.
#pragma once

#include <vector>

#include "nvcc/facts/accesses.h"

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace smem {
class BarrierRegions;
class ReadOnlyMemory;
} // namespace smem

namespace smem::lower {

/// Raises Uncertainty::RedundantAccess of those that are one on a line, in two orders, or to nvcc alone. Returns loads that may lose their lines to each other.
std::vector<SourceAccess> note_repeated_addresses(llvm::Function &kernel, const std::vector<SourceAccess> &accesses,
                                                  const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                                                  llvm::ScalarEvolution &evolution, const BarrierRegions &regions,
                                                  const ReadOnlyMemory &read_only);

} // namespace smem::lower
