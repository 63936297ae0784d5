// What nobody knows but all lanes of a warp share, and what is known of it all the same.
//
// A symbol may have a definition: a quantity of the launch (an argument, an extent of the grid) or something computed from
// such. Only symbols with a definition are the same for the whole launch and can stand in a formula.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "smem/program.h"
#include "value.h"

namespace smem {

/// constant + sum(coefficient * dimension), not reduced modulo anything. Terms are sorted by dimension.
struct Linear {
  Wide constant = 0;
  std::vector<std::pair<DimensionId, Wide>> terms;

  Linear &add(const Linear &other, Wide factor = 1);
  bool operator==(const Linear &) const = default;
};

/// The number's digits: std::to_string() has none of 128 bits.
std::string decimal(Wide value);

/// The value of one lane as it stands.
Linear linear_of(const Value &value, unsigned lane);

/// dimension := linear, for a value that leaves the scope of the dimension.
void substitute(Value &value, DimensionId dimension, const Linear &linear);

/// Bounds, inclusive.
struct Range {
  Wide least = 0, most = 0;
};

struct Definition {
  enum class Kind : std::uint8_t {
    Quantity,  ///< of the launch
    Operation, ///< opcode of the operands, as the simulator computes it
    CeilDiv,   ///< ceil(operands[0] / divisor)
    AtLeast0,  ///< 1 if operands[0] >= 0, else 0
    Zero,      ///< 1 if operands[0] == 0, else 0
    NotZero,   ///< 1 if operands[0] != 0, else 0
  } kind = Kind::Quantity;
  std::string name{};    ///< Quantity
  Range range{};         ///< Quantity: inside the formula's domain
  bool presumed = false; ///< Quantity: the range is narrower than what is known for certain
  Wide modulus = 1;      ///< Quantity: it is a multiple of this
  Opcode opcode = Opcode::Constant;
  unsigned width = 32;         ///< Operation: bits of the result
  unsigned operand_width = 32; ///< Operation
  std::vector<Linear> operands{};
  std::int64_t divisor = 1; ///< CeilDiv
};

/// A warp-uniform quantity that nobody knows: a pointer, an argument, the result of an opaque function of such.
struct Symbol {
  std::uint64_t alignment = 1; ///< the value is a multiple of this power of two
  std::uint32_t reason = 0;
  enum class Window : std::uint8_t {
    None,
    Shared,
    Local,
    Global,
    OtherBlock
  } window = Window::None;      ///< the base of an address space
  std::uint32_t object = kNone; ///< Window::Local, Window::Global: index of the local or global object, if it is one
  std::shared_ptr<const Definition> definition = nullptr;
  std::uint64_t parts = 1;   ///< of the definition written out, with all that it is computed from
  bool of_launch = false;    ///< one value in all blocks and iterations: an argument, the address of a variable
  unsigned signed_width = 0; ///< of an argument that is a signed integer: its bits
  bool counts = false;       ///< a number of iterations, which is not negative
  bool of_block =
      false; ///< one value for all threads of a block, whenever it is computed: an argument, a function of such
  bool of_grid = false; ///< one value in all blocks, whenever it is computed; likewise
};

/// What is longer is no formula: definitions share operands, so that one written out may be as long as two to the power of their number.
inline constexpr std::uint64_t kMostParts = 512;

/// Conditions (AtLeast0, Zero, NotZero symbols) that hold where something is executed.
using Gates = std::vector<DimensionId>;

class Symbols {
public:
  DimensionId add(Symbol symbol);
  /// The same symbol for the same function of the same operands. `detail` tells apart what opcode and operands do not.
  DimensionId opaque(std::uint32_t opcode, std::uint32_t detail, const std::vector<Value> &operands, unsigned width,
                     LaneMask mask, std::uint32_t reason);
  /// The same symbol for the same two numbers, of_block.
  DimensionId of_block(std::int64_t what, std::int64_t which, std::uint32_t reason, bool counts = false,
                       unsigned signed_width = 0);
  /// All lanes of `mask` have one value that is of_block.
  bool of_block(const Value &value, LaneMask mask) const;
  /// It moves with nothing but symbols that are of_grid.
  bool of_grid(const Value &value) const;
  /// A symbol that stands for a multiple of another one whose factor differs between blocks or iterations: `by` says which.
  DimensionId scaled(std::uint64_t by, DimensionId symbol);
  /// floor(rest / divisor), in all lanes the same. `serials`: what tells the dimensions of `rest` from others of the same number.
  DimensionId quotient(const Value &rest, std::int64_t divisor, LaneMask mask,
                       const std::vector<std::uint64_t> &serials, std::uint32_t reason);
  /// The same symbol for the same definition.
  DimensionId define(Definition definition, std::uint32_t reason);
  const Symbol &operator[](DimensionId id) const { return symbols_[id - kFirstSymbol]; }

