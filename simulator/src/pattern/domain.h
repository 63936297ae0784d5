// Values of a warp's lanes over everything that is not known.
//
// A value is base[lane] + sum(coefficient[lane] * symbol). Symbols are integers, the same in all lanes: parameters, block indices, loop counters,
// loaded values, products of those, and what an operation makes of them. Nothing but that is presumed of a symbol, but for its bounds.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../arithmetic.h"
#include "../value.h"
#include "smem/program.h"

namespace smem::pattern {

/// How far two numbers are apart; as far as can be said, where that leaves 63 bits.
inline std::int64_t distance(std::int64_t least, std::int64_t most) {
  const std::uint64_t apart = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  return apart > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(apart);
}

/// A quantity that is the same in all lanes.
struct Quantity {
  std::string key;             ///< the same in all interpretations of a program
  std::string name;            ///< as the reader knows it; empty: it has none
  std::vector<BlockId> owners; ///< blocks whose execution gives it its value; none: fixed at launch
  std::optional<std::int64_t> least, most;
  std::uint32_t argument = kNone; ///< a piece of an argument: its position, offset and width
  std::uint64_t offset = 0;
  std::uint8_t width = 32;
  std::int64_t divisor = 1;                ///< the quantity is that piece divided by it, rounded towards zero
  std::int64_t plus = 0;                   ///< and this added to it
  std::int64_t scale = 1;                  ///< the piece is a multiple of it, and the quantity how many times as much
  std::string piece;                       ///< with a scale: the piece's name
  std::int64_t modulus = 1, remainder = 0; ///< what the quantity leaves when it is divided, as the code says
  std::vector<DimensionId> factors;        ///< of a product
  bool power = false;                      ///< it is a power of two, or a multiple of a larger one than is asked for
  /// The memory that a generic address with it lies in.
  enum class Memory : std::uint8_t { None, Shared, OtherBlock, Local, Global } memory = Memory::None;

  /// Are both bounds known, with no more than `count` numbers between them?
  bool has_at_most(std::int64_t count) const {
    return least && most && (*most < *least || distance(*least, *most) < count);
  }
};

/// One thing that may be supposed of a quantity: its value, or a remainder.
struct Alternative {
  std::int64_t modulus = 0; ///< 0: the value is `remainder`
  std::int64_t remainder = 0;
  auto operator<=>(const Alternative &) const = default;
};
std::vector<Alternative> values_between(std::int64_t least, std::int64_t most);
std::vector<Alternative> remainders_of(std::int64_t modulus);
/// Of a power of two: its values below 2^bits, or a multiple of that.
std::vector<Alternative> powers_below(unsigned bits);

/// A comparison of what each lane has with what is the same in all of them.
struct Rivals {
  static constexpr int kNever = -1;
  std::array<int, kWarpSize>
      group{};           ///< lanes of different ones do not satisfy it together, those of one do; or they never do
  bool satisfied = true; ///< the outcome of the comparison in the lanes that satisfy it
};

/// Why lanes are not known.
struct Why {
  enum class Kind : std::uint8_t { Other, Data, Split };
  Kind kind = Kind::Other;
  std::string text;
  SourceLocation location;
  std::string
      key; ///< Split: the quantity of which a remainder, or the value, would have to be known. With rivals: the condition
  std::vector<Alternative> ways; ///< Split: what would do
  bool complete = true;          ///< Split: one of them holds, whatever the launch
  std::optional<Rivals> rivals;  ///< of a condition
};
inline Why because(std::string text) {
  Why why;
  why.text = std::move(text);
  return why;
}

/// What an interpretation supposes, by the keys of quantities.
using Suppositions = std::map<std::string, Alternative>;

/// Operations on values. All take the lanes that matter; other lanes of the result mean nothing. `where` is the block that executes the operation,
/// `key` names what it creates.
class Domain {
public:
  Domain(Arithmetic &constants, const Suppositions &supposed) : constants_(constants), supposed_(supposed), whys_(1) {}

  Value symbol(Quantity quantity, unsigned width, LaneMask mask);
  /// A quantity of which only its alignment to 2^grain is known.
  Value fresh(const std::string &key, std::vector<BlockId> owners, unsigned grain, unsigned width, LaneMask mask,
              std::string name = {}, std::optional<std::int64_t> least = {}, std::optional<std::int64_t> most = {});
  Value unknown(unsigned width, LaneMask mask, Why why);

  Value binary(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask);
  /// `may_agree`: where lanes may differ in the outcome it is a wish that they do not.
  Value compare(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask,
                bool may_agree = true);
  Value select(const Value &condition, const Value &a, const Value &b, const std::string &key, LaneMask mask);
  Value resize(Opcode opcode, const Value &a, unsigned width, const std::string &key, LaneMask mask);
  /// Anything else: known where it is the same in all lanes.
  Value function(const std::vector<const Value *> &operands, unsigned width, const std::string &key, LaneMask mask,
                 const std::string &what);
  Value add(const Value &a, const Value &b, std::int64_t factor, LaneMask mask);
  Value multiply(const Value &a, const Value &b, LaneMask mask);

  /// Of what is unknown for want of an alignment: the wish for just that, not for all other remainders.
  Value aligned_only(const Value &lost, LaneMask mask);
  /// Presumed also of what looks like an index.
  bool not_negative(const Value &a, LaneMask mask) const;

