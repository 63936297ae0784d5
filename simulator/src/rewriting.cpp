#include "smem/integer_division.h"
#include "rewriting.h"

#include <algorithm>

namespace smem {
namespace {

using Kind = Definition::Kind;

constexpr unsigned kDeepest = 8; ///< definitions within definitions

} // namespace

Linear just(DimensionId symbol, Wide factor) {
  Linear one;
  one.terms.emplace_back(symbol, factor);
  return one;
}

Linear number(Wide value) {
  Linear one;
  one.constant = value;
  return one;
}

bool Rewriting::condition(DimensionId symbol) const {
  const Kind kind = of(symbol).kind;
  return kind == Kind::AtLeast0 || kind == Kind::Zero || kind == Kind::NotZero;
}

Linear Rewriting::plain(const Linear &linear, unsigned depth) {
  Linear out = number(linear.constant);
  for (const auto &[symbol, coefficient] : linear.terms)
    out.add(plain(symbol, depth), coefficient);
  return out;
}

Linear Rewriting::plain(DimensionId symbol, unsigned depth) {
  const Definition definition = of(symbol); // a copy: new symbols move the old ones
  const std::uint32_t reason = symbols_[symbol].reason;
  if (depth == kDeepest || definition.operands.empty())
    return just(symbol);
  if (definition.kind == Kind::CeilDiv)
    return quotient(plain(definition.operands[0], depth + 1), definition.divisor, reason);
  if (definition.kind != Kind::Operation || definition.operands.size() != 2 || definition.width > 64 ||
      definition.operand_width != definition.width)
    return just(symbol);
  const Linear &a = definition.operands[0], &b = definition.operands[1];
  const Linear inner = plain(a, depth + 1);
  const auto floor_of = [&](Wide divisor) {
    Linear moved = inner;
    moved.constant -= divisor - 1;
    const Linear out = quotient(std::move(moved), static_cast<std::int64_t>(divisor), reason);
    const Wide half = Wide{1} << (definition.width - 1);
    bound(out, {floor_div(-half, divisor), floor_div(half - 1, divisor)});
    return out;
  };
  const auto rest_of = [&](Wide divisor) {
    bound(just(symbol), {0, divisor - 1});
    if (const auto all = range(inner); all && all->least >= 0 && all->most < divisor) {
      symbols_.note_decision(inner);
      return inner;
    }
    Linear moved = inner;
    moved.constant -= divisor - 1;
    return Linear(inner).add(quotient(std::move(moved), static_cast<std::int64_t>(divisor), reason), -divisor);
  };
  constexpr Wide kLargest = Wide{1} << 31;
  const Wide divisor = b.terms.empty() ? b.constant : Wide{0};
  const auto power_of_two = [](Wide value) { return value > 0 && (value & (value - 1)) == 0; };
  // The ranges of what it is made of say more than its own, or the other way round.
  const auto fits = [&](std::optional<Wide> least, unsigned width) {
    return within(a, least, width) || within(inner, least, width);
  };
  switch (definition.opcode) {
  case Opcode::URem:
    if (divisor > 0 && divisor <= kLargest && (power_of_two(divisor) || fits(0, definition.width)))
      return rest_of(divisor);
    break;
  case Opcode::SRem:
    if (divisor > 0 && divisor <= kLargest && fits(0, definition.width))
      return rest_of(divisor);
    break;
  case Opcode::And:
    if (divisor > 0 && divisor < kLargest && power_of_two(divisor + 1))
      return rest_of(divisor + 1);
    if (divisor < 0 && divisor >= -kLargest && power_of_two(-divisor) && fits(std::nullopt, definition.width))
      return Linear().add(floor_of(-divisor), -divisor);
    break;
  case Opcode::UDiv:
  case Opcode::SDiv:
    if (divisor > 0 && divisor <= kLargest && fits(0, definition.width))
      return floor_of(divisor);
    break;
  case Opcode::LShr:
  case Opcode::AShr:
    if (b.terms.empty() && divisor >= 0 && divisor < std::min<Wide>(31, definition.width) &&
        fits(definition.opcode == Opcode::LShr ? std::optional<Wide>(0) : std::nullopt, definition.width))
      return floor_of(Wide{1} << static_cast<int>(divisor));
    break;
  case Opcode::UMin:
  case Opcode::SMin:
  case Opcode::UMax:
  case Opcode::SMax: {
    const bool is_unsigned = definition.opcode == Opcode::UMin || definition.opcode == Opcode::UMax;
    const std::optional<Wide> least = is_unsigned ? std::optional<Wide>(0) : std::nullopt;
    if (fits(least, definition.width) && within(b, least, definition.width)) {
      const bool min = definition.opcode == Opcode::UMin || definition.opcode == Opcode::SMin;
      if (const Linear known = settled(symbol); known != just(symbol))
        return plain(known, depth + 1);
      const Linear other = plain(b, depth + 1);
      const Linear out = extreme(min ? Opcode::SMin : Opcode::SMax, inner, other);
      if (const auto one = range(inner), two = range(other); one && two)
        bound(out, min ? Range{std::min(one->least, two->least), std::min(one->most, two->most)}
                       : Range{std::max(one->least, two->least), std::max(one->most, two->most)});
      return out;
    }
    break;
  }
  default: break;
  }
  return just(symbol);
}

Linear Rewriting::extreme(Opcode opcode, Linear a, Linear b) {
  const Linear apart = Linear(a).add(b, -1);
  if (const auto range = symbols_.range(apart); range && (range->least >= 0 || range->most <= 0))
    symbols_.note_decision(apart);
  return symbols_.extreme(opcode, std::move(a), std::move(b));
}

Linear Rewriting::settled(DimensionId symbol) {
  const Definition definition = of(symbol);
  if (within_rests && definition.kind == Kind::Operation &&
      (definition.opcode == Opcode::URem || definition.opcode == Opcode::SRem)) { // of what is settled
    Definition rest = definition;
    rest.operands[0] = number(definition.operands[0].constant);
    for (const auto &[term, coefficient] : definition.operands[0].terms)
      rest.operands[0].add(settled(term), coefficient);
    return rest.operands == definition.operands ? just(symbol)
                                                : just(symbols_.define(std::move(rest), symbols_[symbol].reason));
  }
  const bool min = definition.opcode == Opcode::SMin || definition.opcode == Opcode::UMin;
  if (definition.kind != Kind::Operation ||
      (!min && definition.opcode != Opcode::SMax && definition.opcode != Opcode::UMax))
    return just(symbol);
  const Linear &a = definition.operands[0], &b = definition.operands[1], apart = Linear(a).add(b, -1);
  const bool is_unsigned = definition.opcode == Opcode::UMin || definition.opcode == Opcode::UMax;
  const std::optional<Wide> least = is_unsigned ? std::optional<Wide>(0) : std::nullopt;
  const auto range = known_range(apart);
  const auto fits = [&](const Linear &operand) {
    return within(operand, least, definition.width) ||
           (!asking_gates_ && within(plain(operand), least, definition.width));
  };
  if (!range || (range->least < 0 && range->most > 0) || !fits(a) || !fits(b))
    return just(symbol);
  symbols_.note_decision(apart);
  return (range->least >= 0) == min ? b : a;
}

Linear Rewriting::decided(DimensionId gate) {
  const Definition definition = of(gate);
  const std::uint32_t reason = symbols_[gate].reason;
  const Linear &tested = definition.operands[0];
  const Linear inner = plain(tested);
  const auto range = this->range(tested);
  const auto known = [&](Linear value) {
    symbols_.note_decision(tested);
    return value;
  };
  if (range && definition.kind == Kind::AtLeast0) {
    if (range->least >= 0 || range->most < 0)
      return known(number(range->least >= 0));
    if (range->least == -1 && range->most == 0)
      return known(number(1).add(tested));
  } else if (range) {
    const bool zero = definition.kind == Kind::Zero;
    if (range->least > 0 || range->most < 0)
      return known(number(!zero));
    if (range->least == 0 && range->most == 0)
      return known(number(zero));
    if (range->most <= 1 && range->least >= -1 && range->least != -range->most) {
      const Wide sign = range->most == 1 ? 1 : -1;
      return known(zero ? number(1).add(tested, -sign) : Linear().add(tested, sign));
    }
    if (Linear least_one = inner; range->least == 0 && single_quotient(least_one)) { // 0 or more: a bound
      symbols_.note_decision(tested);
      least_one.constant -= 1;
      return zero ? number(1).add(at_least_0(std::move(least_one), reason), -1)
                  : at_least_0(std::move(least_one), reason);
    }
  }
  if (definition.kind != Kind::AtLeast0)
    return just(gate);
  return at_least_0(single_quotient(inner) ? inner : tested, reason);
}

bool Rewriting::single_quotient(const Linear &linear) const {
  return linear.terms.size() == 1 && (linear.terms[0].second == 1 || linear.terms[0].second == -1) &&
         of(linear.terms[0].first).kind == Kind::CeilDiv;
}

/// ceil(x / d) + c >= 0 is x + c * d + d - 1 >= 0; of -ceil(x / d) + c it is c * d - x >= 0. A condition's opposite is 1 minus it.
Linear Rewriting::at_least_0(Linear tested, std::uint32_t reason) {
  for (unsigned depth = 0; depth < kDeepest && single_quotient(tested); ++depth) {
    const Definition &quotient = of(tested.terms[0].first);
    const Wide divisor = quotient.divisor;
    Linear divided = number(tested.constant * divisor + (tested.terms[0].second > 0 ? divisor - 1 : 0));
    tested = divided.add(quotient.operands[0], tested.terms[0].second);
  }
  const DimensionId gate = symbols_.condition(Kind::AtLeast0, std::move(tested), reason);
  if (!opposites || of(gate).operands[0].terms.front().second > 0)
    return just(gate);
  return number(1).add(just(symbols_.opposite(gate, reason)), -1);
}

/// ceil(ceil(x / a) + c / b) is ceil((x + c * a) / (a * b)).
Linear Rewriting::quotient(Linear divided, std::int64_t divisor, std::uint32_t reason) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;
  if (divisor > 0 && divisor < kLargest && single_quotient(divided) && divided.terms[0].second == 1) {
    const Definition inner = of(divided.terms[0].first);
    if (inner.divisor < kLargest) {
      Linear whole = inner.operands[0];
      whole.constant += divided.constant * inner.divisor;
      return symbols_.ceil_div(std::move(whole), inner.divisor * divisor, reason);
    }
  }
  return symbols_.ceil_div(std::move(divided), divisor, reason);
}

