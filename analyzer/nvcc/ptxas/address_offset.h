// Addresses as a base and a distance from it.
#pragma once

#include <utility>

namespace llvm {
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace smem {

/// The distance has 32 bits: how an index is extended makes no difference then. Also through casts between address spaces, which __ldg() begins with.
std::pair<const llvm::SCEV *, const llvm::SCEV *> base_and_offset(llvm::Value &pointer,
                                                                  llvm::ScalarEvolution &evolution);

} // namespace smem
