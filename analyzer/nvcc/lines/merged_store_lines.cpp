#include "nvcc/lines/merged_store_lines.h"

#include <deque>
#include <map>
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
      const auto [base, end] = end_of(*store);
      stores_.push_back({llvm::WeakVH(store), {store->getParent(), base, end}, store->getDebugLoc()});
    }
}

void MergedStoreLines::put_back() {
  llvm::SmallPtrSet<const llvm::Value *, 32> as_before;
  std::map<Key, std::deque<llvm::DebugLoc>>
      merged; // in one block, barriers between them, the same may be stored several times
  for (const Store &store : stores_)
    if (store.store)
      as_before.insert(store.store);
    else
      merged[store.key].push_back(store.location);
  for (llvm::Instruction &instruction : llvm::instructions(kernel_))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && store->getValueOperand()->getType()->isVectorTy() && !as_before.contains(store)) {
      const auto [base, end] = end_of(*store);
      if (const auto found = merged.find({store->getParent(), base, end});
          found != merged.end() && !found->second.empty()) {
        store->setDebugLoc(found->second.front());
        found->second.pop_front();
      }
    }
}

} // namespace smem::lower
