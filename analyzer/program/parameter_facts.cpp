#include "program/parameter_facts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "smem/integer_division.h"

namespace smem::lower {
namespace {

constexpr unsigned kMostRounds = 16;       ///< over all blocks
constexpr unsigned kMostDepth = 16;        ///< of a condition
constexpr std::size_t kMostExclusions = 8; ///< of one piece

/// A scalar piece of an argument.
using Piece = std::tuple<std::uint32_t, std::uint64_t, std::uint8_t>; ///< parameter, offset, width

struct Known {
  ArgumentFacts facts;
  SourceLocation location;
  std::vector<std::int64_t> excluded; ///< single values

  bool operator==(const Known &) const = default;
};
using Facts = std::map<Piece, Known>;

std::int64_t low_bits(std::int64_t value, unsigned bits) {
  return bits >= 63 ? value : value & ((std::int64_t{1} << bits) - 1);
}

/// A range whose ends are excluded one by one, or do not have the remainder, is smaller.
void tighten(Known &known) {
  ArgumentFacts &facts = known.facts;
  const auto excluded = [&](std::int64_t v) { return std::ranges::find(known.excluded, v) != known.excluded.end(); };
  for (std::size_t i = 0; i <= known.excluded.size(); ++i) {
    if (facts.least && *facts.least > INT64_MIN / 2 && *facts.least < INT64_MAX / 2)
      *facts.least += floor_mod(facts.remainder - *facts.least, facts.modulus);
    if (facts.least && excluded(*facts.least))
      *facts.least += facts.modulus;
    if (facts.most && *facts.most > INT64_MIN / 2 && *facts.most < INT64_MAX / 2)
      *facts.most -= floor_mod(*facts.most - facts.remainder, facts.modulus);
    if (facts.most && excluded(*facts.most))
      *facts.most -= facts.modulus;
  }
}

class Finder {
public:
  Finder(Program &program, const std::vector<AssumedCondition> &assumed, const std::vector<BlockId> &ending)
      : program_(program), assumed_(assumed), ending_(program.blocks.size(), false) {
    for (const BlockId block : ending)
      ending_[block] = true;
    definition_.resize(program.register_count, nullptr);
    for (const BasicBlock &block : program.blocks)
      for (const Instruction &instruction : block.instructions)
        if (instruction.result != kNone)
          definition_[instruction.result] = &instruction;
  }

  void run() {
    if (!any())
      return;
    before_.assign(program_.blocks.size(), std::nullopt);
    before_[0] = Facts();
    for (unsigned round = 0;; ++round) {
      if (round == kMostRounds)
        return;
      bool changed = false;
      for (BlockId block = 0; block < program_.blocks.size(); ++block)
        changed |= pass_on(block);
      if (!changed)
        break;
    }
    // Blocks, with what they assume themselves.
    for (BlockId block = 0; block < program_.blocks.size(); ++block) {
      if (!before_[block])
        continue;
      std::optional<Facts> inside = in_block(block);
      if (!inside || inside->empty())
        continue;
      std::vector<std::uint32_t> numbers;
      for (auto &[piece, known] : *inside) {
        // Sizes without a sign are presumed to be below 2^31.
        if (!known.facts.least && is_unsigned(piece) && std::ranges::find(known.excluded, 0) != known.excluded.end())
          known.facts.least = 0;
        tighten(known);
        if (known.facts.empty() || !known.facts.nearest(0))
          continue;
        const auto &[index, offset, width] = piece;
        numbers.push_back(number({index, offset, width, known.facts, known.location}));
      }
      for (const Instruction &instruction : program_.blocks[block].instructions)
        if (instruction.opcode == Opcode::Memory)
          program_.memory_operations[instruction.index].facts = numbers;
    }
  }

private:
  /// Whether there is a condition on an argument at all.
  bool any() const {
    return std::ranges::any_of(program_.blocks,
                               [](const BasicBlock &block) { return block.terminator.condition != kNone; }) ||
           !assumed_.empty();
  }

