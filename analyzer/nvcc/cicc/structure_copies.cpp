#include "nvcc/cicc/structure_copies.h"

#include <algorithm>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "nvcc/cicc/forwarded_copies.h"
#include "nvcc/facts/copied_type.h"
#include "nvcc/facts/machine.h"
#include "nvcc/facts/noted_fields.h"
#include "nvcc/facts/structure_leaves.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

constexpr llvm::StringRef kField = "smem_lint.field";

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

/// Is a type made of numbers alone, none of them behind padding?
bool is_of_numbers(llvm::Type *type, const llvm::DataLayout &layout) {
  while (type->isArrayTy())
    type = type->getArrayElementType();
  if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    std::uint64_t bytes = 0;
    for (llvm::Type *member : structure->elements()) {
      if (!is_of_numbers(member, layout))
        return false;
      bytes += layout.getTypeAllocSize(member).getFixedValue();
    }
    return bytes == layout.getTypeAllocSize(type).getFixedValue();
  }
  return type->isIntegerTy() || type->isFloatingPointTy();
}

/// The member that a structure has at `offset`.
llvm::Type *member_at(llvm::Type *type, std::uint64_t &offset, const llvm::DataLayout &layout) {
  while (auto *structure = llvm::dyn_cast_or_null<llvm::StructType>(type)) {
    if (!structure->isSized() || !structure->getNumElements() ||
        offset >= layout.getTypeAllocSize(structure).getFixedValue())
      return nullptr;
    const llvm::StructLayout *members = layout.getStructLayout(structure);
    const unsigned element = members->getElementContainingOffset(offset);
    offset -= members->getElementOffset(element).getFixedValue();
    type = structure->getElementType(element);
  }
  return type;
}

/// The array there, if all of it is numbers.
llvm::Type *array_at(llvm::Type *type, std::uint64_t offset, std::uint64_t size, const llvm::DataLayout &layout) {
  type = member_at(type, offset, layout);
  const bool whole = type && type->isArrayTy() && !offset && layout.getTypeAllocSize(type) == size;
  return whole && is_of_numbers(type, layout) ? type : nullptr;
}

/// Does a copy have bit-fields? Clang's notes have them as characters, its types as the number that they are bits of; nvcc as bytes, with what is left up to the next member.
bool has_bit_fields(const llvm::MemCpyInst &copy, const std::vector<NotedField> &fields) {
  const llvm::DataLayout &layout = copy.getModule()->getDataLayout();
  return llvm::any_of(fields, [&](const NotedField &field) {
    if (field.type != "omnipotent char" || field.size == 1)
      return false;
    return llvm::any_of(llvm::ArrayRef{copy.getRawDest(), copy.getRawSource()}, [&](const llvm::Value *pointer) {
      std::uint64_t offset = field.offset;
      const llvm::Type *type = member_at(declared_type(*pointer), offset, layout);
      return type && type->isIntegerTy() && type->getIntegerBitWidth() == 8 * field.size;
    });
  });
}

/// Is a copy to a local variable that is nowhere copied on? nvcc loads the fields of such a variable where it is copied, those that are used: what two variables are copies of, too.
bool is_of_fields(const llvm::MemCpyInst &copy) {
  const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(copy.getDest()->stripPointerCasts());
  if (!variable || is_local(*copy.getSource()))
    return false;
  std::vector<const llvm::Value *> open = {variable};
  while (!open.empty()) {
    const llvm::Value *value = open.back();
    open.pop_back();
    for (const llvm::User *user : value->users()) {
      if (const auto *other = llvm::dyn_cast<llvm::MemCpyInst>(user); other && other->getRawSource() == value)
        return false;
      if (llvm::isa<llvm::LoadInst>(user) && user->getType()->isStructTy()) // to return it
        return false;
      if (llvm::isa<llvm::AddrSpaceCastInst, llvm::BitCastInst>(user))
        open.push_back(user);
    }
  }
  return true;
}

bool is_constant(const llvm::Value &pointer) {
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(&pointer));
  return variable && variable->isConstant();
}

/// Of the size of a vector and of equal fields: LLVM's types do not tell whether it is aligned like one.
bool may_be_vector(llvm::Type *type, const llvm::DataLayout &layout) {
  const auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  const std::uint64_t size = layout.getTypeAllocSize(type).getFixedValue();
  return structure && structure->getNumElements() > 1 && llvm::all_equal(structure->elements()) &&
         llvm::isPowerOf2_64(size) && size <= kWidestAccess;
}

/// Is a member, or a member's member, a vector?
bool has_vectors(llvm::Type *type, const llvm::DataLayout &layout) {
  while (type && type->isArrayTy())
    type = type->getArrayElementType();
  const auto *structure = llvm::dyn_cast_or_null<llvm::StructType>(type);
  return structure && structure->isSized() && llvm::any_of(structure->elements(), [&](llvm::Type *member) {
           while (member->isArrayTy())
             member = member->getArrayElementType();
           return may_be_vector(member, layout) || has_vectors(member, layout);
         });
}

