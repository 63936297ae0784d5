// By which power of two values and addresses can be divided.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "nvcc/ptxas/vectorise.h"

namespace llvm {
class DataLayout;
class PHINode;
class Value;
} // namespace llvm

namespace smem::lower {

/// Bits that a value ends with that are zero whatever happens. Through any number of phis, where LLVM's analysis follows one: what holds of
/// all that comes into a cycle of phis and is kept by its steps holds in it. Phis are taken for zero at first, and for less until all agree.
class TrailingZeros {
public:
  /// Of addresses: `offsets` are those of shared arrays; without them arrays are as they are declared.
  explicit TrailingZeros(const llvm::DataLayout &layout, const SharedOffsets *offsets = nullptr)
      : layout_(layout), offsets_(offsets) {}

  unsigned of(const llvm::Value *value);

private:
  unsigned look_at(const llvm::Value *value);
  unsigned of_pointer(const llvm::Value *value);
  unsigned of_operation(const llvm::Value *value, unsigned width);

  const llvm::DataLayout &layout_;
  const SharedOffsets *offsets_;
  llvm::DenseMap<const llvm::PHINode *, unsigned> phis_; ///< what they are supposed to end with
  llvm::DenseMap<const llvm::Value *, unsigned> known_;  ///< under these suppositions
  bool changed_ = false;
};

} // namespace smem::lower
