// Integer operations on lane values, with the guards under which their results hold.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scope.h"
#include "smem/program.h"
#include "symbols.h"
#include "value.h"

namespace smem {

/// Why something is not known, for the reader.
struct Reason {
  std::string text;
  SourceLocation location;
  bool certain = false; ///< what memory holds, or what no model has: it is not known however one looks at it
};

/// Texts behind Value::reason; index 0 is empty.
class Reasons {
public:
  Reasons() : reasons_(1) {}
  std::uint32_t add(std::string text, SourceLocation location = {}, bool certain = false);
  const Reason &operator[](std::uint32_t index) const { return reasons_[index]; }

private:
  std::vector<Reason> reasons_;
  std::map<std::pair<std::string, SourceLocation>, std::uint32_t> known_;
};

/// What looks at the result of a comparison: anything; branches; nothing but the branch at the end of its block.
enum class ConditionUse : std::uint8_t { Any, Branches, BranchAtOnce };

/// Floating point of what changes with blocks or iterations makes each of them a case of its own.
struct FloatingReach {
  bool follows = true; ///< off: it is not known
  bool met = false;
};

using OperandList = std::span<const Value *const>;

/// Evaluates in one scope stack. Every function takes the active lanes; other lanes of the result mean nothing.
class Arithmetic {
public:
  Arithmetic(Scopes &scopes, Symbols &symbols, Reasons &reasons, FloatingReach &floating)
      : scopes_(scopes), symbols_(symbols), reasons_(reasons), floating_(floating) {}

  Value binary(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value unary(Opcode opcode, const Value &a, unsigned width, LaneMask mask);
  /// A condition on symbols may change with the open dimensions as far as only branches look at it: with the block, or also with
  /// the iteration.
  Value compare(Opcode opcode, const Value &a, const Value &b, LaneMask mask, ConditionUse use = ConditionUse::Any);
  Value select(const Value &condition, const Value &a, const Value &b, LaneMask mask);
  Value resize(Opcode opcode, const Value &a, unsigned width, LaneMask mask);
  Value funnel(Opcode opcode, const Value &high, const Value &low, const Value &amount, LaneMask mask);
  Value floating(Opcode opcode, FloatMode mode, OperandList operands, unsigned width, LaneMask mask);
  /// Known in the lanes in which all operands are the same.
  Value agreement(OperandList operands, unsigned width, LaneMask mask, std::uint32_t reason);
  /// What is not modelled of an operation: a symbol where all operands are the same in all lanes, else not known.
  Value opaque(std::uint32_t opcode, std::uint32_t detail, OperandList operands, unsigned width, LaneMask mask,
               std::uint32_t reason);
  Value opaque(std::uint32_t opcode, std::uint32_t detail, std::initializer_list<const Value *> operands,
               unsigned width, LaneMask mask, std::uint32_t reason) {
    return opaque(opcode, detail, OperandList(operands.begin(), operands.size()), width, mask, reason);
  }

  /// The value at the point, holding only where its dimensions do not move. Symbols make it unknown.
  Value fixed(const Value &a, LaneMask mask);
  /// The value of one symbol (plus nothing).
  Value of_symbol(DimensionId symbol, unsigned width, LaneMask mask);

  /// The value in one lane, as far as terms of symbols are concerned; other dimensions are 0.
  static Linear symbols_of(const Value &a, unsigned lane);

  /// Set when a lane divided by zero since the last call of take_division_by_zero().
  bool take_division_by_zero() { return std::exchange(division_by_zero_, false); }

private:
  enum class Sign { Unsigned, Signed };
  Value affine(const Value &a, const Value &b, std::int64_t factor, LaneMask mask);
  Value multiply(const Value &a, const Value &b, LaneMask mask);
  /// A product whose one factor moves with blocks and iterations and whose other one has symbols; nullopt where lanes differ in that.
  std::optional<Value> multiply_by_symbols(const Value &moving, const Value &factor, LaneMask mask);
  /// A sum of counters of iterations that the language does not let wrap around.
  bool counts_up(const Value &a, bool is_signed, LaneMask mask) const;
  Value divide(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value shift(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value bitwise(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value extreme(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  /// f(lane, operands) where all operands are known and it gives a result; elsewhere it is not known.
  template <typename F> Value lane_by_lane(Opcode opcode, std::uint32_t detail, OperandList operands, unsigned width,
                                           LaneMask mask, std::uint32_t reason, F &&f);
  Value lane_wise(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  /// Of a comparison of a pointer with null: the lanes that have null, as the base of a window is none; nullopt where it is no such comparison.
  std::optional<LaneMask> null_pointers(const Value &a, const Value &b, const Value &difference, LaneMask mask) const;
  /// A comparison of symbols as a symbol of its own.
  Value compare_symbols(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  /// A comparison that known bounds of symbols decide, or that is a condition of its own; nullopt: neither.
  std::optional<Value> symbolic_compare(Opcode opcode, const Value &a, const Value &b, const Value &difference,
                                        LaneMask mask, ConditionUse use);
  /// An unknown value of which is known what the operation leaves of a choice.
  Value chosen(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value unknown_result(const Value &a, const Value &b, unsigned width, LaneMask mask, Opcode opcode);
  /// floor(a / divisor) and a mod divisor for a positive divisor, of the value read exactly (no wrap within the region).
  std::pair<Value, Value> floor_divide(const Value &a, std::int64_t divisor, Sign sign, LaneMask mask);
  /// The low `bits` bits as a non-negative value.
  Value low_bits(const Value &a, unsigned bits, LaneMask mask);
  /// Guards that base + terms, read with this sign, does not leave the width's range.
  void keep_exact(const Value &a, Sign sign, LaneMask mask);
  void guard_lanes(const Value &terms_of, std::int64_t factor, LaneMask mask,
                   const std::array<Wide, kWarpSize> &constant, bool wraps = false);
  /// floor(rest / divisor) as a symbol, where such are wanted and all lanes have the same.
  std::optional<Value> quotient_symbol(const Value &rest, std::int64_t divisor, LaneMask mask);
  /// Asks for periods that would make coefficients multiples of `modulus`, where guards alone would cut the region short.
  void wish_period(const Value &remainder, std::int64_t modulus, LaneMask mask);
  /// The base of one lane as the number that it stands for, read with this sign.
  static Wide exact(const Value &a, Sign sign, unsigned lane) {
    const std::int64_t value = a.at(lane);
    return sign == Sign::Signed ? Wide{value} : static_cast<Wide>(as_unsigned(value, a.width));
  }

  Scopes &scopes_;
  Symbols &symbols_;
  Reasons &reasons_;
  FloatingReach &floating_;
  std::uint32_t uncertain_ = 0;    ///< the reason why floating point is not known; 0: not needed yet
  std::uint32_t not_followed_ = 0; ///< likewise, where FloatingReach says that it is not followed
  bool division_by_zero_ = false;
};

} // namespace smem
