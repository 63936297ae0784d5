#include "frontend/unroll.h"

#include <optional>
#include <vector>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace smem {
namespace {

constexpr unsigned kLargestCount = 4, kLargestSize = 300;
constexpr unsigned kShortLoop = 16; // stays if it is known to run no more often

/// Instructions of one iteration, in nvcc's measure; nothing for a loop that must stay as it is.
std::optional<unsigned> size_of(const llvm::Loop &loop) {
  unsigned size = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && (call->cannotDuplicate() || call->isConvergent()))
        return std::nullopt;
      if (llvm::isa<llvm::PHINode, llvm::DbgInfoIntrinsic>(instruction))
        continue;
      size += instruction.getType()->isFloatingPointTy() && instruction.isBinaryOp() ? 2 : 1;
    }
  return size;
}

/// Does nvcc find out how often the loop runs? Clang also does where a step other than one might wrap around, from the language's promise
/// that loops end.
bool has_computable_length(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return false;
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  const auto *test = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || test->isEquality())
    return true;
  for (const llvm::Use &operand : test->operands()) {
    const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(operand));
    if (!recurrence || recurrence->getLoop() != &loop)
      continue;
    const llvm::SCEV *step = recurrence->getStepRecurrence(evolution);
    if (step->isOne() || step->isAllOnesValue())
      return true;
    const auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(operand);
    return sum && (test->isSigned() ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
  }
  return true;
}

/// How many iterations become one; 1 where the loop stays.
unsigned count_of(llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  if (llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified || loop.getExitingBlock() != loop.getLoopLatch() || !loop.getLoopLatch())
    return 1;
  if (evolution.getSmallConstantTripCount(&loop) || !has_computable_length(loop, evolution))
    return 1;
  if (const unsigned most = evolution.getSmallConstantMaxTripCount(&loop); most && most <= kShortLoop)
    return 1;
  const std::optional<unsigned> size = size_of(loop);
  unsigned count = size ? kLargestCount : 1;
  while (count > 1 && *size * count > kLargestSize)
    count /= 2;
  return count;
}

} // namespace

llvm::PreservedAnalyses UnrollAsNvcc::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto &assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto &target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto &remarks = analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);

  std::vector<llvm::Loop *> innermost;
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      innermost.push_back(loop);
  bool changed = false;
  for (llvm::Loop *loop : innermost) {
    changed |= llvm::simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/false);
    changed |= llvm::formLCSSARecursively(*loop, tree, &loops, &evolution);
    llvm::UnrollLoopOptions options{};
    options.Count = count_of(*loop, evolution);
    options.Runtime = options.AllowExpensiveTripCount = true;
    if (options.Count < 2)
      continue;
    llvm::Loop *remainder = nullptr;
    const llvm::LoopUnrollResult result =
      llvm::UnrollLoop(loop, options, &loops, &evolution, &tree, &assumptions, &target, &remarks, /*PreserveLCSSA=*/true, &remainder);
    if (result == llvm::LoopUnrollResult::Unmodified)
      continue;
    changed = true;
    for (llvm::Loop *part : {result == llvm::LoopUnrollResult::PartiallyUnrolled ? loop : nullptr, remainder})
      if (part)
        part->setLoopAlreadyUnrolled();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace smem