/// Are they all, and as wide as accesses are? Such a structure is copied vector by vector (116 rows, all as in machine code).
bool is_of_widest_vectors(llvm::Type *type, const llvm::DataLayout &layout) {
  const auto *structure = llvm::dyn_cast_or_null<llvm::StructType>(type);
  return structure && llvm::all_of(structure->elements(), [&](llvm::Type *member) {
           return may_be_vector(member, layout) && layout.getTypeAllocSize(member) == kWidestAccess;
         });
}

/// May a variable have been made of a list in braces with a constant in it? nvcc then stores the padding at its end, too (`T{1.0, x}` of a double and an int).
bool may_be_of_constants(const llvm::Value &variable) {
  std::vector<const llvm::Value *> open = {&variable};
  while (!open.empty()) {
    const llvm::Value *value = open.back();
    open.pop_back();
    for (const llvm::User *user : value->users()) {
      if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastInst, llvm::BitCastInst>(user)) {
        open.push_back(user);
      } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        const llvm::Value *stored = store->getValueOperand(); // the latter two: what a function returned
        if (llvm::isa<llvm::Constant, llvm::ExtractValueInst>(stored) || stored->getType()->isStructTy())
          return true;
      } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user); call && !call->isLifetimeStartOrEnd()) {
        const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(call);
        if (!copy || (copy->getRawDest() == value && is_constant(*copy->getSource())))
          return true;
      }
    }
  }
  return false;
}

/// Do copies go into a local variable and out of it?
bool is_copied_through(const llvm::Value &pointer) {
  bool in = false, out = false;
  std::vector<const llvm::Value *> open = {llvm::getUnderlyingObject(&pointer)};
  while (!open.empty()) {
    const llvm::Value *value = open.back();
    open.pop_back();
    for (const llvm::Use &use : value->uses()) {
      const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(use.getUser());
      in |= copy && &use == &copy->getRawDestUse();
      out |= copy && &use == &copy->getRawSourceUse();
      out |= llvm::isa<llvm::LoadInst>(use.getUser()) && use.getUser()->getType()->isStructTy(); // to return it
      if (llvm::isa<llvm::AddrSpaceCastInst, llvm::BitCastInst>(use.getUser()))
        open.push_back(use.getUser());
    }
  }
  return in && out;
}

/// Where fields lie apart, or are vectors, nvcc takes a structure apart in ways that are known in part: of 269 rows of generated kernels 135 had other
/// counts than machine code, of other structures none of 36.
/// Through a variable, that is: from memory to memory they are copied whole.
void note_irregular(const llvm::MemCpyInst &copy, const std::vector<NotedField> &fields) {
  const bool made = is_local(*copy.getSource()) || is_constant(*copy.getSource());
  if (!is_local(*copy.getDest()) && !made)
    return;
  const llvm::DataLayout &layout = copy.getModule()->getDataLayout();
  bool irregular = llvm::any_of(llvm::ArrayRef{copy.getRawDest(), copy.getRawSource()}, [&](const llvm::Value *side) {
    llvm::Type *type = declared_type(*side);
    return has_vectors(type, layout) && !is_of_widest_vectors(type, layout);
  });
  for (std::size_t i = 1; i < fields.size(); ++i)
    irregular |= fields[i].offset > fields[i - 1].offset + fields[i - 1].size;
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const bool ends_early =
      length && !fields.empty() && fields.back().offset + fields.back().size < length->getZExtValue();
  const auto may_end_with_padding = [&] {
    const llvm::Value &source = *llvm::getUnderlyingObject(copy.getSource());
    return is_constant(source) || may_be_of_constants(source) ||
           (is_copied_through(source) && !is_only_copied(source, CopyUses::OneForOne));
  };
  if (!irregular && !(ends_early && made && may_end_with_padding()))
    return;
  const auto raise = [&](AccessLocation::Kind kind) {
    raise_uncertainty(Uncertainty::StructureFields, const_cast<llvm::Function &>(*copy.getFunction()),
                      {kind, copy.getDebugLoc().get()});
  };
  if (!is_local(*copy.getDest()))
    raise(AccessLocation::Kind::Store);
  if (irregular && !is_local(*copy.getSource()) && !is_parameter(*copy.getSource()) && !is_of_fields(copy))
    raise(AccessLocation::Kind::Load);
}

/// Of a class with a constructor Clang copies no padding at the end, and nvcc does or not (2 kernels, machine code).
bool lacks_end(const llvm::MemCpyInst &copy) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const std::uint64_t alignment =
      std::max(copy.getSourceAlign().valueOrOne(), copy.getDestAlign().valueOrOne()).value();
  return length && length->getZExtValue() % alignment != 0;
}

bool is_long(const llvm::MemCpyInst &copy, const CompilerRules &rules) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  return length && length->getZExtValue() > rules.straight_copy_size;
}

