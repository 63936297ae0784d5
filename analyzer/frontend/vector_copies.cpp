#include "frontend/vector_copies.h"

#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include "source/doubts.h"

namespace smem {
namespace {

bool is_local(const llvm::Value &pointer) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer)); }

/// The size in bytes of every field, as Clang notes them on the copy; 0 where they differ or hold a pointer. An array is one field.
std::uint64_t field_size(const llvm::MDNode &fields) {
  std::uint64_t common = 0;
  for (unsigned i = 0; i + 2 < fields.getNumOperands(); i += 3) {
    const auto *size = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(fields.getOperand(i + 1));
    const auto *access = llvm::dyn_cast_or_null<llvm::MDNode>(fields.getOperand(i + 2));
    const auto *type = access && access->getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDNode>(access->getOperand(0)) : nullptr;
    const auto *name = type && type->getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDString>(type->getOperand(0)) : nullptr;
    if (!size || !name || name->getString().contains("pointer") || (common && common != size->getZExtValue()))
      return 0;
    common = size->getZExtValue();
  }
  return common;
}

/// The fields' types as Clang notes them: are they numbers without a fraction?
bool holds_integers(const llvm::MDNode &fields) {
  for (unsigned i = 2; i < fields.getNumOperands(); i += 3) {
    const auto *access = llvm::dyn_cast_or_null<llvm::MDNode>(fields.getOperand(i));
    const auto *type = access && access->getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDNode>(access->getOperand(0)) : nullptr;
    const auto *name = type && type->getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDString>(type->getOperand(0)) : nullptr;
    if (!name || (name->getString() != "int" && name->getString() != "long" && name->getString() != "long long"))
      return false;
  }
  return true;
}

/// Places of copies of integers, in the module.
constexpr llvm::StringRef kIntegers = "smem_lint.integer_copies";

/// Is any of what `load` loads a floating-point number?
bool loads_fractions(const llvm::LoadInst &load) {
  if (load.getType()->isFPOrFPVectorTy())
    return true;
  return llvm::any_of(load.users(), [](const llvm::User *user) {
    return llvm::isa<llvm::ExtractElementInst>(user) && llvm::any_of(user->users(), [](const llvm::User *reader) {
             return llvm::isa<llvm::BitCastInst>(reader) && reader->getType()->isFPOrFPVectorTy();
           });
  });
}

llvm::Type *vector_for(const llvm::MemCpyInst &copy) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const llvm::MDNode *fields = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  if (!length || !fields || copy.isVolatile() || (is_local(*copy.getDest()) && is_local(*copy.getSource())))
    return nullptr;
  const std::uint64_t size = length->getZExtValue(), field = field_size(*fields);
  const bool aligned = copy.getDestAlign().valueOrOne().value() >= size && copy.getSourceAlign().valueOrOne().value() >= size;
  if (!field || (size != 2 && size != 4 && size != 8 && size != 16) || !aligned || (field == 8 && size == 8))
    return nullptr;
  // Narrow elements are four at most; beyond that, and in arrays, they are copied by the word.
  const std::uint64_t element = field <= 8 && size / field <= 4 && size % field == 0 && size != field ? field : std::min<std::uint64_t>(4, size);
  llvm::Type *type = llvm::Type::getIntNTy(copy.getContext(), static_cast<unsigned>(8 * element));
  return size == element ? type : llvm::FixedVectorType::get(type, static_cast<unsigned>(size / element));
}

} // namespace

void copy_vectors_as_nvcc(llvm::Module &module) {
  std::vector<llvm::MemCpyInst *> copies;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction); copy && vector_for(*copy))
        copies.push_back(copy);
  for (llvm::MemCpyInst *copy : copies) {
    llvm::IRBuilder<> builder(copy); // with the place of the copy
    llvm::LoadInst *value = builder.CreateAlignedLoad(vector_for(*copy), copy->getSource(), copy->getSourceAlign());
    builder.CreateAlignedStore(value, copy->getDest(), copy->getDestAlign());
    if (copy->getDebugLoc() && holds_integers(*copy->getMetadata(llvm::LLVMContext::MD_tbaa_struct)))
      module.getOrInsertNamedMetadata(kIntegers)->addOperand(copy->getDebugLoc());
    copy->eraseFromParent();
  }
}

void doubt_integers_read_as_fractions(llvm::Module &module) {
  llvm::NamedMDNode *places = module.getNamedMetadata(kIntegers);
  if (!places)
    return;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const llvm::DILocation *at = load ? load->getDebugLoc().get() : nullptr;
      const bool copied = at && llvm::any_of(places->operands(), [at](const llvm::MDNode *node) {
                            const auto *place = llvm::cast<llvm::DILocation>(node);
                            return place->getLine() == at->getLine() && place->getColumn() == at->getColumn() && place->getScope() == at->getScope();
                          });
      if (copied && loads_fractions(*load))
        raise(Doubt::Place, function, {AccessPlace::Kind::Load, at});
    }
  places->eraseFromParent();
}

} // namespace smem
