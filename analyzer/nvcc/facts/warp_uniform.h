// What all lanes of a warp have in common.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace smem {

/// LLVM 19 takes every call for one whose result may differ between lanes, blockIdx and gridDim among them; these do not here, nor does what is
/// computed from them or loaded from where they lead.
bool is_warp_uniform(const llvm::Value &value, llvm::UniformityInfo &uniformity);

/// Whether lanes of one warp may leave the block for different successors.
bool diverges(const llvm::BasicBlock &block, llvm::UniformityInfo &uniformity);

} // namespace smem
