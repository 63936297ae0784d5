// The line that a store is counted on of which LLVM's vectoriser made one with its neighbours.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/ValueHandle.h>

namespace llvm {
class BasicBlock;
class Function;
class StoreInst;
class Value;
} // namespace llvm

namespace smem::lower {

/// nvcc gives such a store the location of its last element in memory, whatever the order in the source (all 24 of four elements were tried); LLVM that of the last
/// one in the source. For loads both take the first one in the source.
class MergedStoreLines {
public:
  /// Before the vectoriser.
  explicit MergedStoreLines(llvm::Function &kernel);
  /// After it.
  void put_back();

private:
  /// The part of a block between barriers, across which none is merged, and what a store ends before there.
  using Key = std::tuple<const llvm::BasicBlock *, unsigned, const llvm::Value *, long>;

  void for_each_store(llvm::function_ref<void(llvm::StoreInst &, const Key &)> visit);

  llvm::Function &kernel_;
  struct Store {
    llvm::WeakVH store; ///< null once it has been merged
    Key key;            ///< what it ends before
    llvm::DebugLoc location;
  };
  std::vector<Store> stores_; ///< in their order
};

} // namespace smem::lower
