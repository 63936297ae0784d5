#include "nvcc/cicc/structure_copies.h"

#include <map>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/noted_fields.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// A parameter of the kernel that is a structure.
bool is_parameter(const llvm::Value &pointer) {
  const auto *argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(&pointer));
  return argument && argument->hasByValAttr();
}

llvm::Type *type_of_field(llvm::LLVMContext &context, llvm::StringRef name, std::uint64_t size) {
  if (name.contains("pointer"))
    return size == 8 ? llvm::PointerType::get(context, 0) : nullptr;
  if (name == "float")
    return llvm::Type::getFloatTy(context);
  if (name == "double")
    return llvm::Type::getDoubleTy(context);
  // Characters of several bytes: an array, or a union.
  const bool plain = size == 1 || ((size == 2 || size == 4 || size == 8) && name != "omnipotent char");
  return plain ? llvm::Type::getIntNTy(context, static_cast<unsigned>(8 * size)) : nullptr;
}

/// What a pointer was declared to point to; null if that cannot be seen.
llvm::Type *declared_type(const llvm::Value &pointer) {
  if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&pointer))
    return variable->getAllocatedType();
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer.stripPointerCasts()))
    return variable->getValueType();
  const auto *address = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  return address ? address->getResultElementType() : nullptr;
}

/// The array that a structure has at `offset`, if all of it is numbers.
llvm::Type *array_at(llvm::Type *type, std::uint64_t offset, std::uint64_t size, const llvm::DataLayout &layout) {
  while (auto *structure = llvm::dyn_cast_or_null<llvm::StructType>(type)) {
    if (!structure->isSized() || !structure->getNumElements() ||
        offset >= layout.getTypeAllocSize(structure).getFixedValue())
      return nullptr;
    const llvm::StructLayout *members = layout.getStructLayout(structure);
    const unsigned element = members->getElementContainingOffset(offset);
    offset -= members->getElementOffset(element).getFixedValue();
    type = structure->getElementType(element);
  }
  const llvm::Type *number = type;
  while (number && number->isArrayTy())
    number = number->getArrayElementType();
  const bool whole = number && type->isArrayTy() && !offset && layout.getTypeAllocSize(type) == size;
  return whole && (number->isIntegerTy() || number->isFloatingPointTy()) ? type : nullptr;
}

/// The structure that Clang's notes on a copy describe; null if they do not. They call an array characters.
llvm::StructType *structure_of(const llvm::MemCpyInst &copy, const CompilerRules &rules) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const auto fields = noted_fields(copy);
  if (!length || !fields || fields->empty() || copy.isVolatile() || length->getZExtValue() > rules.straight_copy_size)
    return nullptr;
  llvm::LLVMContext &context = copy.getContext();
  const llvm::DataLayout &layout = copy.getModule()->getDataLayout();
  std::vector<llvm::Type *> types;
  std::vector<std::uint64_t> offsets;
  for (const NotedField &field : *fields) {
    llvm::Type *type = type_of_field(context, field.type, field.size);
    for (const llvm::Value *pointer : {copy.getRawDest(), copy.getRawSource()})
      if (!type)
        type = array_at(declared_type(*pointer), field.offset, field.size, layout);
    if (!type)
      return nullptr;
    types.push_back(type);
    offsets.push_back(field.offset);
  }
  // What stands behind the last field are bytes like others, what stands between fields is not.
  const std::uint64_t end = offsets.back() + layout.getTypeStoreSize(types.back()).getFixedValue();
  if (end < length->getZExtValue()) {
    types.push_back(llvm::ArrayType::get(llvm::Type::getInt8Ty(context), length->getZExtValue() - end));
    offsets.push_back(end);
  }
  llvm::StructType *structure = llvm::StructType::get(context, types);
  const llvm::StructLayout *members = layout.getStructLayout(structure);
  if (members->getSizeInBytes() != length->getZExtValue())
    return nullptr;
  for (unsigned i = 0; i < offsets.size(); ++i)
    if (members->getElementOffset(i) != offsets[i])
      return nullptr;
  return structure;
}

/// The structure that one load has whole and only parts of which are used.
class SplitStructure {
public:
  explicit SplitStructure(llvm::LoadInst &load) : load_(load), layout_(load.getDataLayout()) {}

  /// Nothing happens where it is used as a whole.
  void run() {
    for (llvm::User *user : load_.users()) {
      auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      if (!part || part->getType()->isAggregateType())
        return;
      parts_.push_back(part);
    }
    llvm::IRBuilder<> builder(&load_); // with its location
    for (llvm::ExtractValueInst *part : parts_) {
      llvm::Value *&value = values_[offset_of(*part)];
      if (!value)
        value = part->getType()->isIntegerTy(8) ? byte(builder, offset_of(*part))
                                                : loaded(builder, part->getType(), offset_of(*part));
      part->replaceAllUsesWith(value);
      part->eraseFromParent();
    }
    load_.eraseFromParent();
  }

private:
  std::uint64_t offset_of(const llvm::ExtractValueInst &part) const {
    llvm::Type *number = llvm::Type::getInt32Ty(load_.getContext());
    llvm::SmallVector<llvm::Value *> indices{llvm::ConstantInt::get(number, 0)};
    for (const unsigned index : part.indices())
      indices.push_back(llvm::ConstantInt::get(number, index));
    return static_cast<std::uint64_t>(layout_.getIndexedOffsetInType(load_.getType(), indices));
  }

