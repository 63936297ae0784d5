#include "nvcc/facts/loop_length.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace smem {

bool is_inclusive(const llvm::Loop &loop, const llvm::BranchInst &branch, const llvm::ICmpInst &test) {
  const auto goes_on = branch.getSuccessor(0) == loop.getHeader() ? test.getPredicate() : test.getInversePredicate();
  return llvm::ICmpInst::isRelational(goes_on) && llvm::ICmpInst::isNonStrictPredicate(goes_on);
}

bool has_computable_length(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return false;
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  const auto *test =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || test->isEquality())
    return true;
  for (const llvm::Use &operand : test->operands()) {
    const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(operand));
    if (!recurrence || recurrence->getLoop() != &loop)
      continue;
    const llvm::SCEV *step = recurrence->getStepRecurrence(evolution);
    if (step->isOne() || step->isAllOnesValue())
      return true;
    // Counting to a bound inclusively may wrap around just before the end.
    if (is_inclusive(loop, *branch, *test))
      return false;
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(operand);
    const auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(
        phi && phi->getParent() == loop.getHeader() ? phi->getIncomingValueForBlock(loop.getLoopLatch())
                                                    : operand.get());
    return sum && (test->isSigned() ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
  }
  return true;
}

} // namespace smem
