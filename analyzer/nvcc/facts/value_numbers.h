// Values that are computed alike, wherever and however often they are.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class DataLayout;
class Instruction;
class PHINode;
class Value;
} // namespace llvm

namespace smem {

/// Numbers that two integers or addresses have in common if both come from the same values by the same operations: `x % 17` in two blocks is one, where ScalarEvolution has two. Whether an operation
/// is signed makes no difference, nor does how an index is extended: LLVM rewrites these where a branch tells the sign, before it has looked for equal values or after, and nvcc at another time.
/// So two values of one number may be different ones for nvcc. Sums of multiples are one however they are put together, modulo 2^32. Long sums, and operations deep within others, are
/// numbered as they stand. Numbers hold as long as the function is not changed.
class ValueNumbers {
public:
  using Number = unsigned;

  explicit ValueNumbers(const llvm::DataLayout &layout) : layout_(layout) {}

  Number of(const llvm::Value &value);

private:
  /// What a value is made of: how, what distinguishes two of those, and numbers.
  using Key = std::vector<std::uint64_t>;

  struct Sum {
    std::uint32_t constant = 0;
    std::map<Number, std::uint32_t> factors;
  };

  const Sum &sum_of(const llvm::Value &value);
  Sum computed_sum(const llvm::Value &value);
  Number of_term(const llvm::Value &value);
  Number of_operation(const llvm::Instruction &instruction);
  Number of_phi(const llvm::PHINode &phi);
  Number number_of(Key key) {
    return numbers_.try_emplace(std::move(key), static_cast<Number>(numbers_.size())).first->second;
  }

  const llvm::DataLayout &layout_;
  llvm::DenseMap<const llvm::Value *, Number> known_, terms_;
  std::map<const llvm::Value *, Sum> sums_;
  std::map<Key, Number> numbers_;
  unsigned depth_ = 0; ///< of operations within operations that are looked at
};

} // namespace smem
