#include "nvcc/cicc/kept_sums.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/WithCache.h>
#include <llvm/IR/Analysis.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace smem {
namespace {

bool is_or(const llvm::Instruction &instruction) { return instruction.getOpcode() == llvm::Instruction::Or; }

} // namespace

void KeepSums::before(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (is_or(instruction))
      ors_.emplace_back(&instruction);
}

void KeepSums::after(llvm::Function &function, const llvm::PreservedAnalyses &preserved) {
  if (preserved.areAllPreserved())
    return;
  llvm::SmallPtrSet<const llvm::Value *, 16> before(ors_.begin(), ors_.end());
  const llvm::SimplifyQuery without_conditions(function.getDataLayout());
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!is_or(instruction) || before.contains(&instruction) ||
        !llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() ||
        llvm::haveNoCommonBitsSet(instruction.getOperand(0), instruction.getOperand(1), without_conditions))
      continue;
    llvm::BinaryOperator *sum = llvm::BinaryOperator::CreateAdd(instruction.getOperand(0), instruction.getOperand(1),
                                                                "", instruction.getIterator());
    sum->setHasNoUnsignedWrap(); // what has no bit in common carries none
    sum->setHasNoSignedWrap();
    sum->copyMetadata(instruction);
    sum->takeName(&instruction);
    instruction.replaceAllUsesWith(sum);
    instruction.eraseFromParent();
  }
}

} // namespace smem
