#include "nvcc/cicc/constants_alone.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace smem {
namespace {

/// What `value` is from `place` on.
llvm::Instruction *freeze(llvm::Value &value, llvm::BasicBlock::iterator place) {
  auto *frozen = new llvm::FreezeInst(&value, "", place);
  value.replaceUsesWithIf(frozen, [&](const llvm::Use &use) { return use.getUser() != frozen; });
  return frozen;
}

} // namespace

void ConstantsAlone::before(llvm::Function &function) {
  if (function.isDeclaration())
    return;
  std::vector<llvm::Instruction *> integers;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.getType()->isIntegerTy() && !instruction.use_empty())
      integers.push_back(&instruction);
  for (llvm::Instruction *integer : integers)
    if (const std::optional<llvm::BasicBlock::iterator> place = integer->getInsertionPointAfterDef())
      frozen_.emplace_back(freeze(*integer, *place));
  for (llvm::Argument &argument : function.args())
    if (argument.getType()->isIntegerTy() && !argument.use_empty())
      frozen_.emplace_back(freeze(argument, function.getEntryBlock().getFirstInsertionPt()));
}

void ConstantsAlone::before(llvm::Module &module) {
  for (llvm::Function &function : module)
    before(function);
}

void ConstantsAlone::thaw() {
  for (const llvm::WeakVH &value : frozen_)
    if (auto *frozen = llvm::cast_or_null<llvm::FreezeInst>(static_cast<llvm::Value *>(value))) {
      frozen->replaceAllUsesWith(frozen->getOperand(0));
      frozen->eraseFromParent();
    }
}

} // namespace smem
