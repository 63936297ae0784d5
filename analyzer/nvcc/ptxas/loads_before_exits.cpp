#include "nvcc/ptxas/loads_before_exits.h"

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/memory_order.h"
#include "nvcc/facts/special_registers.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

bool only_returns(const llvm::BasicBlock &block) {
  return llvm::isa<llvm::ReturnInst>(block.getTerminator()) && block.sizeWithoutDebug() == 1;
}

/// A then or else block alone, whose instructions a predicate may stand before.
bool is_predicated(const llvm::BasicBlock &block) {
  return block.getSinglePredecessor() && block.getSingleSuccessor() && llvm::none_of(block, is_barrier_to_loads);
}

/// Where the code that `block` is part of goes on for those that do not end; null if it ends otherwise.
const llvm::BasicBlock *behind_exit(const llvm::BasicBlock *block) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen;
  while (seen.insert(block).second) {
    if (seen.size() > 1 && llvm::any_of(*block, is_barrier_to_loads))
      return nullptr;
    if (const llvm::BasicBlock *next = block->getSingleSuccessor()) {
      block = next;
      continue;
    }
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch)
      return nullptr;
    const llvm::BasicBlock *next = nullptr;
    for (const unsigned side : {0u, 1u}) {
      const llvm::BasicBlock *one = branch->getSuccessor(side), *other = branch->getSuccessor(1 - side);
      if (only_returns(*one))
        return other;
      if (is_predicated(*one) && (one->getSingleSuccessor() == other ||
                                  (is_predicated(*other) && one->getSingleSuccessor() == other->getSingleSuccessor())))
        next = one->getSingleSuccessor();
    }
    if (!next)
      return nullptr;
    block = next;
  }
  return nullptr;
}

/// Is all that `value` leads to, by phis and arithmetic, behind the beginning of `target`?
bool is_needed_behind(const llvm::Instruction &value, const llvm::BasicBlock &target, const llvm::DominatorTree &tree) {
  llvm::SmallPtrSet<const llvm::Instruction *, 16> seen{&value};
  std::vector<const llvm::Instruction *> open{&value};
  while (!open.empty()) {
    const llvm::Instruction *next = open.back();
    open.pop_back();
    for (const llvm::User *each : next->users()) {
      const auto *user = llvm::cast<llvm::Instruction>(each);
      if (tree.dominates(&target, user->getParent()))
        continue;
      if (user->mayReadOrWriteMemory() || user->isTerminator())
        return false;
      if (seen.insert(user).second)
        open.push_back(user);
    }
  }
  return true;
}

/// What takes no longer than the loads' own way, so that none has been seen to move (360 kernels, none of 1,247 rows): arithmetic that is an instruction or two, and one store.
bool is_quick(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst, llvm::StoreInst,
                llvm::BranchInst, llvm::ReturnInst, llvm::UnaryOperator>(instruction))
    return true;
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return call->isAssumeLikeIntrinsic() || call->getIntrinsicID() == llvm::Intrinsic::fma ||
           call->getIntrinsicID() == llvm::Intrinsic::fmuladd;
  return llvm::isa<llvm::BinaryOperator>(instruction) && !instruction.isIntDivRem() &&
         instruction.getOpcode() != llvm::Instruction::FDiv && instruction.getOpcode() != llvm::Instruction::FRem;
}

/// The scheduler begins early with what takes long behind the end: reads of special registers, divisions, loads.
bool takes_long(const llvm::Function &kernel, const llvm::BasicBlock &target, const llvm::DominatorTree &tree) {
  return llvm::any_of(llvm::instructions(kernel), [&](const llvm::Instruction &each) {
    if (tree.dominates(&target, each.getParent()))
      return !is_quick(each);
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&each);
    return call && special_register_of(call->getIntrinsicID()) && is_needed_behind(each, target, tree);
  });
}

/// What is asked of blocks, once of each.
class Exits {
public:
  Exits(const llvm::Function &kernel, const llvm::DominatorTree &tree) : kernel_(kernel), tree_(tree) {}

  bool may_pass(const llvm::LoadInst &load) {
    const Block &block = of(*load.getParent());
    return block.target && block.slow_behind && !(block.barrier && load.comesBefore(block.barrier)) &&
           is_needed_behind(load, *block.target, tree_);
  }

private:
  struct Block {
    const llvm::BasicBlock *target = nullptr;   ///< behind_exit()
    const llvm::Instruction *barrier = nullptr; ///< the last one
    bool slow_behind = false;                   ///< takes_long()
  };

  const Block &of(const llvm::BasicBlock &block) {
    const auto [known, fresh] = blocks_.try_emplace(&block);
    if (!fresh)
      return known->second;
    Block &found = known->second;
    const auto barrier = llvm::find_if(llvm::reverse(block), is_barrier_to_loads);
    found.barrier = barrier == block.rend() ? nullptr : &*barrier;
    found.target = behind_exit(&block);
    if (found.target && !found.target->getSinglePredecessor())
      found.target = nullptr;
    found.slow_behind = found.target && takes_long(kernel_, *found.target, tree_);
    return found;
  }

  const llvm::Function &kernel_;
  const llvm::DominatorTree &tree_;
  llvm::DenseMap<const llvm::BasicBlock *, Block> blocks_;
};

} // namespace

void note_loads_before_exits(llvm::Function &kernel, const llvm::DominatorTree &tree,
                             const std::vector<SourceAccess> &accesses) {
  Exits exits(kernel, tree);
  for (const SourceAccess &access : accesses)
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
        load && !load->isVolatile() && exits.may_pass(*load))
      raise_uncertainty(Uncertainty::LoadSinking, kernel, access.location);
}

} // namespace smem::lower
