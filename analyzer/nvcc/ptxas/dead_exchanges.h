// Exchanges between lanes whose result is not used.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace smem::lower {

/// ptxas drops them, and what is computed and loaded for them: shuffles, votes, matches and reductions, 6 of 6 probes. LLVM has them for something that
/// others see.
void drop_dead_exchanges(llvm::Function &kernel);

} // namespace smem::lower
