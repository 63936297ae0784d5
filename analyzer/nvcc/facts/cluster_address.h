// Addresses in the shared memory of a block of the cluster.
#pragma once

#include <llvm/IR/Value.h>

namespace smem::lower {

/// Made by mapa, wherever it was added to, cast or chosen since. Such memory is accessed by generic instructions, which the compiler
/// does not merge, and whose atomics are served lane by lane.
bool is_cluster_address(const llvm::Value *address);

} // namespace smem::lower
