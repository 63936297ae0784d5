#include "nvcc/lines/merged_store_lines.h"

#include <optional>
#include <utility>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace smem::lower {
namespace {

/// What `store` writes lies before so many bytes behind a pointer.
std::pair<const llvm::Value *, long> end_of(const llvm::StoreInst &store) {
  const llvm::DataLayout &layout = store.getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(store.getPointerOperandType()), 0);
  const llvm::Value *base =
      store.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue() +
                    static_cast<long>(layout.getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue())};
}

} // namespace

MergedStoreLines::MergedStoreLines(llvm::Function &kernel) : kernel_(kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      stores_.emplace_back(store);
      const auto [base, end] = end_of(*store);
      locations_[{store->getParent(), base, end}] = store->getDebugLoc();
    }
}

void MergedStoreLines::put_back() {
  const llvm::SmallPtrSet<const llvm::Value *, 32> as_before(stores_.begin(), stores_.end());
  for (llvm::Instruction &instruction : llvm::instructions(kernel_))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && store->getValueOperand()->getType()->isVectorTy() && !as_before.contains(store)) {
      const auto [base, end] = end_of(*store);
      if (const auto location = locations_.find({store->getParent(), base, end}); location != locations_.end())
        store->setDebugLoc(location->second);
    }
}

} // namespace smem::lower
