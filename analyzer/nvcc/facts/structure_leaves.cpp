#include "nvcc/facts/structure_leaves.h"

#include <utility>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

namespace smem {
namespace {

void add_leaves(llvm::Type &type, Leaf at, const llvm::DataLayout &layout, std::vector<Leaf> &leaves) {
  if (!type.isAggregateType()) {
    at.type = &type;
    leaves.push_back(std::move(at));
    return;
  }
  auto *structure = llvm::dyn_cast<llvm::StructType>(&type);
  const std::uint64_t count = structure ? structure->getNumElements() : type.getArrayNumElements();
  for (unsigned i = 0; i < count; ++i) {
    llvm::Type *member = structure ? structure->getElementType(i) : type.getArrayElementType();
    Leaf inner = at;
    inner.path.push_back(i);
    inner.offset += structure ? layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()
                              : i * layout.getTypeAllocSize(member).getFixedValue();
    add_leaves(*member, std::move(inner), layout, leaves);
  }
}

} // namespace

std::vector<Leaf> leaves_of(llvm::Type &type, const llvm::DataLayout &layout) {
  std::vector<Leaf> leaves;
  add_leaves(type, {}, layout, leaves);
  return leaves;
}

llvm::Value *field_of(llvm::IRBuilder<> &builder, llvm::Value *pointer, std::uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
}

} // namespace smem
