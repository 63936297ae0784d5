// Loads of an index that the next iteration's load begins from.
#pragma once

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace smem {

/// Raises Uncertainty::SourceLine of the load before a loop and the one in it of `x = first[i]; while (x != next[x]) x = next[x];`: cicc makes one load of an address that comes round the loop of the two, and
/// the first counts on the loop's line.
void note_chased_loads(llvm::Function &function, const llvm::LoopInfo &loops);

} // namespace smem
