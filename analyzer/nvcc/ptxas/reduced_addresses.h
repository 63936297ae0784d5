// Addresses that cicc computes from those of earlier accesses.
#pragma once

namespace llvm {
class GEPOperator;
}

namespace smem::lower {

/// Straight-line strength reduction: `s[2 * t]` is what is added to `s[t]`, where that is an access which has run before, at the same offset from it. In shared memory cicc does so with elements that are
/// structures (half, float2), not with numbers.
bool is_reduced(const llvm::GEPOperator &address);

} // namespace smem::lower
