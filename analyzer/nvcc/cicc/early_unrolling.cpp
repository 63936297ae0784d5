#include "nvcc/cicc/early_unrolling.h"

#include <algorithm>
#include <optional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CodeMetrics.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/InstructionCost.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "nvcc/cicc/loop_size.h"
#include "nvcc/facts/accesses.h"
#include "nvcc/facts/machine.h"
#include "nvcc/lines/original_locations.h"
#include "nvcc/ptxas/address_offset.h"
#include "nvcc/uncertainty.h"

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

/// How often the body runs; 0: not known.
unsigned known_trips(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const unsigned times = evolution.getSmallConstantTripCount(&loop);
  return loop.getExitingBlock() == loop.getHeader() && times ? times - 1 : times; // the test is made once more
}

bool unrolls_early(llvm::Loop &loop, llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                   const CompilerRules &rules) {
  const llvm::BasicBlock *exiting = loop.getExitingBlock();
  if (!loop.isInnermost() || !exiting || llvm::hasUnrollTransformation(&loop) != llvm::TM_ForcedByUser ||
      llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.count"))
    return false;
  const unsigned trips = known_trips(loop, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  if (!trips)
    return false;
  const auto &target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::SmallPtrSet<const llvm::Value *, 32> assumed;
  llvm::CodeMetrics::collectEphemeralValues(&loop, &analyses.getResult<llvm::AssumptionAnalysis>(function), assumed);
  const llvm::UnrollCostEstimator estimate(&loop, target, assumed, rules.full_unroll_bookkeeping);
  const std::uint64_t size = estimate.getRolledLoopSize() + hidden_size(loop, rules) - excess_of(loop, target);
  return size * trips > rules.full_unroll_size;
}

/// `for (unsigned i = b; i < b + 9; ++i)`: LLVM learns from the test before the loop, or from bits of b, that it runs nine times; to nvcc it runs nine times or not at all.
bool is_bounded_alone(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, const CompilerRules &rules) {
  const llvm::BasicBlock *exiting = loop.getExitingBlock();
  const auto *branch = exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
  auto *test = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || !test->isUnsigned() || llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified)
    return false;
  const auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(test->getOperand(0)));
  if (!counter || counter->getLoop() != &loop || llvm::isa<llvm::SCEVConstant>(counter->getStart()))
    return false;
  const unsigned most =
      evolution.isBackedgeTakenCountMaxOrZero(&loop) ? evolution.getSmallConstantMaxTripCount(&loop) : 0;
  return std::max(known_trips(loop, evolution), most) > rules.full_unroll_bounded_trips;
}

/// `#pragma unroll 2` before `for (int d = 1; d < 128; d *= 2)`: LLVM tries the iterations to count them, and leaves out tests between them that are known to hold; nvcc keeps them.
bool is_told_and_tried(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const llvm::BasicBlock *exiting = loop.getExitingBlock();
  const auto *branch = exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
  const auto *test =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  return test && llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.count") &&
         llvm::none_of(test->operands(), [&](const llvm::Use &operand) {
           const auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(operand));
           return counter && counter->getLoop() == &loop && counter->isAffine();
         });
}

/// May accesses of several iterations be one?
bool steps_within_access(llvm::Value &pointer, const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(base_and_offset(pointer, evolution).second);
  const llvm::SCEV *step = steps && steps->getLoop() == &loop ? steps->getStepRecurrence(evolution) : nullptr;
  const auto *bytes = llvm::dyn_cast_or_null<llvm::SCEVConstant>(step);
  return !bytes || bytes->getAPInt().abs().ult(kWidestAccess);
}

} // namespace

void note_early_unrolling(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                          const CompilerRules &rules) {
  for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (unrolls_early(*loop, function, analyses, rules))
      before_unrolling(*loop);
}

void note_bounded_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, const CompilerRules &rules) {
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (const llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    const bool tried = is_told_and_tried(*loop, evolution);
    if (!tried && !is_bounded_alone(*loop, evolution, rules))
      continue;
    for (llvm::BasicBlock *block : loop->blocks())
      for (llvm::Instruction &instruction : *block)
        if (const std::optional<SourceAccess> access = access_of(instruction);
            access && (tried || steps_within_access(*access->pointer, *loop, evolution)))
          raise_uncertainty(Uncertainty::Unroll, function, access->location);
  }
}

} // namespace smem