/// Through a local variable nvcc has a structure that is no value as one copy of memory or as fields; of a long one, fields that are read are copied apart here and not there.
bool may_be_taken_apart(const llvm::MemCpyInst &copy, const CompilerRules &rules) {
  const bool returned = copy.getFunction()->getReturnType()->isStructTy();
  return llvm::any_of(llvm::ArrayRef{copy.getRawDest(), copy.getRawSource()}, [&](const llvm::Value *side) {
    if (!is_local(*side))
      return false;
    if (is_long(copy, rules))
      return returned || !is_only_copied(*side, CopyUses::Any);
    return is_aligned_beyond_members(copy) && is_copied_through(*side);
  });
}

/// Of a structure that is aligned for the widest access and has gaps between its fields nvcc was seen to fill these on both sides of a copy, of which the model fills those of one.
bool has_wide_gaps(const llvm::MemCpyInst &copy, const std::vector<NotedField> &fields) {
  if (std::min(copy.getSourceAlign().valueOrOne(), copy.getDestAlign().valueOrOne()) < kWidestAccess)
    return false;
  std::uint64_t end = 0;
  for (const NotedField &field : fields) {
    if (field.offset > end)
      return true;
    end = field.offset + field.size;
  }
  return false;
}

/// The structure that Clang's notes on a copy describe; null if they do not. They call an array characters.
llvm::StructType *structure_of(const llvm::MemCpyInst &copy, const CompilerRules &rules) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const auto fields = noted_fields(copy);
  if (!length || !fields || fields->empty() || copy.isVolatile() || is_long(copy, rules))
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
    // An array of structures is its numbers, one by one: as such it is taken apart.
    const bool apart = type->isArrayTy() && leaves_of(*type, layout).front().path.size() > 1;
    for (const Leaf &leaf : apart ? leaves_of(*type, layout) : std::vector{Leaf{{}, 0, type}}) {
      types.push_back(leaf.type);
      offsets.push_back(field.offset + leaf.offset);
    }
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

/// Are there bytes side by side, and padding? Those of such a structure are loaded together, when it is taken apart at last.
bool has_rows_of_bytes(const std::vector<Leaf> &leaves, const llvm::DataLayout &layout) {
  bool padded = false, rows = false;
  for (std::size_t i = 1; i < leaves.size(); ++i) {
    padded |= leaves[i].offset > leaves[i - 1].offset + layout.getTypeStoreSize(leaves[i - 1].type).getFixedValue();
    rows |= leaves[i].type->isIntegerTy(8) && leaves[i - 1].type->isIntegerTy(8);
  }
  return padded && rows;
}

/// Loads all fields, then stores all.
void copy_fields(llvm::IRBuilder<> &builder, llvm::MemCpyInst &copy, const std::vector<Leaf> &leaves) {
  std::vector<llvm::LoadInst *> values;
  for (const Leaf &field : leaves) {
    values.push_back(
        builder.CreateAlignedLoad(field.type, field_of(builder, copy.getSource(), field.offset),
                                  llvm::commonAlignment(copy.getSourceAlign().valueOrOne(), field.offset)));
    values.back()->setMetadata(kField, llvm::MDNode::get(copy.getContext(), {}));
  }
  for (std::size_t i = 0; i < leaves.size(); ++i)
    builder.CreateAlignedStore(values[i], field_of(builder, copy.getDest(), leaves[i].offset),
                               llvm::commonAlignment(copy.getDestAlign().valueOrOne(), leaves[i].offset));
}

} // namespace

bool is_unused_field(const llvm::LoadInst &load) { return load.use_empty() && load.hasMetadata(kField); }

void copy_structures_as_nvcc(llvm::Module &module, const CompilerRules &rules) {
  std::vector<std::pair<llvm::MemCpyInst *, llvm::StructType *>> copies;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
      if (!copy || (is_local(*copy->getDest()) && (is_local(*copy->getSource()) || is_parameter(*copy->getSource()))))
        continue;
      if (const auto fields = noted_fields(*copy)) {
        note_irregular(*copy, *fields);
        const bool as_a_whole =
            has_bit_fields(*copy, *fields) || has_wide_gaps(*copy, *fields) || may_be_taken_apart(*copy, rules);
        if (as_a_whole || lacks_end(*copy))
          for (const AccessLocation::Kind kind : {AccessLocation::Kind::Load, AccessLocation::Kind::Store})
            raise_uncertainty(as_a_whole ? Uncertainty::StructureCopy : Uncertainty::StructureFields, function,
                              {kind, copy->getDebugLoc().get()});
      }
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
    const std::vector<Leaf> leaves = leaves_of(*structure, module.getDataLayout());
    if (is_of_fields(*copy) && !has_rows_of_bytes(leaves, module.getDataLayout())) {
      copy_fields(builder, *copy, leaves);
      copy->eraseFromParent();
      continue;
    }
    llvm::LoadInst *value = builder.CreateAlignedLoad(structure, copy->getSource(), copy->getSourceAlign());
    builder.CreateAlignedStore(value, copy->getDest(), copy->getDestAlign());
    copy->eraseFromParent();
  }
}

} // namespace smem
