#include "nvcc/cicc/early_unrolling.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CodeMetrics.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/InstructionCost.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "nvcc/cicc/loop_size.h"
#include "nvcc/lines/original_locations.h"

namespace smem {
namespace {

/// What LLVM counts of a loop beyond nvcc, to which an address is part of its access and a division or remainder one instruction here.
std::uint64_t excess_of(const llvm::Loop &loop, const llvm::TargetTransformInfo &target) {
  llvm::InstructionCost excess = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      const auto cost = [&] {
        return target.getInstructionCost(&instruction, llvm::TargetTransformInfo::TCK_CodeSize);
      };
      if (llvm::isa<llvm::GetElementPtrInst>(instruction))
        excess += cost();
      else if (instruction.isIntDivRem())
        excess += cost() - 1;
    }
  return static_cast<std::uint64_t>(excess.getValue().value_or(0));
}

bool unrolls_early(llvm::Loop &loop, llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                   const CompilerRules &rules) {
  const llvm::BasicBlock *exiting = loop.getExitingBlock();
  if (!loop.isInnermost() || !exiting || llvm::hasUnrollTransformation(&loop) != llvm::TM_ForcedByUser ||
      llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.count"))
    return false;
  const unsigned times = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function).getSmallConstantTripCount(&loop);
  const unsigned trips = exiting == loop.getHeader() && times ? times - 1 : times; // the test is made once more
  if (!trips)
    return false;
  const auto &target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::SmallPtrSet<const llvm::Value *, 32> assumed;
  llvm::CodeMetrics::collectEphemeralValues(&loop, &analyses.getResult<llvm::AssumptionAnalysis>(function), assumed);
  const llvm::UnrollCostEstimator estimate(&loop, target, assumed, rules.full_unroll_bookkeeping);
  const std::uint64_t size = estimate.getRolledLoopSize() + hidden_size(loop, rules) - excess_of(loop, target);
  return size * trips > rules.full_unroll_size;
}

} // namespace

void note_early_unrolling(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                          const CompilerRules &rules) {
  for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (unrolls_early(*loop, function, analyses, rules))
      before_unrolling(*loop);
}

} // namespace smem
