#include "smem/integer_division.h"
#include "symbols.h"

#include <algorithm>
#include <bit>

namespace smem {
namespace {

/// The largest power of two that divides every value.
std::uint64_t grain_of(const Value &value, unsigned lane, const Symbols &symbols) {
  std::uint64_t bits = static_cast<std::uint64_t>(value.at(lane));
  for (const Term &term : value.terms)
    bits |=
        static_cast<std::uint64_t>(term.at(lane)) * (is_symbol(term.dimension) ? symbols[term.dimension].alignment : 1);
  return bits ? std::uint64_t{1} << std::min(std::countr_zero(bits), 40) : std::uint64_t{1} << 40;
}

/// Operations that evaluate() knows.
bool has_meaning(Opcode opcode, std::size_t operands) {
  switch (opcode) {
  case Opcode::Mul:
  case Opcode::UDiv:
  case Opcode::SDiv:
  case Opcode::URem:
  case Opcode::SRem:
  case Opcode::LShr:
  case Opcode::AShr:
  case Opcode::Shl:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::UMin:
  case Opcode::UMax:
  case Opcode::SMin:
  case Opcode::SMax: return operands == 2;
  case Opcode::Select: return operands == 3;
  default: return false;
  }
}

} // namespace

Linear &Linear::add(const Linear &other, Wide factor) {
  constant += other.constant * factor;
  std::vector<std::pair<DimensionId, Wide>> sum;
  auto a = terms.begin();
  auto b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    if (b == other.terms.end() || (a != terms.end() && a->first < b->first))
      sum.push_back(*a++);
    else if (a == terms.end() || b->first < a->first)
      sum.emplace_back(b->first, b->second * factor), ++b;
    else {
      if (const Wide c = a->second + b->second * factor; c != 0)
        sum.emplace_back(a->first, c);
      ++a, ++b;
    }
  }
  std::erase_if(sum, [](const auto &t) { return t.second == 0; });
  terms = std::move(sum);
  return *this;
}

Linear linear_of(const Value &value, unsigned lane) {
  Linear linear;
  linear.constant = value.at(lane);
  for (const Term &term : value.terms)
    if (const std::int64_t c = term.at(lane))
      linear.terms.emplace_back(term.dimension, c);
  return linear;
}

void substitute(Value &value, DimensionId dimension, const Linear &linear) {
  const auto term =
      std::find_if(value.terms.begin(), value.terms.end(), [&](const Term &t) { return t.dimension == dimension; });
  if (term == value.terms.end())
    return;
  Value slope = value; // what the value moves by with each step
  slope.base = term->lanes ? *term->lanes : Lanes{};
  slope.uniform = !term->lanes;
  if (slope.uniform)
    slope.base[0] = term->uniform;
  substitute(value, dimension, static_cast<std::int64_t>(linear.constant));
  for (const auto &[other, coefficient] : linear.terms) {
    Value more = make_uniform(0, value.width, value.defined);
    if (slope.uniform)
      more.terms.push_back({other, slope.base[0], nullptr});
    else
      more.terms.push_back({other, 0, std::make_shared<Lanes>(slope.base)});
    add_terms(value, more, static_cast<std::int64_t>(coefficient), value.defined);
  }
}

std::uint64_t Symbols::parts(const Linear &linear) const {
  std::uint64_t sum = 0;
  for (const auto &[dimension, coefficient] : linear.terms)
    sum += is_symbol(dimension) ? (*this)[dimension].parts : 1;
  return std::min<std::uint64_t>(sum, std::uint64_t{1} << 32); // some further sums stay in range
}

DimensionId Symbols::add(Symbol symbol) {
  if (symbol.definition)
    for (const Linear &operand : symbol.definition->operands)
      symbol.parts += parts(operand);
  symbols_.push_back(std::move(symbol));
  return kFirstSymbol + static_cast<DimensionId>(symbols_.size()) - 1;
}

