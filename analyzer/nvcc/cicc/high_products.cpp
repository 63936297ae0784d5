#include "nvcc/cicc/high_products.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "nvcc/cicc/if_conversion.h"

namespace smem {

llvm::Value *high_product(llvm::IRBuilder<> &builder, llvm::CallBase &call, bool is_signed) {
  llvm::Type *narrow = call.getType(), *wide = builder.getIntNTy(2 * narrow->getIntegerBitWidth());
  const auto widened = [&](unsigned operand) {
    return is_signed ? builder.CreateSExt(call.getArgOperand(operand), wide)
                     : builder.CreateZExt(call.getArgOperand(operand), wide);
  };
  llvm::Value *half = builder.CreateTrunc(
      builder.CreateLShr(builder.CreateMul(widened(0), widened(1)), narrow->getIntegerBitWidth()), narrow);
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(half))
    note_call_of_cicc(*instruction);
  return half;
}

void write_out_high_products(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (const llvm::Intrinsic::ID intrinsic = function.getIntrinsicID();
        intrinsic == llvm::Intrinsic::nvvm_mulhi_i || intrinsic == llvm::Intrinsic::nvvm_mulhi_ui)
      for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
        auto *call = llvm::cast<llvm::CallBase>(user);
        llvm::IRBuilder<> builder(call);
        call->replaceAllUsesWith(high_product(builder, *call, intrinsic == llvm::Intrinsic::nvvm_mulhi_i));
        call->eraseFromParent();
      }
}

} // namespace smem