  std::uint32_t number(const ParameterFact &fact) {
    auto &all = program_.parameter_facts;
    const auto known = std::ranges::find(all, fact);
    if (known != all.end())
      return static_cast<std::uint32_t>(known - all.begin());
    all.push_back(fact);
    return static_cast<std::uint32_t>(all.size() - 1);
  }

  bool is_unsigned(const Piece &piece) const {
    const auto &[index, offset, width] = piece;
    if (index >= program_.parameters.size())
      return false;
    const Parameter &parameter = program_.parameters[index];
    std::string_view type = parameter.type;
    for (const ParameterMember &member : parameter.members)
      if (member.offset == offset)
        type = member.type;
    return type.find("unsigned") != std::string_view::npos || type.starts_with("uint") || type == "size_t";
  }

  /// With what the block assumes; nullopt: it is never executed.
  std::optional<Facts> in_block(BlockId block) const {
    Facts facts = *before_[block];
    for (const AssumedCondition &one : assumed_)
      if (one.block == block && !add(facts, one.condition, true, one.location, 0))
        return std::nullopt;
    return facts;
  }

  /// Hands what is known in a block to its successors; whether that changed what is known of one.
  bool pass_on(BlockId block) {
    if (!before_[block] || ending_[block])
      return false;
    const std::optional<Facts> inside = in_block(block);
    if (!inside)
      return false;
    const Terminator &end = program_.blocks[block].terminator;
    bool changed = false;
    for (std::size_t i = 0; i < end.targets.size(); ++i) {
      Facts facts = *inside;
      if (end.kind == TerminatorKind::Branch && end.targets[0] != end.targets[1] &&
          !add(facts, end.condition, i == 0, end.location, 0))
        continue;
      if (end.kind == TerminatorKind::Switch) {
        if (i > 0 && !add_equal(facts, end.condition, end.cases[i - 1], true, end.location))
          continue;
        bool possible = true;
        for (std::size_t c = 0; i == 0 && possible && c < end.cases.size(); ++c)
          possible = add_equal(facts, end.condition, end.cases[c], false, end.location);
        if (!possible)
          continue;
      }
      changed |= meet(end.targets[i], facts);
    }
    return changed;
  }

  bool meet(BlockId at, const Facts &facts) {
    std::optional<Facts> &known = before_[at];
    if (!known) {
      known = facts;
      return true;
    }
    Facts both;
    for (const auto &[piece, one] : *known) {
      const auto other = facts.find(piece);
      if (other == facts.end())
        continue;
      Known a = one, b = other->second;
      tighten(a);
      tighten(b);
      Known joined;
      joined.facts = either(a.facts, b.facts);
      joined.location = a.location;
      for (const std::int64_t value : one.excluded)
        if (!b.facts.admits(value) || std::ranges::find(b.excluded, value) != b.excluded.end())
          joined.excluded.push_back(value);
      for (const std::int64_t value : b.excluded)
        if (!a.facts.admits(value) && std::ranges::find(joined.excluded, value) == joined.excluded.end() &&
            joined.excluded.size() < kMostExclusions)
          joined.excluded.push_back(value);
      if (!joined.facts.empty() || !joined.excluded.empty())
        both.emplace(piece, std::move(joined));
    }
    if (both == *known)
      return false;
    *known = std::move(both);
    return true;
  }

  const Instruction *definition(RegisterId reg) const { return reg == kNone ? nullptr : definition_[reg]; }

  std::optional<std::int64_t> constant(RegisterId reg) const {
    const Instruction *from = definition(reg);
    return from && from->opcode == Opcode::Constant ? std::optional(from->immediate) : std::nullopt;
  }

