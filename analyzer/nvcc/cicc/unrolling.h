// Loops, unrolled as nvcc unrolls them.
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class Instruction;
class LPMUpdater;
class Loop;
struct LoopStandardAnalysisResults;
} // namespace llvm

namespace smem {

/// Which iterations of a warp's lanes meet in one request depends on the unrolling where lanes leave a loop at different times.
///
/// nvcc does it twice. Its first half unrolls innermost loops with one exit, at the latch: those of known length that were too long to unroll whole
/// by the largest power of two that divides the length and makes 200 instructions at most; those whose length can be computed before they
/// begin by 4, or by 2 where that would make more than 173, unless they are
/// known to run 20 times at most. The iterations left over run first, one by one, or last where the loop counts from a constant.
/// ptxas then unrolls what steps by a constant and is small by 4 again, and runs what is left as two and as one.
///
/// Found with nvcc 13.0 for sm_90 by compiling loops of growing size and of different kinds and counting the loads in each block of
/// their PTX and machine code.
struct UnrollAsNvcc : llvm::PassInfoMixin<UnrollAsNvcc> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Instructions, in LLVM's measure, that a loop of known length may become where it is unrolled whole.
constexpr unsigned kLargestWhole = 406;

/// What LLVM's own unrolling of whole loops, right behind it, does not know. nvcc unrolls loops that step through a local array where that makes six
/// times as many instructions as it allows elsewhere, for an array whose every index is a constant takes no memory; and it has inlined functions of
/// mathematics by then.
struct ChooseWholeLoops : llvm::PassInfoMixin<ChooseWholeLoops> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &);
};

/// `#pragma unroll` without a count asks for nothing where a loop's length is unknown: before LLVM's own unrolling, which would make
/// eight iterations one.
struct ForgetUnrollOfUnknownLength : llvm::PassInfoMixin<ForgetUnrollOfUnknownLength> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Does a pragma without a count stand in front of this loop of unknown length? Its addresses are computed anew in each iteration.
bool is_told_to_unroll(const llvm::Loop &loop);

/// Is `instruction` the jump back of a loop whose unrolling in machine code is known?
bool ends_settled_loop(const llvm::Instruction &instruction);

} // namespace smem