DimensionId Symbols::opaque(std::uint32_t opcode, std::uint32_t detail, const std::vector<Value> &operands,
                            unsigned width, LaneMask mask, std::uint32_t reason) {
  std::vector<std::int64_t> key{opcode, detail, width};
  const unsigned lane = first_lane(mask);
  for (const Value &operand : operands) {
    key.push_back(operand.width);
    key.push_back(operand.at(lane));
    key.push_back(static_cast<std::int64_t>(operand.terms.size()));
    for (const Term &term : operand.terms) {
      key.push_back(term.dimension);
      key.push_back(term.at(lane));
    }
  }
  const auto [entry, fresh] = opaque_.try_emplace(std::move(key), 0);
  if (!fresh)
    return entry->second;
  Symbol symbol{1, reason, Symbol::Window::None, kNone, nullptr};
  const auto op = static_cast<Opcode>(opcode);
  if (op == Opcode::Mul && operands.size() == 2)
    symbol.alignment = std::min<std::uint64_t>(
        grain_of(operands[0], lane, *this) * std::min<std::uint64_t>(grain_of(operands[1], lane, *this), 1u << 20),
        std::uint64_t{1} << 40);
  symbol.of_block = op != Opcode::Opaque && std::ranges::all_of(operands, [&](const Value &operand) {
                      return of_block(operand, LaneMask{1} << lane);
                    });
  symbol.of_grid =
      op != Opcode::Opaque && std::ranges::all_of(operands, [&](const Value &operand) { return of_grid(operand); });
  if (symbolic && has_meaning(op, operands.size())) {
    Definition definition;
    definition.kind = Definition::Kind::Operation;
    definition.opcode = op;
    definition.width = width;
    definition.operand_width = operands.back().width;
    bool known = true;
    for (const Value &operand : operands) {
      Linear linear = linear_of(operand, lane);
      // Dimensions that are no symbols stand still here: they are 0.
      std::erase_if(linear.terms, [](const auto &t) { return !is_symbol(t.first); });
      if (operand.width == 1 && linear.constant == 1) { // "not": modulo 2 both signs are the same
        known &= linear.terms.size() == 1;
        for (auto &[dimension, coefficient] : linear.terms)
          coefficient = -1;
      }
      known &= defined(linear) && parts(linear) <= kMostParts;
      definition.operands.push_back(std::move(linear));
    }
    if (known)
      symbol.definition = std::make_shared<const Definition>(std::move(definition));
  }
  return entry->second = add(std::move(symbol));
}

DimensionId Symbols::of_block(std::int64_t what, std::int64_t which, std::uint32_t reason, bool counts,
                              unsigned signed_width) {
  const auto [entry, fresh] = opaque_.try_emplace({-2, what, which}, 0);
  if (fresh)
    entry->second = add({.reason = reason, .signed_width = signed_width, .counts = counts, .of_block = true});
  return entry->second;
}

bool Symbols::of_block(const Value &value, LaneMask mask) const {
  return warp_uniform(value, mask) && std::ranges::all_of(value.terms, [&](const Term &term) {
           return is_symbol(term.dimension) ? (*this)[term.dimension].of_block : of_class && is_digit(term.dimension);
         });
}

bool Symbols::of_grid(const Value &value) const {
  return std::ranges::all_of(
      value.terms, [&](const Term &term) { return is_symbol(term.dimension) && (*this)[term.dimension].of_grid; });
}

DimensionId Symbols::scaled(std::uint64_t by, DimensionId symbol) {
  const auto [entry, fresh] =
      opaque_.try_emplace({-1, static_cast<std::int64_t>(by), static_cast<std::int64_t>(symbol)}, 0);
  if (fresh) {
    const Symbol &whole = (*this)[symbol];
    entry->second = add({whole.alignment, whole.reason, Symbol::Window::None, kNone, nullptr});
  }
  return entry->second;
}

DimensionId Symbols::quotient(const Value &rest, std::int64_t divisor, LaneMask mask,
                              const std::vector<std::uint64_t> &serials, std::uint32_t reason) {
  const unsigned lane = first_lane(mask);
  std::vector<std::int64_t> key{-2, divisor, rest.width, rest.at(lane)};
  for (std::size_t i = 0; i < rest.terms.size(); ++i) {
    key.push_back(static_cast<std::int64_t>(serials[i]));
    key.push_back(rest.terms[i].at(lane));
  }
  const auto [entry, fresh] = opaque_.try_emplace(std::move(key), 0);
  if (fresh)
    entry->second = add({.reason = reason, .of_grid = of_grid(rest)});
  return entry->second;
}

DimensionId Symbols::define(Definition definition, std::uint32_t reason) {
  std::string key = std::to_string(static_cast<int>(definition.kind)) + definition.name + ":" +
                    std::to_string(static_cast<int>(definition.opcode)) + "/" + std::to_string(definition.width) + "/" +
                    std::to_string(definition.divisor);
  for (const Linear &operand : definition.operands) {
    key.append("|").append(decimal(operand.constant));
    for (const auto &[dimension, coefficient] : operand.terms)
      key.append(",").append(std::to_string(dimension)).append("*").append(decimal(coefficient));
  }
  const auto [entry, fresh] = defined_.try_emplace(std::move(key), 0);
  if (fresh)
    entry->second =
        add({1, reason, Symbol::Window::None, kNone, std::make_shared<const Definition>(std::move(definition))});
  return entry->second;
}

