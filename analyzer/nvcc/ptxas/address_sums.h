// Addresses as ptxas sees them: sums, by whose parts it knows what lies beside what.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "nvcc/facts/bits_by_conditions.h"
#include "nvcc/ptxas/vectorise.h"

namespace llvm {
class APInt;
class DataLayout;
class DominatorTree;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class Value;
} // namespace llvm

namespace smem::lower {

/// constant + sum(factor * value), modulo 2^32. Arrays are values here.
struct AddressSum {
  std::uint32_t constant = 0;
  bool by_bits = false;       ///< a constant that nvcc may not tell from the rest, as it is or-ed to it
  bool has_or = false;        ///< a constant that is or-ed to what leaves its bits clear
  bool from_constant = false; ///< something is taken from a constant that is less aligned than it: `511 - 4 * t`
  bool by_minimum =
      false; ///< the same, as cicc does not know that `min(2 * t, 62)` is even: LLVM makes a sum of `(min(2 * t, 62) + 2) ^ 1`
  std::map<const llvm::Value *, std::uint32_t> factors;
  /// Numbers that are in a row and in a column of one access, `68 * -t + 4 * t`: of which power of two either is a multiple. Neither compiler adds the two up.
  std::map<const llvm::Value *, unsigned> apart;
  const llvm::Value *counter =
      nullptr; ///< the factors' only number, if it counts from a constant, which is among the constants, in steps of
  unsigned counter_zeros = 0; ///< a multiple of this power of two

  void add(const llvm::Value *value, std::uint32_t factor) {
    auto [entry, fresh] = factors.try_emplace(value, 0);
    entry->second += factor;
    if (!entry->second)
      factors.erase(entry);
  }
};

/// The sums of a kernel with its arrays laid out.
class AddressSums {
public:
  AddressSums(llvm::Function &kernel, const SharedOffsets &offsets, const llvm::DominatorTree &tree,
              const llvm::LoopInfo &loops);

  AddressSum of(const llvm::Value *pointer);

  /// By how much an address moves in an iteration of `loop`, if it starts from something that is not constant.
  std::optional<std::uint32_t> step_from_variable(const AddressSum &sum, const llvm::Loop &loop) const;

  /// Does its alignment follow from factors alone? What LLVM knows from masks, remainders and the steps of loops, nvcc may not.
  bool is_plain(const AddressSum &sum) const;

  /// Of the part that is not constant: a power of two, at most 1024.
  std::uint32_t alignment(const AddressSum &sum) const;

private:
  /// ptxas knows the address in an array that a loop starts from, if it is constant, and the loop's steps.
  void count_from_constant(AddressSum &sum) const;

  static bool is_product(const llvm::Value *value);

  /// `if (lane == 0) s[t / 32]`: LLVM makes `t >> 5 << 3` a `t >> 2`, or masks less, where a condition on the way says that the bits which the mask would clear are
  /// zero; cicc does not. The zeros that what is left ends with.
  unsigned zeros_by_conditions(const llvm::Value *value) const;

  const std::uint64_t *offset_of(const llvm::Value *value) const;

  void add_pointer(const llvm::Value *pointer, std::uint32_t factor, AddressSum &sum);

  void add_integer(const llvm::Value *value, std::uint32_t factor, AddressSum &sum);

  /// `value` without the bits of `mask`, if the code computes somewhere what is that where `at` is executed.
  const llvm::Value *cleared(const llvm::Value *value, const llvm::APInt &mask, const llvm::Value *at) const;

  /// `value >> shift` if the code computes it somewhere.
  static const llvm::Value *shifted_right(const llvm::Value *value, unsigned shift);

  const llvm::DataLayout &layout_;
  const SharedOffsets &offsets_;
  const llvm::LoopInfo &loops_;
  const BitsByConditions conditions_;
};

} // namespace smem::lower
