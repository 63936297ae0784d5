#include "nvcc/cicc/hidden_conditions.h"

#include <llvm/IR/Analysis.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/InstCombine/InstCombiner.h>

namespace smem {
namespace {

/// Is it an equality, or made of some (`t % 32 == 0`, `(t & 3) == 0 && more`)? They tell of the low bits of something.
bool tells_low_bits(const llvm::Value *condition, unsigned depth = 0) {
  using namespace llvm::PatternMatch;
  constexpr unsigned kMostDepth = 4;
  const llvm::Value *left = nullptr, *right = nullptr;
  if (match(condition, m_Not(m_Value(left)))) {
    right = left;
  } else if (!match(condition, m_CombineOr(m_LogicalAnd(m_Value(left), m_Value(right)),
                                           m_LogicalOr(m_Value(left), m_Value(right))))) {
    const auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
    return comparison && comparison->isEquality() && llvm::isa<llvm::ConstantInt>(comparison->getOperand(1));
  }
  return depth < kMostDepth && (tells_low_bits(left, depth + 1) || tells_low_bits(right, depth + 1));
}

/// What InstCombine does with the condition of a branch, which it cannot where that is hidden: no negation, no comparison by != or with "or equal".
void canonicalise(llvm::BranchInst &branch) {
  using namespace llvm::PatternMatch;
  llvm::Value *negated = nullptr;
  if (match(branch.getCondition(), m_Not(m_Value(negated))) && !llvm::isa<llvm::Constant>(negated)) {
    branch.setCondition(negated);
    branch.swapSuccessors();
  }
  auto *comparison = llvm::dyn_cast<llvm::CmpInst>(branch.getCondition());
  if (comparison && comparison->hasOneUse() && !llvm::InstCombiner::isCanonicalPredicate(comparison->getPredicate())) {
    comparison->setPredicate(comparison->getInversePredicate());
    branch.swapSuccessors();
  }
}

} // namespace

void HideConditions::before(llvm::Function &function) {
  for (llvm::BasicBlock &block : function) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !tells_low_bits(branch->getCondition()) ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    canonicalise(*branch);
    llvm::IRBuilder<> builder(branch);
    llvm::CallInst *hidden = builder.CreateIntrinsic(llvm::Intrinsic::expect, {builder.getInt1Ty()},
                                                     {branch->getCondition(), builder.getTrue()});
    branch->setCondition(hidden);
    hidden_.emplace_back(hidden);
  }
}

void HideConditions::after(llvm::Function &, const llvm::PreservedAnalyses &) {
  for (const llvm::WeakVH &value : hidden_) {
    auto *hidden = llvm::cast_or_null<llvm::CallInst>(static_cast<llvm::Value *>(value));
    if (!hidden)
      continue;
    llvm::Value *condition = hidden->getArgOperand(0);
    auto *branch = hidden->hasOneUse() ? llvm::dyn_cast<llvm::BranchInst>(hidden->user_back()) : nullptr;
    hidden->replaceAllUsesWith(condition);
    hidden->eraseFromParent();
    if (branch)
      canonicalise(*branch);
  }
}

} // namespace smem
