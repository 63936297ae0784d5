#include "nvcc/ptxas/reduced_addresses.h"

#include <cstdint>
#include <set>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace smem::lower {
namespace {

/// By how much what is accessed lies behind an address, where that is a constant. Whole vectors are not reduced.
std::set<std::int64_t> accessed_offsets(const llvm::Value &address, const llvm::DataLayout &layout) {
  std::set<std::int64_t> offsets;
  for (const llvm::User *user : address.users()) {
    if (llvm::getLoadStorePointerOperand(user) == &address &&
        !llvm::getLoadStoreType(const_cast<llvm::User *>(user))->isVectorTy())
      offsets.insert(0);
    const auto *further = llvm::dyn_cast<llvm::GEPOperator>(user);
    llvm::APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
    if (further && further->getPointerOperand() == &address && further->accumulateConstantOffset(layout, offset))
      for (const std::int64_t inner : accessed_offsets(*further, layout))
        offsets.insert(offset.getSExtValue() + inner);
  }
  return offsets;
}

/// Is it the address of an element that is a structure?
bool is_of_structures(const llvm::GEPOperator &address) {
  const llvm::Type *type = address.getSourceElementType();
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return type->isStructTy();
}

} // namespace

bool is_reduced(const llvm::GEPOperator &address) {
  const auto *base = llvm::dyn_cast<llvm::GEPOperator>(address.getPointerOperand());
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&address);
  if (!base || !instruction || address.hasAllConstantIndices() || !is_of_structures(*base))
    return false;
  const llvm::DataLayout &layout = instruction->getDataLayout();
  const std::set<std::int64_t> of_base = accessed_offsets(*base, layout);
  for (const std::int64_t offset : accessed_offsets(address, layout))
    if (of_base.count(offset))
      return true;
  return false;
}

} // namespace smem::lower
