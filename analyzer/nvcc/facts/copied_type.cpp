#include "nvcc/facts/copied_type.h"

#include <algorithm>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace smem {
namespace {

bool is_aligned_beyond_members(llvm::Type *type, std::uint64_t alignment, const llvm::DataLayout &layout) {
  while (type && type->isArrayTy())
    type = type->getArrayElementType();
  auto *structure = llvm::dyn_cast_or_null<llvm::StructType>(type);
  return structure && structure->isSized() && alignment > layout.getABITypeAlign(structure).value() &&
         llvm::any_of(structure->elements(),
                      [&](llvm::Type *member) { return layout.getTypeAllocSize(member).getFixedValue() < alignment; });
}

} // namespace

llvm::Type *declared_type(const llvm::Value &pointer) {
  if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&pointer))
    return variable->getAllocatedType();
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer.stripPointerCasts()))
    return variable->getValueType();
  if (const auto *argument = llvm::dyn_cast<llvm::Argument>(&pointer))
    return argument->getParamStructRetType();
  const auto *address = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  return address ? address->getResultElementType() : nullptr;
}

std::uint64_t alignment_of(const llvm::MemTransferInst &copy) {
  return std::min(copy.getSourceAlign().valueOrOne(), copy.getDestAlign().valueOrOne()).value();
}

bool is_aligned_beyond_members(const llvm::MemCpyInst &copy) {
  return llvm::any_of(llvm::ArrayRef{copy.getRawDest(), copy.getRawSource()}, [&](const llvm::Value *side) {
    return is_aligned_beyond_members(declared_type(*side), alignment_of(copy), copy.getModule()->getDataLayout());
  });
}

} // namespace smem
