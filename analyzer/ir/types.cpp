#include "ir/types.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

namespace smem::lower {
namespace {

constexpr unsigned kRegisterBits = 64;

void append(llvm::Type *type, const llvm::DataLayout &layout, std::uint64_t base, std::vector<Component> &out) {
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *fields = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      append(structure->getElementType(i), layout, base + fields->getElementOffset(i), out);
  } else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      append(array->getElementType(), layout, base + i * stride, out);
  } else if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const std::uint64_t bits = layout.getTypeSizeInBits(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      append(vector->getElementType(), layout, base + i * bits / 8, out);
  } else if (type->isPointerTy()) {
    out.push_back({base, kRegisterBits, false});
  } else if (type->isIntegerTy() || type->isFloatingPointTy()) {
    const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
    const unsigned width = type->isIntegerTy() ? type->getIntegerBitWidth() : bits;
    for (unsigned done = 0; done < width; done += kRegisterBits)
      out.push_back({base + done / 8, static_cast<std::uint8_t>(std::min(kRegisterBits, width - done)),
                     type->isFloatingPointTy()});
  } else if (!type->isVoidTy() && !type->isMetadataTy() && !type->isTokenTy() && !type->isLabelTy()) {
    out.push_back({base, kRegisterBits, false});
  }
}

} // namespace

std::vector<Component> components_of(llvm::Type *type, const llvm::DataLayout &layout) {
  std::vector<Component> result;
  append(type, layout, 0, result);
  return result;
}

std::size_t component_count(llvm::Type *type) {
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    std::size_t count = 0;
    for (llvm::Type *element : structure->elements())
      count += component_count(element);
    return count;
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    return array->getNumElements() * component_count(array->getElementType());
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements() * component_count(vector->getElementType());
  if (type->isVoidTy() || type->isMetadataTy() || type->isTokenTy() || type->isLabelTy())
    return 0;
  if (type->isIntegerTy())
    return (type->getIntegerBitWidth() + kRegisterBits - 1) / kRegisterBits;
  if (type->isFloatingPointTy())
    return (type->getPrimitiveSizeInBits().getFixedValue() + kRegisterBits - 1) / kRegisterBits;
  return 1;
}

} // namespace smem::lower
