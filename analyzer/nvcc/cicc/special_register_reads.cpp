#include "nvcc/cicc/special_register_reads.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/special_registers.h"

namespace smem {

llvm::PreservedAnalyses ReadRegisters::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function *getter = call ? call->getCalledFunction() : nullptr;
    if (llvm::Function *read = getter && getter != &function ? register_read_by(*getter) : nullptr) {
      llvm::IRBuilder<> builder(call); // with its location
      call->replaceAllUsesWith(builder.CreateCall(read));
      call->eraseFromParent();
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace smem
