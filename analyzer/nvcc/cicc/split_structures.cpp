#include "nvcc/cicc/split_structures.h"

#include <map>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/structure_leaves.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

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

/// A structure that has some of its fields replaced between a load and a store of it, or is made of them: each field is stored by itself, what is replaced is not loaded, and what has no value is not stored.
class SplitStore {
public:
  explicit SplitStore(llvm::StoreInst &store) : store_(store), builder_(&store) {}

  /// Does nothing where a field comes from another block, unless those are wanted.
  void run(bool from_other_blocks) {
    base_ = store_.getValueOperand();
    while (auto *replaced = llvm::dyn_cast<llvm::InsertValueInst>(base_))
      base_ = replaced->getAggregateOperand();
    if (!llvm::isa<llvm::LoadInst, llvm::Constant>(base_) || !base_->getType()->isStructTy())
      return;
    const std::vector<Leaf> fields = leaves_of(*base_->getType(), store_.getDataLayout());
    const bool made = llvm::isa<llvm::Constant>(base_);
    if (made && llvm::any_of(fields, [&](const Leaf &field) { // a member that was put in as a whole
          return !llvm::FindInsertedValue(store_.getValueOperand(), field.path);
        }))
      return;
    if (made && !from_other_blocks && llvm::any_of(fields, [&](const Leaf &field) {
          return is_loaded_elsewhere(llvm::FindInsertedValue(store_.getValueOperand(), field.path));
        }))
      return;
    for (const Leaf &field : fields) {
      llvm::Value *value = llvm::FindInsertedValue(store_.getValueOperand(), field.path);
      if (value && llvm::isa<llvm::UndefValue>(value))
        continue;
      builder_
          .CreateAlignedStore(value ? value : builder_.CreateExtractValue(base_, field.path),
                              field_of(builder_, store_.getPointerOperand(), field.offset),
                              llvm::commonAlignment(store_.getAlign(), field.offset))
          ->copyMetadata(store_, llvm::LLVMContext::MD_annotation);
    }
    store_.eraseFromParent();
  }

private:
  bool is_loaded_elsewhere(llvm::Value *value) const {
    if (const auto *part = llvm::dyn_cast_or_null<llvm::ExtractValueInst>(value))
      value = const_cast<llvm::Value *>(part->getAggregateOperand());
    const auto *load = llvm::dyn_cast_or_null<llvm::LoadInst>(value);
    return load && load->getParent() != store_.getParent();
  }

  llvm::StoreInst &store_;
  llvm::IRBuilder<> builder_; ///< with its location
  llvm::Value *base_ = nullptr;
};

/// What computed a structure that is not used as a whole any more.
void drop_unused_structures(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::reverse(block)))
      if (llvm::isa<llvm::InsertValueInst>(instruction) && instruction.use_empty())
        instruction.eraseFromParent();
}

void split_stores(llvm::Function &function, bool from_other_blocks) {
  std::vector<llvm::StoreInst *> stores;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && store->isSimple() && llvm::isa<llvm::InsertValueInst, llvm::Constant>(store->getValueOperand()) &&
        store->getValueOperand()->getType()->isStructTy())
      stores.push_back(store);
  for (llvm::StoreInst *store : stores)
    SplitStore(*store).run(from_other_blocks);
  if (!stores.empty())
    drop_unused_structures(function);
}

} // namespace

void split_structures_as_nvcc(llvm::Module &module) {
  std::vector<llvm::LoadInst *> whole;
  for (llvm::Function &function : module) {
    split_stores(function, false);
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->isSimple() && load->getType()->isStructTy())
        whole.push_back(load);
  }
  for (llvm::LoadInst *load : whole)
    SplitStructure(*load).run();
}

void split_structures_of_other_blocks(llvm::Function &kernel) { split_stores(kernel, true); }

} // namespace smem
