#include "nvcc/ptxas/repeated_conditions.h"

#include <optional>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/warp_uniform.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

const llvm::BranchInst *decision_of(const llvm::BasicBlock &block) {
  const auto *branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? branch : nullptr;
}

/// Does one of the two say what the other is?
bool are_alike(const llvm::Value *one, const llvm::Value *other) {
  if (one == other)
    return true;
  const auto *a = llvm::dyn_cast<llvm::CmpInst>(one), *b = llvm::dyn_cast<llvm::CmpInst>(other);
  if (!a || !b)
    return false;
  const auto same = [&](const llvm::Value *left, const llvm::Value *right, llvm::CmpInst::Predicate predicate) {
    return b->getOperand(0) == left && b->getOperand(1) == right &&
           (b->getPredicate() == predicate || b->getPredicate() == llvm::CmpInst::getInversePredicate(predicate));
  };
  return same(a->getOperand(0), a->getOperand(1), a->getPredicate()) ||
         same(a->getOperand(1), a->getOperand(0), a->getSwappedPredicate());
}

/// Is `block` led to by a branch on what it decides by, and by others, and does nothing that lanes would have to do before it?
bool repeats(const llvm::BasicBlock &block) {
  const llvm::BranchInst *decision = decision_of(block);
  return decision && !block.getSinglePredecessor() &&
         llvm::none_of(block,
                       [](const llvm::Instruction &each) {
                         const auto *call = llvm::dyn_cast<llvm::CallBase>(&each);
                         return each.mayReadOrWriteMemory() || (call && call->isConvergent());
                       }) &&
         llvm::any_of(llvm::predecessors(&block), [&](const llvm::BasicBlock *before) {
           const llvm::BranchInst *nested = before == &block ? nullptr : decision_of(*before);
           return nested && are_alike(nested->getCondition(), decision->getCondition());
         });
}

} // namespace

void note_repeated_conditions(llvm::Function &kernel, const llvm::DominatorTree &tree,
                              llvm::UniformityInfo &uniformity) {
  std::optional<llvm::PostDominatorTree> post;
  for (llvm::BasicBlock &block : kernel) {
    const auto *node = tree.getNode(&block);
    if (!node || !node->getIDom() || !repeats(block) || !diverges(*node->getIDom()->getBlock(), uniformity))
      continue;
    if (!post)
      post.emplace(kernel);
    const auto *after_node = post->getNode(&block) ? post->getNode(&block)->getIDom() : nullptr;
    const llvm::BasicBlock *after = after_node ? after_node->getBlock() : nullptr;
    if (after && llvm::is_contained(llvm::successors(&block), after) && !repeats(*after))
      continue;
    for (const SourceAccess &access : accesses_of(kernel)) {
      const llvm::BasicBlock *at = access.instruction->getParent();
      if (at != &block && tree.dominates(&block, at) && !(after && tree.dominates(after, at)))
        raise_uncertainty(Uncertainty::RepeatedCondition, kernel, access.location);
    }
  }
}

} // namespace smem::lower
