#include "nvcc/cicc/remainder_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace smem {

void call_for_remainders(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Type *type = instruction.getType();
      if (instruction.getOpcode() != llvm::Instruction::FRem || !(type->isFloatTy() || type->isDoubleTy()))
        continue;
      const llvm::FunctionCallee called =
          module.getOrInsertFunction(type->isFloatTy() ? "__nv_fmodf" : "__nv_fmod", type, type, type);
      llvm::IRBuilder<> builder(&instruction);
      llvm::CallInst *call = builder.CreateCall(called, {instruction.getOperand(0), instruction.getOperand(1)});
      call->copyFastMathFlags(&instruction);
      instruction.replaceAllUsesWith(call);
      instruction.eraseFromParent();
    }
}

} // namespace smem
