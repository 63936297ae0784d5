// Integer operations on lane values, with the guards under which their results hold.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scope.h"
#include "smem/program.h"
#include "value.h"

namespace smem {

/// Why something is not known, for the reader.
struct Reason {
  std::string text;
  SourceLocation location;
};

/// Texts behind Value::reason; index 0 is empty.
class Reasons {
public:
  Reasons() : reasons_(1) {}
  std::uint32_t add(std::string text, SourceLocation location = {});
  const Reason &operator[](std::uint32_t index) const { return reasons_[index]; }

private:
  std::vector<Reason> reasons_;
  std::map<std::pair<std::string, SourceLocation>, std::uint32_t> known_;
};

/// A warp-uniform quantity that nobody knows: a pointer, an argument, the result of an opaque function of such.
struct Symbol {
  std::uint64_t alignment = 1;   ///< the value is a multiple of this power of two
  std::uint32_t reason = 0;
  enum class Window : std::uint8_t { None, Shared, Local, Global, OtherBlock } window = Window::None; ///< the base of an address space
  std::uint32_t object = kNone;  ///< Window::Local, Window::Global: index of the local or global object, if it is one
};

class Symbols {
public:
  DimensionId add(Symbol symbol);
  /// The same symbol for the same function of the same operands.
  DimensionId opaque(std::uint32_t opcode, std::uint32_t detail, const std::vector<Value> &operands, LaneMask mask, std::uint32_t reason);
  const Symbol &operator[](DimensionId id) const { return symbols_[id - kFirstSymbol]; }

private:
  std::vector<Symbol> symbols_;
  std::map<std::vector<std::int64_t>, DimensionId> opaque_;
};

/// Evaluates in one scope stack. Every function takes the active lanes; other lanes of the result mean nothing.
class Arithmetic {
public:
  Arithmetic(Scopes &scopes, Symbols &symbols, Reasons &reasons) : scopes_(scopes), symbols_(symbols), reasons_(reasons) {}

  Value binary(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value unary(Opcode opcode, const Value &a, unsigned width, LaneMask mask);
  Value compare(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value select(const Value &condition, const Value &a, const Value &b, LaneMask mask);
  Value resize(Opcode opcode, const Value &a, unsigned width, LaneMask mask);
  Value funnel(Opcode opcode, const Value &high, const Value &low, const Value &amount, LaneMask mask);
  Value floating(Opcode opcode, const std::vector<const Value *> &operands, unsigned width, LaneMask mask);
  Value opaque(std::uint32_t opcode, std::uint32_t detail, const std::vector<const Value *> &operands, unsigned width, LaneMask mask, std::uint32_t reason);

  /// The value at the point, holding only where its dimensions do not move. Symbols make it unknown.
  Value fixed(const Value &a, LaneMask mask);
  /// The value of one symbol (plus nothing).
  Value of_symbol(DimensionId symbol, unsigned width, LaneMask mask);

  /// Set when a lane divided by zero since the last call of take_division_by_zero().
  bool take_division_by_zero() { return std::exchange(division_by_zero_, false); }

private:
  enum class Sign { Unsigned, Signed };
  Value affine(const Value &a, const Value &b, std::int64_t factor, LaneMask mask);
  Value multiply(const Value &a, const Value &b, LaneMask mask);
  Value divide(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value shift(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value bitwise(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value extreme(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value lane_wise(Opcode opcode, const Value &a, const Value &b, LaneMask mask);
  Value unknown_result(const Value &a, const Value &b, unsigned width, LaneMask mask, Opcode opcode);
  /// floor(a / divisor) and a mod divisor for a positive divisor, of the value read exactly (no wrap within the region).
  std::pair<Value, Value> floor_divide(const Value &a, std::int64_t divisor, Sign sign, LaneMask mask);
  /// The low `bits` bits as a non-negative value.
  Value low_bits(const Value &a, unsigned bits, LaneMask mask);
  /// Guards that base + terms, read with this sign, does not leave the width's range.
  void keep_exact(const Value &a, Sign sign, LaneMask mask);
  void guard_lanes(const Value &terms_of, std::int64_t factor, LaneMask mask, const std::array<Wide, kWarpSize> &constant);
  /// Asks for periods that would make coefficients multiples of `modulus`, where guards alone would cut the region short.
  void wish_period(const Value &remainder, std::int64_t modulus, LaneMask mask);
  static Wide exact(const Value &a, Sign sign, unsigned lane);

  Scopes &scopes_;
  Symbols &symbols_;
  Reasons &reasons_;
  bool division_by_zero_ = false;
};

} // namespace smem
