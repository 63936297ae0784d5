// The value of one register in the 32 lanes of a warp, as an affine function of what is still open.
//
// A value is `base[lane] + sum(coefficient[lane] * dimension)` modulo 2^width. Dimensions are block coordinates and loop
// iterations for which one execution stands for many, and symbols: warp-uniform quantities that nobody knows. At the point
// that is being executed every block and loop dimension is 0.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "smem/memory_model.h"

namespace smem {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

using Lanes = std::array<std::int64_t, kWarpSize>;

/// Dimensions are numbered so that their kind is visible: digits of the block index, then loops by nesting, then symbols.
using DimensionId = std::uint32_t;
inline constexpr DimensionId kFirstLoop = 64;
inline constexpr DimensionId kFirstSymbol = 1024;
inline bool is_digit(DimensionId d) { return d < kFirstLoop; }
inline bool is_loop(DimensionId d) { return d >= kFirstLoop && d < kFirstSymbol; }
inline bool is_symbol(DimensionId d) { return d >= kFirstSymbol; }

/// coefficient * dimension; the coefficient is `uniform`, or `lanes` where lanes differ.
struct Term {
  DimensionId dimension = 0;
  std::int64_t uniform = 0;
  std::shared_ptr<const Lanes> lanes;

  std::int64_t at(unsigned lane) const { return lanes ? (*lanes)[lane] : uniform; }
};

/// What is known of a value that depends on data: base[lane] + scale * u, where u is any integer in least..most, for each lane
/// its own.
struct Choice {
  Lanes base;
  std::int64_t scale = 1; ///< positive
  std::int64_t least = 0, most = 0;
  /// Where races are looked for: u is any integer at all, and the sum has these terms, too. Two such values differ by
  /// a multiple of the scales' greatest common divisor more than their bases and terms do (race/lines.h).
  bool line = false;
  std::vector<Term> terms{};
  /// Of a line, unless 0: u is no other thread's, nor of another time, of those values that have this number, this base and these terms.
  std::uint32_t ticket = 0;
  std::int64_t ticket_factor = 0; ///< by which the number that was drawn has been multiplied since
};

struct Value {
  bool uniform = true;      ///< every lane's base is base[0]
  std::uint8_t width = 32;  ///< bits, 1..64
  LaneMask defined = 0;     ///< lanes that have ever been written
  LaneMask unknown = 0;     ///< lanes whose value is not known
  std::uint32_t reason = 0; ///< why, for the unknown lanes: index into the reason table; 0 is "no reason"
  Lanes base;               ///< canonical: sign-extended from width (0/1 for width 1); only [0] is set when uniform
  std::vector<Term> terms;  ///< sorted by dimension, no zero coefficients
  std::shared_ptr<const Choice> choice; ///< of the unknown lanes, where anything is known of them all the same

  Value() { base[0] = 0; }
  // Most values are uniform: what is not set is not copied.
  Value(const Value &other)
      : uniform(other.uniform), width(other.width), defined(other.defined), unknown(other.unknown),
        reason(other.reason), terms(other.terms), choice(other.choice) {
    copy_base(other);
  }
  Value(Value &&other) noexcept
      : uniform(other.uniform), width(other.width), defined(other.defined), unknown(other.unknown),
        reason(other.reason), terms(std::move(other.terms)), choice(std::move(other.choice)) {
    copy_base(other);
  }
  Value &operator=(const Value &other) {
    copy_flags(other);
    terms = other.terms;
    choice = other.choice;
    return *this;
  }
  Value &operator=(Value &&other) noexcept {
    copy_flags(other);
    terms = std::move(other.terms);
    choice = std::move(other.choice);
    return *this;
  }
  std::int64_t at(unsigned lane) const { return uniform ? base[0] : base[lane]; }
  bool constant() const { return terms.empty(); }
  bool has_symbol() const { return !terms.empty() && is_symbol(terms.back().dimension); }

private:
  void copy_base(const Value &other) {
    if (other.uniform)
      base[0] = other.base[0];
    else
      base = other.base;
  }
  void copy_flags(const Value &other) {
    uniform = other.uniform;
    width = other.width;
    defined = other.defined;
    unknown = other.unknown;
    reason = other.reason;
    if (this != &other)
      copy_base(other);
  }
};

/// Reduces modulo 2^width to the canonical representative.
inline std::int64_t canonical(std::int64_t value, unsigned width) {
  if (width >= 64)
    return value;
  if (width == 1)
    return value & 1;
  const unsigned shift = 64 - width;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift) >> shift;
}

/// The canonical value read as unsigned.
inline std::uint64_t as_unsigned(std::int64_t value, unsigned width) {
  return width >= 64 ? static_cast<std::uint64_t>(value)
                     : static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << width) - 1);
}

Value make_uniform(std::int64_t value, unsigned width, LaneMask mask);
Value make_unknown(unsigned width, LaneMask mask, std::uint32_t reason);

/// Calls f(lane) for each set bit.
template <typename F> inline void for_lanes(LaneMask mask, F &&f) {
  while (mask) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
    f(lane);
    mask &= mask - 1;
  }
}
inline unsigned first_lane(LaneMask mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

/// All lanes of `mask` are known and hold the same value, dimensions included.
bool warp_uniform(const Value &value, LaneMask mask);
/// The same, for the coefficients of one term.
bool uniform_over(const Term &term, LaneMask mask);
/// Makes `base` lane-wise (fills it) so that single lanes can be changed.
void spread(Value &value);
/// Detects that all lanes of `mask` have one base and one coefficient each, and stores the value that way.
void compact(Value &value, LaneMask mask);

/// Adds `factor * other` (lane-wise factor of 1 for the plain sum) to the terms of `value`; both modulo 2^width.
void add_terms(Value &value, const Value &other, std::int64_t factor, LaneMask mask);

/// Lanes of `mask` take `from`; the other lanes keep what they had.
void assign(Value &to, const Value &from, LaneMask mask);

/// Same in all lanes of mask: base, terms and unknown-ness (unknown lanes are never equal).
bool equal(const Value &a, const Value &b, LaneMask mask);

/// dimension := count, for a value that leaves the scope of the dimension.
void substitute(Value &value, DimensionId dimension, std::int64_t count);

} // namespace smem