  bool is_byte(std::uint64_t offset) const {
    if (offset >= layout_.getTypeAllocSize(load_.getType()).getFixedValue())
      return false;
    llvm::Type *type = load_.getType();
    llvm::APInt rest(64, offset);
    layout_.getGEPIndicesForOffset(type, rest);
    while (type->isAggregateType()) // ends at the outermost that begins there
      type = llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{0});
    return type->isIntegerTy(8) && rest.isZero();
  }

  llvm::LoadInst *loaded(llvm::IRBuilder<> &builder, llvm::Type *type, std::uint64_t offset) const {
    llvm::Value *pointer = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load_.getPointerOperand(), offset);
    return builder.CreateAlignedLoad(type, pointer, llvm::commonAlignment(load_.getAlign(), offset));
  }

  /// A byte, out of those around it that are loaded with it.
  llvm::Value *byte(llvm::IRBuilder<> &builder, std::uint64_t offset) {
    std::uint64_t size = 8;
    const auto row = [&] {
      const std::uint64_t begin = offset / size * size;
      for (std::uint64_t at = begin; at < begin + size; ++at)
        if (!is_byte(at))
          return false;
      return llvm::commonAlignment(load_.getAlign(), begin).value() >= size;
    };
    while (size > 1 && !row())
      size /= 2;
    if (size == 1)
      return loaded(builder, builder.getInt8Ty(), offset);
    const std::uint64_t wide = size == 8 ? 2 : size, begin = offset / wide * wide;
    llvm::Value *&all = rows_[begin];
    if (size == 8) { // as half-words, of which ptxas loads what is wanted: alone, or in one
      raise_uncertainty(Uncertainty::StructureCopy, *load_.getFunction(),
                        {AccessLocation::Kind::Load, load_.getDebugLoc().get()});
      if (!all)
        all = loaded(builder, builder.getInt16Ty(), begin);
      return builder.CreateTrunc(builder.CreateLShr(all, 8 * (offset - begin)), builder.getInt8Ty());
    }
    if (!all)
      all = loaded(builder, llvm::FixedVectorType::get(builder.getInt8Ty(), static_cast<unsigned>(size)), begin);
    return builder.CreateExtractElement(all, offset - begin);
  }

  llvm::LoadInst &load_;
  const llvm::DataLayout &layout_;
  std::vector<llvm::ExtractValueInst *> parts_;
  std::map<std::uint64_t, llvm::Value *> values_, rows_;
};

} // namespace

void split_structures_as_nvcc(llvm::Module &module) {
  std::vector<llvm::LoadInst *> whole;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->isSimple() && load->getType()->isStructTy())
        whole.push_back(load);
  for (llvm::LoadInst *load : whole)
    SplitStructure(*load).run();
}

void copy_structures_as_nvcc(llvm::Module &module, const CompilerRules &rules) {
  std::vector<std::pair<llvm::MemCpyInst *, llvm::StructType *>> copies;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
      if (!copy || (is_local(*copy->getDest()) && (is_local(*copy->getSource()) || is_parameter(*copy->getSource()))))
        continue;
      if (llvm::StructType *structure = structure_of(*copy, rules))
        copies.emplace_back(copy, structure);
    }
  for (const auto &[copy, structure] : copies) {
    llvm::IRBuilder<> builder(copy);        // with the location of the copy
    if (is_parameter(*copy->getSource())) { // a value from the beginning
      const llvm::StructLayout *members = module.getDataLayout().getStructLayout(structure);
      for (unsigned i = 0; i < structure->getNumElements(); ++i) {
        const std::uint64_t offset = members->getElementOffset(i);
        const auto field = [&](llvm::Value *pointer) {
          return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
        };
        llvm::LoadInst *value =
            builder.CreateAlignedLoad(structure->getElementType(i), field(copy->getSource()),
                                      llvm::commonAlignment(copy->getSourceAlign().valueOrOne(), offset));
        builder.CreateAlignedStore(value, field(copy->getDest()),
                                   llvm::commonAlignment(copy->getDestAlign().valueOrOne(), offset));
      }
      copy->eraseFromParent();
      continue;
    }
    llvm::LoadInst *value = builder.CreateAlignedLoad(structure, copy->getSource(), copy->getSourceAlign());
    builder.CreateAlignedStore(value, copy->getDest(), copy->getDestAlign());
    copy->eraseFromParent();
  }
}

} // namespace smem
