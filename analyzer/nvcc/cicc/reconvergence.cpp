#include "nvcc/cicc/reconvergence.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace smem {
namespace {

constexpr llvm::StringRef kMark = "// smem-lint: join";

/// What a block's end decides by.
struct Decision {
  const llvm::Value *condition = nullptr; ///< of a branch
  const llvm::Value *value = nullptr;     ///< if it is compared with constants
};

Decision decision_of(const llvm::BasicBlock &block) {
  if (const auto *choice = llvm::dyn_cast_or_null<llvm::SwitchInst>(block.getTerminator()))
    return {nullptr, choice->getCondition()};
  const auto *branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional())
    return {};
  const auto *test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (test && test->isEquality())
    for (const unsigned operand : {0u, 1u})
      if (llvm::isa<llvm::ConstantInt>(test->getOperand(1 - operand)))
        return {test, test->getOperand(operand)};
  return {branch->getCondition(), nullptr};
}

/// Does `block` decide, and do nothing else?
bool only_decides(const llvm::BasicBlock &block, const Decision &decision) {
  const llvm::Instruction *first = block.getFirstNonPHIOrDbg();
  if (first == decision.condition)
    first = first->getNextNonDebugInstruction();
  return first == block.getTerminator();
}

/// Must lanes reconverge before `block`, from which LLVM would let some of them go straight on?
bool is_join(const llvm::BasicBlock &block) {
  const Decision decision = decision_of(block);
  if ((!decision.condition && !decision.value) || block.getSinglePredecessor())
    return false;
  const bool empty = only_decides(block, decision);
  return llvm::any_of(predecessors(&block), [&](const llvm::BasicBlock *pred) {
    const Decision before = decision_of(*pred);
    const bool same_value = decision.value && before.value == decision.value;
    const bool same = decision.condition && before.condition == decision.condition;
    return same ? !empty : same_value;
  });
}

} // namespace

void KeepConvergencePoints::before(llvm::Function &function) {
  llvm::InlineAsm *marker = nullptr;
  for (llvm::BasicBlock &block : function)
    if (is_join(block)) {
      if (!marker)
        marker = llvm::InlineAsm::get(llvm::FunctionType::get(llvm::Type::getVoidTy(function.getContext()), false),
                                      kMark, "", /*hasSideEffects=*/true);
      llvm::IRBuilder<>(&block, block.getFirstInsertionPt())
          .CreateCall(marker)
          ->setConvergent(); // it is not duplicated either
    }
}

void KeepConvergencePoints::after(llvm::Function &function, const llvm::PreservedAnalyses &) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (text && text->getAsmString() == kMark)
        instruction.eraseFromParent();
    }
}

} // namespace smem