  /// Whether pointers made of these lie in the same memory, as far as they show in which.
  bool same_memory(const Value &a, const Value &b) const;

  std::size_t size() const { return quantities_.size(); }
  const Quantity &quantity(DimensionId d) const { return quantities_[d - kFirstSymbol]; }
  const Why &why(std::uint32_t reason) const { return whys_[reason]; }
  std::vector<BlockId> owners(const Value &value) const;
  /// "2 * n + 1", of what is the same in all lanes; empty where it has no name, or a long one.
  std::string name_of(const Value &value, LaneMask mask) const;
  /// The same of two values that are the same in all lanes if they are the same.
  std::string identity(const Value &value, LaneMask mask) const;
  /// The same of values that lanes differ in.
  std::string identity_by_lane(const Value &value, LaneMask mask) const;
  /// Bounds of the value in one lane; nullopt where it has none or leaves its width.
  std::optional<std::pair<std::int64_t, std::int64_t>> range(const Value &value, unsigned lane) const;

private:
  std::optional<Value> unknown_of(const Value &a, const Value &b, unsigned width, LaneMask mask);
  Value quotient(Opcode opcode, const Value &a, std::int64_t divisor, bool rest, const std::string &key, LaneMask mask);
  /// `1 << n`, n the same in all lanes.
  Value power_of(const Value &n, unsigned width, LaneMask mask);
  /// A wish for the remainder of a quantity by which lanes differ, where few of them decide a quotient by d; nullopt where there is none.
  std::optional<Value> split_remainder(const Value &a, std::int64_t d, unsigned width, LaneMask mask);
  Value shift(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask);
  /// A wish for the value of a power of two by which lanes differ, as far as it is below 2^bits; nullopt where there is none.
  std::optional<Value> split_power(const Value &a, unsigned bits, unsigned width, LaneMask mask);
  /// Of a divisor that is no power of two: the value with something supposed of the remainder of what all lanes have; or the wish for that; or neither.
  struct Remainder {
    std::optional<Value> supposed, wish;
  };
  Remainder remainder_of_all(const Value &a, std::int64_t d, LaneMask mask, const std::string &what);
  struct Divisor {
    std::string name, identity;
    std::vector<BlockId> owners;
    unsigned grain = 0;
    bool positive = false;
  };
  Divisor divisor_of(const Value &b, LaneMask mask) const;
  std::string same_quotient_key(const Value &a, const Divisor &by, LaneMask mask) const;
  bool is_supposed_same_quotient(const Value &a, const Divisor &by, LaneMask mask) const;
  /// The quotient or the remainder, if it is supposed that all lanes have the same quotient; else the wish for that.
  Value same_quotient(const Value &a, const Divisor &by, bool rest, const std::string &key, LaneMask mask,
                      const std::string &what);
  /// Whether it is supposed that what the instruction divides is negative in no lane; else `wish` is made the wish for that.
  bool none_negative(const std::string &key, LaneMask mask, Why &wish);
  /// An argument divided by d, with its name; nullopt if it is none. Its key and bounds are the caller's.
  std::optional<Quantity> quotient_of_argument(Opcode opcode, const Value &a, std::int64_t d, LaneMask mask) const;
  Value divide_by_unknown(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask);
  /// A wish for a divisor that lanes, which differ in their low bits only, do not cross, or a small one.
  Value want_divisor(const Value &a, const Value &b, unsigned span, LaneMask mask, const std::string &what);
  /// A wish for the value of a quantity of few values by which lanes differ; nullopt where there is none.
  std::optional<Value> split_small(const Value &a, unsigned width, LaneMask mask);
  /// Of conditions in which lanes differ: lane by lane.
  Value logical(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask);
  Value bitwise(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask);
  /// Of what is the same in all lanes: `a & ~(2^bits - 1)`.
  Value rounded_down(const Value &a, unsigned bits, LaneMask mask);
  Value extreme(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask);
  /// The smaller or the larger of two values of which one is the same in all lanes: a wish that no lane is beyond it.
  Value clamped(bool least, const Value &a, const Value &b, LaneMask mask);
  /// Of a comparison of which it is supposed that all lanes, or none, are beyond what is the same in all of them (clamped()).
  std::optional<bool> all_beyond(Opcode opcode, const Value &a, const Value &b, LaneMask mask) const;
  /// The term that keeps the value from being aligned to 2^grain, as a wish; else the text.
  Value want_grain(const Value &a, unsigned grain, unsigned width, LaneMask mask, const std::string &what);
  /// The terms that keep the value from being aligned to 2^grain, as one quantity.
  std::pair<std::string, std::vector<Term>> unaligned(const Value &a, unsigned grain, unsigned &least) const;
  /// The value with something supposed of that sum; nullopt if nothing is.
  std::optional<Value> realigned(const Value &a, unsigned grain, LaneMask mask);

  Arithmetic &constants_;
  const Suppositions &supposed_;
  std::vector<Quantity> quantities_;
  std::map<std::string, DimensionId> known_;
  std::vector<Why> whys_;
  std::map<std::string, std::string> names_; ///< of values, by their identities
};

/// Trailing zeros that all coefficients have; 63 without terms.
unsigned grain_of(const Value &value, LaneMask mask);
inline std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }

} // namespace smem::pattern