  /// Whether formulas are wanted: conditions of defined symbols are then kept as such.
  bool symbolic = false;
  /// Whether numbers wrap around as registers do: races are looked for in every launch that the known part allows. Otherwise sums of
  /// symbols are taken to fit their width.
  bool exact = false;
  bool of_every_launch = false; ///< and of all launches: nothing is taken to fit
  /// Whether a function of the block's index is a symbol that each block has a value of its own of, rather than bounding what an execution
  /// stands for.
  bool of_class = false;
  /// Whether a quotient that changes with the block or the iteration becomes a symbol, rather than bounding what an execution
  /// stands for. Less is then known of it, and one execution stands for more.
  bool coarse = false;
  /// Some quotient has bounded what an execution stands for.
  bool would_be_coarser = false;
  /// Which conditions hold at present.
  void set_gates(const Gates &gates) {
    if (gates == gates_)
      return;
    gates_ = gates;
    ranges_.clear();
  }

  /// A comparison was decided by bounds of these terms.
  void note_decision(const Linear &linear);
  /// Some decision rests on bounds that nobody stated, such as that a size is not negative.
  bool domain_used = false;

  bool defined(const Linear &linear) const;        ///< all its terms are symbols with a definition
  std::uint64_t parts(const Linear &linear) const; ///< of the symbols' definitions, written out
  /// Bounds under the present gates, of terms that are symbols; nullopt if there are none.
  std::optional<Range> range(const Linear &linear) const;
  std::optional<Range> range(DimensionId symbol) const;
  /// Every value is a multiple of this (0: it is always 0).
  Wide multiple_of(const Linear &linear) const;
  /// ceil(linear / divisor), as a linear expression of perhaps a new symbol. The terms are defined symbols.
  Linear ceil_div(Linear linear, std::int64_t divisor, std::uint32_t reason);
  /// The larger (SMax) or the smaller (SMin) of two, as a linear expression of perhaps a new symbol.
  Linear extreme(Opcode opcode, Linear a, Linear b);
  /// The condition's opposite, in normal form.
  DimensionId opposite(DimensionId condition, std::uint32_t reason);
  /// The symbol for "linear >= 0" and so on.
  DimensionId condition(Definition::Kind kind, Linear linear, std::uint32_t reason);

  /// The value where quantities have the given values; nullopt where one is missing or the result is not defined.
  using Assignment = std::map<DimensionId, Wide>;
  std::optional<Wide> evaluate(DimensionId symbol, const Assignment &values) const;
  std::optional<Wide> evaluate(const Linear &linear, const Assignment &values) const;
  /// The quantities that a symbol is computed from.
  void quantities(DimensionId symbol, std::vector<DimensionId> &out) const;

  /// Whether the symbol does not fall while its quantity rises from the given values on.
  bool rises(DimensionId symbol, const Assignment &from) const;

  /// In the grammar of smem/formula.h.
  std::string text(DimensionId symbol) const;
  std::string text(const Linear &linear) const;

private:
  bool atomic(DimensionId symbol) const;
  std::optional<Range> range_of(const Definition &definition) const;

  std::vector<Symbol> symbols_;
  std::map<std::vector<std::int64_t>, DimensionId> opaque_;
  std::map<std::string, DimensionId> defined_;
  Gates gates_;
  mutable std::unordered_map<DimensionId, std::optional<Range>> ranges_; ///< found under the present gates
};

/// One operation on two integers of a width, as a lane performs it; nullopt for those that are not of this kind, and for a
/// division by zero.
std::optional<std::int64_t> compute(Opcode opcode, std::int64_t x, std::int64_t y, unsigned width);

} // namespace smem
