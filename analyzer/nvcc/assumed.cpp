#include "nvcc/assumed.h"

#include <llvm/IR/Instruction.h>
#include <llvm/IR/Metadata.h>

namespace smem {

namespace {
constexpr llvm::StringRef kNote = "smem_lint.assumed";
}

void assume(llvm::Instruction &access, llvm::StringRef what) {
  llvm::LLVMContext &context = access.getContext();
  access.setMetadata(kNote, llvm::MDNode::get(context, llvm::MDString::get(context, what)));
}

std::string assumed(const llvm::Instruction &access) {
  const llvm::MDNode *note = access.getMetadata(kNote);
  const auto *text =
      note && note->getNumOperands() == 1 ? llvm::dyn_cast<llvm::MDString>(note->getOperand(0)) : nullptr;
  return text ? text->getString().str() : std::string();
}

} // namespace smem
