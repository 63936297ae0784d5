#include "nvcc/source_exits.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace smem {
namespace {

bool does_nothing(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
         instruction.isLifetimeStartOrEnd();
}

/// The phi that a block does nothing but switch on; null: it does something else.
llvm::PHINode *switched_on(llvm::BasicBlock &block) {
  llvm::Instruction *end = block.getTerminator();
  llvm::Value *condition = nullptr;
  if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end))
    condition = choice->getCondition();
  else if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(end); branch && branch->isConditional())
    condition = branch->getCondition();
  auto *phi = llvm::dyn_cast_or_null<llvm::PHINode>(condition);
  return phi && phi->getParent() == &block && llvm::all_of(block, does_nothing) ? phi : nullptr;
}

/// What the block's phis bring along a way that passes it by now.
struct Passing {
  llvm::BasicBlock *from;
  llvm::SmallVector<llvm::Value *, 4> values; ///< of BasicBlock::phis(), in their order
};

/// Other blocks may be come to without `block`: what they use of its phis is what came that way.
void join_behind(llvm::BasicBlock &block, const llvm::SmallVectorImpl<Passing> &passing) {
  for (const auto [index, phi] : llvm::enumerate(block.phis())) {
    llvm::SmallVector<llvm::Use *, 8> elsewhere;
    for (llvm::Use &use : phi.uses()) {
      const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto *joins = llvm::dyn_cast<llvm::PHINode>(user);
      if ((joins ? joins->getIncomingBlock(use) : user->getParent()) != &block)
        elsewhere.push_back(&use);
    }
    if (elsewhere.empty())
      continue;
    llvm::SSAUpdater updater;
    updater.Initialize(phi.getType(), phi.getName());
    updater.AddAvailableValue(&block, &phi);
    for (const Passing &one : passing)
      updater.AddAvailableValue(one.from, one.values[index]);
    for (llvm::Use *use : elsewhere)
      updater.RewriteUse(*use);
  }
}

llvm::BasicBlock *target_of(llvm::Instruction &end, const llvm::ConstantInt &value) {
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&end))
    return choice->findCaseValue(&value)->getCaseSuccessor();
  return end.getSuccessor(value.isZero() ? 1 : 0);
}

} // namespace

bool leave_scopes_directly(llvm::Function &function) {
  bool changed = false;
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> back;
  llvm::FindFunctionBackedges(function, back);
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> headers; // past which a loop would be entered in several places
  for (const auto &edge : back)
    headers.insert(edge.second);
  for (llvm::BasicBlock &block : function) {
    llvm::PHINode *phi = headers.contains(&block) ? nullptr : switched_on(block);
    if (!phi)
      continue;
    llvm::SmallVector<Passing, 4> passing;
    const llvm::SmallVector<llvm::BasicBlock *, 4> predecessors(phi->blocks());
    for (llvm::BasicBlock *from : predecessors) {
      const auto *value = llvm::dyn_cast<llvm::ConstantInt>(phi->getIncomingValueForBlock(from));
      auto *branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
      llvm::BasicBlock *to = value ? target_of(*block.getTerminator(), *value) : nullptr;
      if (!to || !branch || branch->isConditional() || to == &block || from == &block)
        continue;
      for (llvm::PHINode &joins : to->phis()) {
        llvm::Value *brings = joins.getIncomingValueForBlock(&block);
        const auto *own = llvm::dyn_cast<llvm::PHINode>(brings);
        joins.addIncoming(own && own->getParent() == &block ? own->getIncomingValueForBlock(from) : brings, from);
      }
      Passing &one = passing.emplace_back(Passing{from, {}});
      for (llvm::PHINode &own : block.phis())
        one.values.push_back(own.getIncomingValueForBlock(from));
      branch->setSuccessor(0, to);
      block.removePredecessor(from, /*KeepOneInputPHIs=*/true);
    }
    if (!passing.empty())
      join_behind(block, passing);
    changed |= !passing.empty();
  }
  return changed;
}

} // namespace smem
