// Loops, unrolled as nvcc unrolls them.
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

#include "nvcc/rules/rules.h"

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
/// by the largest power of two that divides the length and stays small enough; those whose length can be computed before they
/// begin by four, or by two where that would be too large, unless they are known to run a few times only (rules/rules.def). The iterations left over run first, one by one, or last where the loop counts from a constant.
/// ptxas then unrolls what steps by a constant and is small by four again, and runs what is left as two and as one.
///
/// Found with nvcc 13.0 for sm_90 by compiling loops of growing size and of different kinds and counting the loads in each block of
/// their PTX and machine code.
class UnrollAsNvcc : public llvm::PassInfoMixin<UnrollAsNvcc> {
public:
  explicit UnrollAsNvcc(const CompilerRules &rules) : rules_(&rules) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  const CompilerRules *rules_;
};

/// What LLVM's own unrolling of whole loops, right behind it, does not know. nvcc unrolls loops that step through a local array where that makes six
/// times as many instructions as it allows elsewhere, for an array whose every index is a constant takes no memory; and it has inlined functions of
/// mathematics by then.
class ChooseFullUnrolling : public llvm::PassInfoMixin<ChooseFullUnrolling> {
public:
  explicit ChooseFullUnrolling(const CompilerRules &rules) : rules_(&rules) {}
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &);

private:
  const CompilerRules *rules_;
};

/// `#pragma unroll` without a count asks for nothing where a loop's length is unknown: before LLVM's own unrolling, which would make
/// eight iterations one.
struct ForgetUnrollOfUnknownLength : llvm::PassInfoMixin<ForgetUnrollOfUnknownLength> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Notes which loops lie in others, before those are unrolled: nvcc unrolls what is left over of them.
void note_inner_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/// Does a pragma without a count stand before this loop of unknown length? Its addresses are computed anew in each iteration.
bool is_told_to_unroll(const llvm::Loop &loop);

/// Is `instruction` the jump back of a loop whose unrolling in machine code is known?
bool ends_settled_loop(const llvm::Instruction &instruction);

} // namespace smem
