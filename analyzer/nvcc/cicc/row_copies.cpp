#include "nvcc/cicc/row_copies.h"

#include <algorithm>
#include <set>
#include <vector>

#include <llvm/IR/Argument.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "nvcc/cicc/forwarded_copies.h"
#include "nvcc/facts/copied_type.h"
#include "nvcc/facts/machine.h"
#include "nvcc/facts/noted_fields.h"
#include "nvcc/facts/place.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

constexpr llvm::StringRef kRowCopies = "smem_lint.row_copies";

/// Is what a pointer points to memory, what a caller gets, or a variable that is only copied?
bool is_copied_as_memory(const llvm::Value &pointer) {
  return !is_local(pointer) || is_only_copied(pointer, CopyUses::Any);
}

/// Null for other copies.
llvm::Type *row_for(const llvm::MemCpyInst &copy, const CompilerRules &rules) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const std::uint64_t size = length ? length->getZExtValue() : 0;
  const bool between_locals = is_local(*copy.getDest()) && is_local(*copy.getSource());
  if (!size || size > rules.straight_copy_size || copy.isVolatile() || between_locals || !noted_fields(copy) ||
      !is_aligned_beyond_members(copy) || !is_copied_as_memory(*copy.getDest()) ||
      !is_copied_as_memory(*copy.getSource()))
    return nullptr;
  const std::uint64_t piece = std::min<std::uint64_t>(alignment_of(copy), kWidestAccess);
  const std::uint64_t element = std::min<std::uint64_t>(piece, kWordBytes);
  if (size % piece)
    return nullptr;
  llvm::Type *type = llvm::Type::getIntNTy(copy.getContext(), static_cast<unsigned>(8 * element));
  if (piece > element)
    type = llvm::FixedVectorType::get(type, static_cast<unsigned>(piece / element));
  return size == piece ? type : llvm::ArrayType::get(type, size / piece);
}

/// The first of the stores that `load` is copied by, if it is only copied and nothing is written before that.
const llvm::StoreInst *first_copy(const llvm::LoadInst &load) {
  const llvm::StoreInst *first = nullptr;
  for (const llvm::User *user : load.users()) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || store->getValueOperand() != &load || store->getParent() != load.getParent())
      return nullptr;
    if (!first || store->comesBefore(first))
      first = store;
  }
  return first && is_forwarded(load, *first) ? first : nullptr;
}

} // namespace

void copy_rows_as_nvcc(llvm::Module &module, const CompilerRules &rules) {
  struct Row {
    llvm::MemCpyInst *copy;
    llvm::Type *type;
  };
  std::vector<Row> rows;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction))
        if (llvm::Type *type = row_for(*copy, rules))
          rows.push_back({copy, type});
  for (const auto &[copy, type] : rows) {
    if (const llvm::DILocation *location = copy->getDebugLoc().get())
      module.getOrInsertNamedMetadata(kRowCopies)->addOperand(place_of(*location));
    llvm::IRBuilder<> builder(copy); // with the location of the copy
    llvm::LoadInst *value = builder.CreateAlignedLoad(type, copy->getSource(), copy->getSourceAlign());
    builder.CreateAlignedStore(value, copy->getDest(), copy->getDestAlign());
    copy->eraseFromParent();
  }
}

void forward_rows(llvm::Module &module) {
  llvm::NamedMDNode *table = module.getNamedMetadata(kRowCopies);
  if (!table)
    return;
  const std::set<const llvm::MDNode *> places(table->op_begin(), table->op_end());
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const llvm::DILocation *location = load ? load->getDebugLoc().get() : nullptr;
      if (!location || !places.contains(place_of(*location)))
        continue;
      const llvm::StoreInst *store = first_copy(*load);
      if (store && store->getDebugLoc()) {
        load->setDebugLoc(store->getDebugLoc());
        continue;
      }
      raise_uncertainty(Uncertainty::StructureCopy, function, {AccessLocation::Kind::Load, location});
      for (const llvm::User *user : load->users())
        if (const auto *other = llvm::dyn_cast<llvm::StoreInst>(user))
          raise_uncertainty(Uncertainty::StructureCopy, function,
                            {AccessLocation::Kind::Store, other->getDebugLoc().get()});
    }
  module.eraseNamedMetadata(table);
}

} // namespace smem