/// With what was found out under the gates.
std::optional<Range> Rewriting::range(const Linear &linear) const {
  auto out = symbols_.range(linear);
  if (out && linear.terms.size() == 1 && linear.terms[0].second == 1)
    if (const auto known = ranges_.find(linear.terms[0].first); known != ranges_.end()) {
      out->least = std::max(out->least, known->second.least + linear.constant);
      out->most = std::min(out->most, known->second.most + linear.constant);
    }
  return out;
}

/// With what the gates say of another symbol for the same.
std::optional<Range> Rewriting::known_range(const Linear &linear) {
  auto out = range(linear);
  if (!out || out->least >= 0 || gates_.empty() || asking_gates_)
    return out;
  asking_gates_ = true;
  const Linear inner = plain(linear);
  if (const auto of_inner = range(inner)) {
    out->least = std::max(out->least, of_inner->least);
    out->most = std::min(out->most, of_inner->most);
  }
  for (const DimensionId gate : Gates(gates_)) {
    const Definition holds = of(gate);
    const Linear other = plain(holds.operands[0]);
    const auto tested = range(holds.operands[0]);
    if (holds.kind == Kind::Zero || !tested || (holds.kind == Kind::NotZero && tested->least < 0))
      continue;
    const Linear apart = Linear(inner).add(other, -1);
    if (!apart.terms.empty())
      continue;
    symbols_.note_decision(holds.operands[0]);
    out->least = std::max(out->least, apart.constant + (holds.kind == Kind::NotZero ? 1 : 0));
  }
  asking_gates_ = false;
  return out;
}

void Rewriting::bound(const Linear &linear, Range bounds) {
  if (linear.terms.size() != 1 || linear.terms[0].second != 1)
    return;
  bounds.least -= linear.constant;
  bounds.most -= linear.constant;
  const auto [known, fresh] = ranges_.try_emplace(linear.terms[0].first, bounds);
  if (!fresh)
    known->second = {std::max(known->second.least, bounds.least), std::min(known->second.most, bounds.most)};
}

/// As a signed integer of the width it is the same, and at least so much. That a size which is rounded up (n + 31) does not overflow is presumed, as
/// the text of a formula presumes it.
bool Rewriting::within(const Linear &linear, std::optional<Wide> least, unsigned width) {
  const auto range = symbols_.range(linear);
  const Wide half = Wide{1} << (width - 1);
  if (!range || range->least < (least ? *least : -half) || range->most - std::max<Wide>(linear.constant, 0) >= half)
    return false;
  symbols_.note_decision(linear);
  symbols_.domain_used |= range->most >= half;
  return true;
}

} // namespace smem