  /// A piece of an argument, or one that was widened or cut, which is presumed to keep a quantity's value.
  std::optional<Piece> piece(RegisterId reg) const {
    const Instruction *from = definition(reg);
    for (unsigned depth = 0; from && depth < 4; ++depth) {
      if (from->opcode == Opcode::Argument)
        return Piece{from->index, static_cast<std::uint64_t>(from->immediate), from->width};
      const bool widens = from->opcode == Opcode::ZeroExtend || from->opcode == Opcode::SignExtend;
      const Instruction *narrow = from->operands.empty() ? nullptr : definition(from->operands[0]);
      if (!narrow || !((widens && narrow->width >= 32) || (from->opcode == Opcode::Truncate && from->width >= 32)))
        return std::nullopt;
      from = narrow;
    }
    return std::nullopt;
  }

  static bool combine_with(Facts &facts, const Piece &piece, const ArgumentFacts &more,
                           const SourceLocation &location) {
    Known &known = facts[piece];
    ArgumentFacts use = more;
    // Very large moduli are no use.
    if (known.facts.modulus > ArgumentFacts::kMostModulus / use.modulus) {
      use.modulus = 1;
      use.remainder = 0;
    }
    const std::optional<ArgumentFacts> both = combine(known.facts, use);
    if (!both)
      return false;
    if (!(*both == known.facts) || !known.location.known())
      known.location = location;
    known.facts = *both;
    return true;
  }

  static bool exclude(Facts &facts, const Piece &piece, std::int64_t value, const SourceLocation &location) {
    Known &known = facts[piece];
    if (known.facts.least && known.facts.least == value && known.facts.most == value)
      return false;
    if (known.excluded.size() < kMostExclusions && std::ranges::find(known.excluded, value) == known.excluded.end())
      known.excluded.push_back(value);
    if (!known.location.known())
      known.location = location;
    return true;
  }

  /// Adds that the condition is `wanted`; false: it cannot be.
  bool add(Facts &facts, RegisterId condition, bool wanted, const SourceLocation &location, unsigned depth) const {
    const Instruction *from = definition(condition);
    if (!from || depth > kMostDepth)
      return true;
    const auto &in = from->operands;
    const auto one = [&](RegisterId reg, bool w) { return add(facts, reg, w, location, depth + 1); };
    switch (from->opcode) {
    case Opcode::Constant: return (from->immediate & 1) == wanted;
    case Opcode::And: return !wanted || (one(in[0], true) && one(in[1], true));
    case Opcode::Or: return wanted || (one(in[0], false) && one(in[1], false));
    case Opcode::Xor:
      if (const auto c = constant(in[1]))
        return one(in[0], (*c & 1) ? !wanted : wanted);
      if (const auto c = constant(in[0]))
        return one(in[1], (*c & 1) ? !wanted : wanted);
      return true;
    case Opcode::Select: // a && b, a || b
      if (const auto c = constant(in[2]); c && bool(*c & 1) != wanted)
        return one(in[0], true) && one(in[1], wanted);
      if (const auto c = constant(in[1]); c && bool(*c & 1) != wanted)
        return one(in[0], false) && one(in[2], wanted);
      return true;
    case Opcode::Truncate: // its lowest bit
      if (const auto p = piece(in[0]))
        return combine_with(facts, *p, {2, wanted, {}, {}}, location);
      return true;
    case Opcode::Eq:
    case Opcode::Ne:
      if (const auto c = constant(in[1]))
        return add_equal(facts, in[0], *c, (from->opcode == Opcode::Eq) == wanted, location);
      if (const auto c = constant(in[0]))
        return add_equal(facts, in[1], *c, (from->opcode == Opcode::Eq) == wanted, location);
      return true;
    case Opcode::SLt:
    case Opcode::SLe:
    case Opcode::ULt:
    case Opcode::ULe: return add_order(facts, *from, wanted, location);
    default: return true;
    }
  }

