// What is equal to a factor of a sum: of symbols, by what they are defined as and by the ranges that are known of them.
#pragma once

#include <map>
#include <optional>

#include "symbols.h"

namespace smem {

Linear just(DimensionId symbol, Wide factor = 1);
Linear number(Wide value);

/// Ranges are those under the gates that are set; what rests on one that was presumed is noted (Symbols::note_decision).
class Rewriting {
public:
  explicit Rewriting(Symbols &symbols) : symbols_(symbols) {}

  /// Sets gates; what was known under others is forgotten.
  void set_gates(const Gates &gates) {
    symbols_.set_gates(gates);
    gates_ = gates;
    ranges_.clear();
  }

  bool condition(DimensionId symbol) const;
  const Definition &of(DimensionId symbol) const { return *symbols_[symbol].definition; }

  /// Remainders, shifts and masks by quotients, quotients of what divides without a rest by their value.
  Linear plain(const Linear &linear, unsigned depth = 0);
  Linear plain(DimensionId symbol, unsigned depth = 0);

  /// max(a, b) or min(a, b), signed.
  Linear extreme(Opcode opcode, Linear a, Linear b);
  /// A max or min of which ranges say which operand it is as that one; anything else as it is.
  Linear settled(DimensionId symbol);

  /// A condition as a number that is 0 or 1, where a small range allows it; else as a condition, on what is divided rather than the quotient.
  /// The condition itself must not be among the gates.
  Linear decided(DimensionId gate);

  /// What they are defined as is the same, though they may be symbols of their own: rests in 32 and in 64 bits.
  bool equal(const Linear &a, const Linear &b) { return a == b || plain(a) == plain(b); }

  /// Conditions that bound something from above as 1 minus their opposites: what holds and what fails then has one name.
  bool opposites = false;
  /// settled() in rests, too: the last step, as a rest and its number are no longer seen to be of one then.
  bool within_rests = false;

  Symbols &symbols() { return symbols_; }

private:
  bool single_quotient(const Linear &linear) const;
  Linear quotient(Linear divided, std::int64_t divisor, std::uint32_t reason);
  Linear at_least_0(Linear tested, std::uint32_t reason);
  bool within(const Linear &linear, std::optional<Wide> least, unsigned width);
  std::optional<Range> range(const Linear &linear) const;
  std::optional<Range> known_range(const Linear &linear);
  void bound(const Linear &linear, Range bounds);

  Symbols &symbols_;
  Gates gates_;
  bool asking_gates_ = false;           ///< their own operands are looked at without them
  std::map<DimensionId, Range> ranges_; ///< found out under the gates
};

} // namespace smem
