#include "nvcc/facts/noted_fields.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>

namespace smem {

std::optional<std::vector<NotedField>> noted_fields(const llvm::MemCpyInst &copy) {
  const llvm::MDNode *notes = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  if (!notes)
    return std::nullopt;
  std::vector<NotedField> fields;
  for (unsigned i = 0; i + 2 < notes->getNumOperands(); i += 3) {
    const auto *offset = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(notes->getOperand(i));
    const auto *size = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(notes->getOperand(i + 1));
    const auto *access = llvm::dyn_cast_or_null<llvm::MDNode>(notes->getOperand(i + 2));
    const auto *type =
        access && access->getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDNode>(access->getOperand(0)) : nullptr;
    const auto *name =
        type && type->getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDString>(type->getOperand(0)) : nullptr;
    if (!offset || !size || !name)
      return std::nullopt;
    fields.push_back({offset->getZExtValue(), size->getZExtValue(), name->getString()});
  }
  return fields;
}

bool is_local(const llvm::Value &pointer) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer)); }

} // namespace smem