  /// `reg` is, or is not, that number.
  bool add_equal(Facts &facts, RegisterId reg, std::int64_t number, bool equal, const SourceLocation &location) const {
    if (const auto p = piece(reg)) {
      if (!equal)
        return exclude(facts, *p, number, location);
      return combine_with(facts, *p, {1, 0, number, number}, location);
    }
    const Instruction *from = definition(reg);
    if (!from || from->operands.size() != 2)
      return true;
    const auto p = piece(from->operands[0]);
    const auto by = constant(from->operands[1]);
    if (!p || !by)
      return true;
    ArgumentFacts rest;
    switch (from->opcode) {
    case Opcode::And: {
      const auto bits = std::min<unsigned>(static_cast<unsigned>(std::countr_one(static_cast<std::uint64_t>(*by))), 20);
      rest.modulus = std::int64_t{1} << bits;
      rest.remainder = low_bits(number, bits);
      break;
    }
    case Opcode::URem: {
      if (*by <= 1 || number < 0 || number >= *by)
        return true;
      const std::int64_t power = *by & -*by; // numbers without a sign wrap around at one of two
      rest.modulus = std::min(power, ArgumentFacts::kMostModulus);
      rest.remainder = number % rest.modulus;
      break;
    }
    case Opcode::SRem:
      if (*by <= 1 || *by > ArgumentFacts::kMostModulus || number <= -*by || number >= *by)
        return true;
      rest.modulus = *by;
      rest.remainder = number < 0 ? number + *by : number;
      if (equal && number > 0)
        rest.least = 0;
      if (equal && number < 0)
        rest.most = 0;
      break;
    default: return true;
    }
    if (!equal) {
      if (*by != (from->opcode == Opcode::And ? 1 : 2) || number > 1 || number < 0 ||
          (from->opcode == Opcode::SRem && number == 1))
        return true;
      rest.remainder = 1 - rest.remainder;
      rest.least = rest.most = std::nullopt;
    }
    return rest.modulus == 1 || combine_with(facts, *p, rest, location);
  }

  bool add_order(Facts &facts, const Instruction &from, bool wanted, const SourceLocation &location) const {
    const bool is_unsigned = from.opcode == Opcode::ULt || from.opcode == Opcode::ULe;
    RegisterId left = from.operands[0], right = from.operands[1];
    bool strict = from.opcode == Opcode::SLt || from.opcode == Opcode::ULt;
    if (!wanted) { // !(a < b) is b <= a
      std::swap(left, right);
      strict = !strict;
    }
    ArgumentFacts range;
    if (const auto c = constant(right)) { // x < c
      std::int64_t base = 0;
      auto p = piece(left);
      const Instruction *sum = definition(left);
      if (!p && is_unsigned && sum && sum->opcode == Opcode::Add) // x - 1 < 100 without signs
        if (const auto added = constant(sum->operands[1])) {
          p = piece(sum->operands[0]);
          base = *added;
        }
      if (!p || (is_unsigned && *c < 0))
        return true;
      if (*c > INT64_MAX / 4 || *c < INT64_MIN / 4 || base > INT64_MAX / 4 || base < INT64_MIN / 4)
        return true;
      range.most = *c - strict - base;
      if (is_unsigned)
        range.least = -base;
      // Past the range of the piece it wraps around.
      const std::int64_t limit = std::int64_t{1} << (std::min<unsigned>(std::get<2>(*p), 62) - 1);
      if (base && (*range.least < -limit || *range.most >= limit))
        return true;
      return combine_with(facts, *p, range, location);
    }
    if (const auto c = constant(left)) { // c < x
      const auto p = piece(right);
      if (!p || *c > INT64_MAX / 4 || *c < INT64_MIN / 4)
        return true;
      if (is_unsigned)
        return *c + strict <= 0 || exclude(facts, *p, 0, location);
      range.least = *c + strict;
      return combine_with(facts, *p, range, location);
    }
    return true;
  }

  Program &program_;
  const std::vector<AssumedCondition> &assumed_;
  std::vector<bool> ending_;
  std::vector<const Instruction *> definition_; ///< by register
  std::vector<std::optional<Facts>> before_;    ///< by block; none: not reached yet
};

} // namespace

void find_parameter_facts(Program &program, const std::vector<AssumedCondition> &assumed,
                          const std::vector<BlockId> &ending) {
  Finder(program, assumed, ending).run();
}

} // namespace smem::lower