void Symbols::note_decision(const Linear &linear) {
  std::vector<DimensionId> involved;
  for (const auto &[dimension, coefficient] : linear.terms)
    quantities(dimension, involved);
  for (const DimensionId quantity : involved)
    domain_used |= (*this)[quantity].definition->presumed;
}

bool Symbols::defined(const Linear &linear) const {
  return std::all_of(linear.terms.begin(), linear.terms.end(),
                     [&](const auto &t) { return is_symbol(t.first) && (*this)[t.first].definition; });
}

Linear Symbols::ceil_div(Linear linear, std::int64_t divisor, std::uint32_t reason) {
  if (divisor == 1)
    return linear;
  Linear whole, rest;
  whole.constant = smem::ceil_div(linear.constant, divisor);
  rest.constant = linear.constant - whole.constant * divisor;
  for (const auto &[dimension, coefficient] : linear.terms) {
    const Wide out = coefficient / divisor;
    if (out)
      whole.terms.emplace_back(dimension, out);
    if (coefficient != out * divisor)
      rest.terms.emplace_back(dimension, coefficient - out * divisor);
  }
  if (rest.terms.empty())
    return whole; // -divisor < constant <= 0: nothing is added
  // Multiples of the divisor swallow what is left of the constant.
  Linear moving = rest;
  moving.constant = 0;
  if (multiple_of(moving) % divisor == 0)
    rest.constant = 0;
  Definition quotient;
  quotient.kind = Definition::Kind::CeilDiv;
  quotient.operands.push_back(rest);
  quotient.divisor = divisor;
  Linear one;
  one.terms.emplace_back(define(std::move(quotient), reason), 1);
  return whole.add(one);
}

Linear Symbols::extreme(Opcode opcode, Linear a, Linear b) {
  const Linear apart = Linear{}.add(a).add(b, -1);
  const auto range = this->range(apart);
  if (range && (range->least >= 0 || range->most <= 0))
    return (range->least >= 0) == (opcode == Opcode::SMax) ? a : b;
  Definition definition;
  definition.kind = Definition::Kind::Operation;
  definition.opcode = opcode;
  definition.width = definition.operand_width = 64;
  std::uint32_t reason = 0;
  for (const Linear &operand : {a, b})
    for (const auto &[dimension, coefficient] : operand.terms)
      reason = reason ? reason : (*this)[dimension].reason;
  definition.operands = {std::move(a), std::move(b)};
  Linear out;
  out.terms.emplace_back(define(std::move(definition), reason), 1);
  return out;
}

DimensionId Symbols::condition(Definition::Kind kind, Linear linear, std::uint32_t reason) {
  Definition definition;
  definition.kind = kind;
  Wide common = 0;
  for (const auto &[dimension, coefficient] : linear.terms)
    common = gcd_of(common, coefficient);
  if (kind == Definition::Kind::AtLeast0 && common > 1) { // c * x + d >= 0 is x + floor(d / c) >= 0
    for (auto &[dimension, coefficient] : linear.terms)
      coefficient /= common;
    linear.constant = floor_div(linear.constant, common);
  }
  if (kind != Definition::Kind::AtLeast0 && !linear.terms.empty() && linear.terms.front().second < 0)
    linear = Linear{}.add(linear, -1);
  definition.operands.push_back(std::move(linear));
  return define(std::move(definition), reason);
}

DimensionId Symbols::opposite(DimensionId id, std::uint32_t reason) {
  const Definition &definition = *(*this)[id].definition;
  switch (definition.kind) {
  case Definition::Kind::AtLeast0: {
    Linear other;
    other.add(definition.operands[0], -1).constant -= 1;
    return condition(Definition::Kind::AtLeast0, std::move(other), reason);
  }
  case Definition::Kind::Zero: return condition(Definition::Kind::NotZero, definition.operands[0], reason);
  case Definition::Kind::NotZero: return condition(Definition::Kind::Zero, definition.operands[0], reason);
  default: break;
  }
  Linear one;
  one.terms.emplace_back(id, 1);
  return condition(Definition::Kind::Zero, std::move(one), reason);
}

void Symbols::quantities(DimensionId id, std::vector<DimensionId> &out) const {
  const auto &definition = (*this)[id].definition;
  if (!definition)
    return;
  if (definition->kind == Definition::Kind::Quantity) {
    if (std::find(out.begin(), out.end(), id) == out.end())
      out.push_back(id);
    return;
  }
  for (const Linear &operand : definition->operands)
    for (const auto &[dimension, coefficient] : operand.terms)
      if (is_symbol(dimension))
        quantities(dimension, out);
}

} // namespace smem
