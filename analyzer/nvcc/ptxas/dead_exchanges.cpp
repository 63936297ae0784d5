#include "nvcc/ptxas/dead_exchanges.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/memory_order.h"

namespace smem::lower {
namespace {

/// Nothing but its result tells that it was executed.
bool may_go(const llvm::Instruction &instruction) {
  if (exchanges_registers(instruction))
    return true;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load ? load->isUnordered() : !instruction.mayHaveSideEffects() && !instruction.isTerminator();
}

} // namespace

void drop_dead_exchanges(llvm::Function &kernel) {
  llvm::SetVector<llvm::Instruction *> live;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (!may_go(instruction))
      live.insert(&instruction);
  for (std::size_t i = 0; i < live.size(); ++i)
    for (llvm::Value *operand : live[i]->operands())
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand))
        live.insert(instruction);
  llvm::SmallVector<llvm::Instruction *> dead;
  bool any = false;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (!live.contains(&instruction)) {
      dead.push_back(&instruction);
      any |= exchanges_registers(instruction);
    }
  if (!any)
    return;
  for (llvm::Instruction *instruction : dead) // they use one another, perhaps in a circle
    instruction->dropAllReferences();
  for (llvm::Instruction *instruction : dead) {
    if (!instruction->use_empty())
      instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
    instruction->eraseFromParent();
  }
}

} // namespace smem::lower
