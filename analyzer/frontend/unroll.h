// Loops of unknown length, unrolled as nvcc unrolls them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace smem {

/// Which iterations of a warp's lanes meet in one request depends on the unrolling where lanes leave a loop at different times: the
/// iterations left over run first (or last, where the loop counts from a constant), one by one, then four at a time.
///
/// Found with nvcc 13.0 for sm_90 by compiling loops of growing size and counting the loads of their PTX: innermost loops with one
/// exit, at the latch, whose length can be computed before they begin are unrolled by 4, or by 2 where that would make more than 300
/// instructions (arithmetic in floating point counts twice), unless
/// they are known to run 16 times at most.
struct UnrollAsNvcc : llvm::PassInfoMixin<UnrollAsNvcc> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace smem
