#include "nvcc/assumed.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Metadata.h>

namespace smem {

namespace {
constexpr llvm::StringRef kNote = "smem_lint.assumed";
}

void assume(llvm::Instruction &access, Uncertainty kind) {
  llvm::LLVMContext &context = access.getContext();
  llvm::Metadata *number = llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), static_cast<std::uint64_t>(kind)));
  access.setMetadata(kNote, llvm::MDNode::get(context, number));
}

std::optional<Uncertainty> assumed(const llvm::Instruction &access) {
  const llvm::MDNode *note = access.getMetadata(kNote);
  if (!note || note->getNumOperands() != 1)
    return std::nullopt;
  const auto *number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(note->getOperand(0));
  return number ? std::optional(static_cast<Uncertainty>(number->getZExtValue())) : std::nullopt;
}

} // namespace smem
