#include "nvcc/cicc/boolean_loads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace smem {
namespace {

/// Loaded and known to be 0 or 1.
bool is_loaded_boolean(const llvm::Value &value) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  const llvm::MDNode *range = load ? load->getMetadata(llvm::LLVMContext::MD_range) : nullptr;
  return range && llvm::getConstantRangeFromMetadata(*range).getUnsignedMax().ule(1);
}

} // namespace

void compare_booleans(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *bit = llvm::dyn_cast<llvm::TruncInst>(&instruction);
      if (!bit || !bit->getType()->isIntegerTy(1) || !is_loaded_boolean(*bit->getOperand(0)))
        continue;
      llvm::IRBuilder<> builder(bit);
      llvm::Value *test = builder.CreateIsNotNull(bit->getOperand(0));
      test->takeName(bit);
      bit->replaceAllUsesWith(test);
      bit->eraseFromParent();
    }
}

} // namespace smem
