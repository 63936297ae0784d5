// Bits of numbers that conditions on the way tell.
#pragma once

#include <llvm/Analysis/DomConditionCache.h>
#include <llvm/Support/KnownBits.h>

namespace llvm {
class DataLayout;
class DominatorTree;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace smem {

/// Of a kernel whose branches stay as they are. Behind `if (t % 32 == 0)` the low five bits of t are zero, which LLVM knows and nvcc does not in general.
class BitsByConditions {
public:
  BitsByConditions(llvm::Function &kernel, const llvm::DominatorTree &tree);

  /// What is known of `value` where `at` is executed.
  llvm::KnownBits at(const llvm::Value &value, const llvm::Instruction &at) const;

private:
  const llvm::DataLayout &layout_;
  const llvm::DominatorTree &tree_;
  llvm::DomConditionCache conditions_;
};

} // namespace smem
