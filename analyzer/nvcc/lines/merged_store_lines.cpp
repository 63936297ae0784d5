#include "nvcc/lines/merged_store_lines.h"

#include <deque>
#include <map>
#include <utility>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/barrier_regions.h"

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
  for_each_store([this](llvm::StoreInst &store, const Key &key) {
    stores_.push_back({llvm::WeakVH(&store), key, store.getDebugLoc()});
  });
}

void MergedStoreLines::for_each_store(llvm::function_ref<void(llvm::StoreInst &, const Key &)> visit) {
  for (llvm::BasicBlock &block : kernel_) {
    unsigned part = 0;
    for (llvm::Instruction &instruction : block) {
      part += is_barrier(instruction);
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        const auto [base, end] = end_of(*store);
        visit(*store, {&block, part, base, end});
      }
    }
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
  for_each_store([&](llvm::StoreInst &store, const Key &key) {
    const auto found = store.getValueOperand()->getType()->isVectorTy() && !as_before.contains(&store)
                           ? merged.find(key)
                           : merged.end();
    if (found == merged.end() || found->second.empty())
      return;
    store.setDebugLoc(found->second.front());
    found->second.pop_front();
  });
}

} // namespace smem::lower
