#include "nvcc/ptxas/loads_before_exits.h"

#include <vector>

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
  return block.getSinglePredecessor() && block.getSingleSuccessor() &&
         llvm::none_of(block, [](const llvm::Instruction &each) { return is_barrier_to_loads(each); });
}

/// Where the code that `block` is part of goes on for those that do not end; null if it ends otherwise.
const llvm::BasicBlock *behind_exit(const llvm::BasicBlock *block) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen;
  while (seen.insert(block).second) {
    if (llvm::any_of(*block, [](const llvm::Instruction &each) { return is_barrier_to_loads(each); }) &&
        seen.size() > 1)
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

/// What takes no longer than the loads' own way, so that none has been seen to move (190 of 250 kernels): arithmetic that is an instruction or two, and one store.
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

bool stays_before(const llvm::LoadInst &load) {
  return load.isVolatile() || llvm::any_of(llvm::make_range(load.getIterator(), load.getParent()->end()),
                                           [](const llvm::Instruction &each) { return is_barrier_to_loads(each); });
}

} // namespace

void note_loads_before_exits(llvm::Function &kernel, const llvm::DominatorTree &tree,
                             const std::vector<SourceAccess> &accesses) {
  for (const SourceAccess &access : accesses) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
    if (!load || stays_before(*load))
      continue;
    const llvm::BasicBlock *target = behind_exit(load->getParent());
    if (target && target->getSinglePredecessor() && is_needed_behind(*load, *target, tree) &&
        takes_long(kernel, *target, tree))
      raise_uncertainty(Uncertainty::LoadSinking, kernel, access.location);
  }
}

} // namespace smem::lower
