#include "lower/copied_fields.h"

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "source/accesses.h"
#include "source/doubts.h"

namespace smem::lower {
namespace {

struct Range {
  std::int64_t begin = 0, end = 0;
  llvm::Instruction *copy = nullptr;
};

class CopiedFields {
public:
  explicit CopiedFields(llvm::Function &kernel) : kernel_(kernel), layout_(kernel.getDataLayout()) {}

  void run() {
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (llvm::isa<llvm::MemSetInst>(instruction)) { // zeros in a structure with padding nvcc stores field by field
        raise(Doubt::Copy, kernel_, {AccessPlace::Kind::Store, instruction.getDebugLoc().get()});
      } else if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
        if (const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength()))
          for (llvm::Value *pointer : {copy->getRawDest(), copy->getRawSource()})
            add(pointer, length->getSExtValue(), instruction);
      } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && (load->getType()->isAggregateType() || load->getType()->isVectorTy())) {
        add(load->getPointerOperand(), static_cast<std::int64_t>(layout_.getTypeStoreSize(load->getType()).getFixedValue()), instruction);
      } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->getValueOperand()->getType()->isAggregateType()) {
        add(store->getPointerOperand(), static_cast<std::int64_t>(layout_.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue()), instruction);
      }
    doubt_bytes();
    if (copies_.empty())
      return;
    for (llvm::Instruction &instruction : llvm::instructions(kernel_)) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->getType()->isAggregateType() || load->getType()->isVectorTy())
        continue;
      std::int64_t offset = 0;
      const auto found = copies_.find(base_of(load->getPointerOperand(), offset));
      if (found == copies_.end())
        continue;
      for (const Range &range : found->second)
        if (range.begin <= offset && offset < range.end) {
          raise(Doubt::Copy, kernel_, {AccessPlace::Kind::Load, load->getDebugLoc().get()});
          for (const AccessPlace::Kind kind : {AccessPlace::Kind::Load, AccessPlace::Kind::Store})
            raise(Doubt::Copy, kernel_, {kind, range.copy->getDebugLoc().get()});
        }
    }
  }

private:
  /// A copy that goes byte by byte: the end of a structure that no field fills, say. How bytes are put together again is not followed.
  void doubt_bytes() {
    for (llvm::Instruction &instruction : llvm::instructions(kernel_)) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto *store = load && load->getType()->isIntegerTy(8) && load->hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(load->user_back()) : nullptr;
      const llvm::LoadInst *before = load ? neighbour(*load) : nullptr;
      if (!store || store->getValueOperand() != load || !before)
        continue;
      raise(Doubt::Copy, kernel_, {AccessPlace::Kind::Load, load->getDebugLoc().get()});
      raise(Doubt::Copy, kernel_, {AccessPlace::Kind::Store, store->getDebugLoc().get()});
    }
  }

  /// The load in front of one that is of the same place in the source.
  static const llvm::LoadInst *neighbour(const llvm::LoadInst &load) {
    for (const llvm::Instruction *before = load.getPrevNode(); before; before = before->getPrevNode())
      if (const auto *other = llvm::dyn_cast<llvm::LoadInst>(before))
        return other->getDebugLoc() == load.getDebugLoc() ? other : nullptr;
    return nullptr;
  }

  const llvm::Value *base_of(const llvm::Value *pointer, std::int64_t &offset) const {
    llvm::APInt bytes(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout_, bytes, /*AllowNonInbounds=*/true);
    offset = bytes.getSExtValue();
    return base;
  }

  void add(const llvm::Value *pointer, std::int64_t size, llvm::Instruction &copy) {
    Range range;
    const llvm::Value *base = base_of(pointer, range.begin);
    range.end = range.begin + size;
    range.copy = &copy;
    copies_[base].push_back(range);
  }

  llvm::Function &kernel_;
  const llvm::DataLayout &layout_;
  llvm::DenseMap<const llvm::Value *, std::vector<Range>> copies_;
};

} // namespace

void doubt_copied_fields(llvm::Function &kernel) { CopiedFields(kernel).run(); }

} // namespace smem::lower
