#include "smem/integer_division.h"
#include "symbols.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace smem {
namespace {

std::string digits(Wide value) {
  std::string out;
  if (value < 0)
    return out.append("-").append(digits(-value));
  do
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(value % 10))), value /= 10;
  while (value);
  return out;
}

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
    key.append("|").append(digits(operand.constant));
    for (const auto &[dimension, coefficient] : operand.terms)
      key.append(",").append(std::to_string(dimension)).append("*").append(digits(coefficient));
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

std::optional<Range> Symbols::range(DimensionId id) const {
  const auto &definition = (*this)[id].definition;
  if (!definition)
    return std::nullopt;
  if (const auto known = ranges_.find(id); known != ranges_.end())
    return known->second;
  return ranges_[id] = range_of(*definition);
}

std::optional<Range> Symbols::range_of(const Definition &definition) const {
  auto of = [&](std::size_t i) { return range(definition.operands[i]); };
  auto constant = [&](std::size_t i) { return definition.operands[i].terms.empty(); };
  std::optional<Range> found;
  switch (definition.kind) {
  case Definition::Kind::Quantity: found = definition.range; break;
  case Definition::Kind::AtLeast0:
  case Definition::Kind::Zero:
  case Definition::Kind::NotZero: found = Range{0, 1}; break;
  case Definition::Kind::CeilDiv:
    if (const auto whole = of(0))
      found = Range{smem::ceil_div(whole->least, definition.divisor), smem::ceil_div(whole->most, definition.divisor)};
    break;
  case Definition::Kind::Operation: {
    const unsigned bits = definition.width;
    found = Range{-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
    if (definition.width == 1)
      found = Range{0, 1};
    if (definition.opcode == Opcode::Select) {
      const auto a = of(1), b = of(2);
      if (a && b)
        found = Range{std::min(a->least, b->least), std::max(a->most, b->most)};
      break;
    }
    const auto a = of(0), b = of(1);
    if (!a || !b || a->least < 0 || a->most > found->most)
      break; // as signed and as unsigned the same
    const Wide divisor = constant(1) ? definition.operands[1].constant : Wide{0};
    switch (definition.opcode) {
    case Opcode::UDiv:
    case Opcode::SDiv:
      if (divisor > 0)
        found = Range{a->least / divisor, a->most / divisor};
      break;
    case Opcode::LShr:
    case Opcode::AShr:
      if (constant(1) && divisor >= 0 && divisor < 63)
        found = Range{a->least >> static_cast<int>(divisor), a->most >> static_cast<int>(divisor)};
      break;
    case Opcode::URem:
    case Opcode::SRem:
      if (divisor > 0)
        found = Range{0, std::min(a->most, divisor - 1)};
      break;
    case Opcode::And: found = Range{0, b->least >= 0 ? std::min(a->most, b->most) : a->most}; break;
    case Opcode::UMin:
    case Opcode::SMin:
      if (b->least >= 0 && b->most <= found->most)
        found = Range{std::min(a->least, b->least), std::min(a->most, b->most)};
      break;
    case Opcode::UMax:
    case Opcode::SMax:
      if (b->least >= 0 && b->most <= found->most)
        found = Range{std::max(a->least, b->least), std::max(a->most, b->most)};
      break;
    case Opcode::Mul:
      if (b->least >= 0 && a->most * b->most <= found->most)
        found = Range{a->least * b->least, a->most * b->most};
      break;
    default: break;
    }
    break;
  }
  }
  return found;
}

std::optional<Range> Symbols::range(const Linear &linear) const {
  Range sum{linear.constant, linear.constant};
  for (const auto &[dimension, coefficient] : linear.terms) {
    if (!is_symbol(dimension))
      return std::nullopt;
    auto one = range(dimension);
    if (!one)
      return std::nullopt;
    for (const DimensionId gate : gates_) { // conditions on this symbol alone
      const Definition &holds = *(*this)[gate].definition;
      const Linear &tested = holds.operands[0];
      if (tested.terms.size() != 1 || tested.terms[0].first != dimension)
        continue;
      const Wide c = tested.terms[0].second, bound = -tested.constant; // c * symbol >= bound, or == bound
      if (holds.kind == Definition::Kind::AtLeast0) {
        if (c > 0)
          one->least = std::max(one->least, smem::ceil_div(bound, c));
        else
          one->most = std::min(one->most, floor_div(bound, c));
      } else if (holds.kind == Definition::Kind::Zero && bound % c == 0) {
        one->least = one->most = bound / c;
      } else if (holds.kind == Definition::Kind::NotZero && bound % c == 0) {
        if (one->least == bound / c)
          ++one->least;
        if (one->most == bound / c)
          --one->most;
      }
    }
    if (one->least > one->most)
      one->most = one->least;                // nothing is executed there
    constexpr Wide kLargest = Wide{1} << 62; // so that no product or sum leaves its 128 bits
    if (coefficient > kLargest || coefficient < -kLargest || sum.least < -kLargest * kLargest ||
        sum.most > kLargest * kLargest)
      return std::nullopt;
    sum.least += coefficient > 0 ? coefficient * one->least : coefficient * one->most;
    sum.most += coefficient > 0 ? coefficient * one->most : coefficient * one->least;
  }
  if (linear.terms.size() > 1) // the same combination, known from a condition
    for (const DimensionId gate : gates_) {
      const Definition &holds = *(*this)[gate].definition;
      const Linear &tested = holds.operands[0];
      if (holds.kind != Definition::Kind::AtLeast0)
        continue;
      if (tested.terms == linear.terms)
        sum.least = std::max(sum.least, linear.constant - tested.constant);
      Linear both = tested;
      if (both.add(linear); both.terms.empty())
        sum.most = std::min(sum.most, both.constant); // linear <= constant - 0
    }
  return sum;
}

Wide Symbols::multiple_of(const Linear &linear) const {
  Wide all = gcd_of(linear.constant, 0);
  for (const auto &[dimension, coefficient] : linear.terms) {
    Wide own = 1;
    if (is_symbol(dimension)) {
      own = static_cast<Wide>((*this)[dimension].alignment);
      if (const auto &definition = (*this)[dimension].definition)
        own = std::max(own, definition->modulus);
    }
    all = gcd_of(all, coefficient * own);
  }
  return all;
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

std::optional<Wide> Symbols::evaluate(const Linear &linear, const Assignment &values) const {
  Wide sum = linear.constant;
  for (const auto &[dimension, coefficient] : linear.terms) {
    if (!is_symbol(dimension))
      return std::nullopt;
    const auto one = evaluate(dimension, values);
    if (!one)
      return std::nullopt;
    sum += coefficient * *one;
  }
  return sum;
}

std::optional<Wide> Symbols::evaluate(DimensionId id, const Assignment &values) const {
  if (const auto given = values.find(id); given != values.end())
    return given->second;
  const auto &definition = (*this)[id].definition;
  if (!definition || definition->kind == Definition::Kind::Quantity)
    return std::nullopt;
  std::vector<Wide> in;
  for (const Linear &operand : definition->operands) {
    const auto value = evaluate(operand, values);
    if (!value)
      return std::nullopt;
    in.push_back(*value);
  }
  switch (definition->kind) {
  case Definition::Kind::CeilDiv: return smem::ceil_div(in[0], definition->divisor);
  case Definition::Kind::AtLeast0: return in[0] >= 0;
  case Definition::Kind::Zero: return in[0] == 0;
  case Definition::Kind::NotZero: return in[0] != 0;
  default: break;
  }
  auto number = [&](std::size_t i) { return canonical(static_cast<std::int64_t>(in[i]), definition->operand_width); };
  if (definition->opcode == Opcode::Select)
    return in[0] != 0 ? in[1] : in[2];
  const auto result = compute(definition->opcode, number(0), number(1), definition->operand_width);
  if (!result)
    return std::nullopt;
  return canonical(*result, definition->width);
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

bool Symbols::rises(DimensionId id, const Assignment &from) const {
  const auto &definition = (*this)[id].definition;
  if (!definition)
    return false;
  if (definition->kind == Definition::Kind::Quantity)
    return true;
  const Linear &first = definition->operands[0];
  if (first.terms.size() != 1 || first.terms[0].second < 0 || !rises(first.terms[0].first, from))
    return false;
  if (definition->kind == Definition::Kind::CeilDiv || definition->kind == Definition::Kind::AtLeast0)
    return true;
  if (definition->kind != Definition::Kind::Operation || definition->operands.size() != 2 ||
      !definition->operands[1].terms.empty())
    return false;
  switch (definition->opcode) {
  case Opcode::AShr: return true;
  case Opcode::SDiv:
  case Opcode::UDiv:
  case Opcode::LShr: {
    const auto start = evaluate(first, from); // as unsigned what is negative would be large
    return start && *start >= 0 && definition->operands[1].constant > 0;
  }
  default: return false;
  }
}

bool Symbols::atomic(DimensionId id) const {
  const Definition &definition = *(*this)[id].definition;
  if (definition.kind != Definition::Kind::Operation)
    return true; // a name, ceil(...), [...]
  switch (definition.opcode) {
  case Opcode::Mul:
  case Opcode::Shl:
  case Opcode::URem:
  case Opcode::SRem: return false;
  default: return true;
  }
}

std::string Symbols::text(const Linear &linear) const {
  std::string out;
  auto put = [&](Wide coefficient, const std::string &what) {
    const bool negative = coefficient < 0;
    const Wide size = negative ? -coefficient : coefficient;
    out += out.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    out += what.empty() ? digits(size) : size == 1 ? what : digits(size) + "*" + what;
  };
  // What is added first: "n - 1", not "-1 + n".
  for (const bool positive : {true, false})
    for (const auto &[dimension, coefficient] : linear.terms)
      if ((coefficient > 0) == positive) {
        const std::string one = text(dimension);
        put(coefficient, atomic(dimension) || coefficient == 1 ? one : std::string("(").append(one).append(")"));
      }
  if (linear.constant != 0 || out.empty())
    put(linear.constant, {});
  return out;
}

std::string Symbols::text(DimensionId id) const {
  const Definition &definition = *(*this)[id].definition;
  auto operand = [&](std::size_t i) { return text(definition.operands[i]); };
  auto grouped = [](const std::string &inner) { return std::string("(").append(inner).append(")"); };
  auto factor = [&](std::size_t i) {
    const Linear &linear = definition.operands[i];
    const bool single = linear.terms.empty() ? linear.constant >= 0
                                             : linear.terms.size() == 1 && linear.terms[0].second == 1 &&
                                                   linear.constant == 0 && atomic(linear.terms[0].first);
    return single ? text(linear) : grouped(text(linear));
  };
  // floor(linear / divisor), as ceil() where that is shorter.
  auto floor_text = [&](Linear linear, Wide divisor) {
    if (linear.constant == divisor - 1) {
      linear.constant = 0;
      Linear moved = linear;
      const bool plain = moved.terms.size() == 1 && moved.terms[0].second == 1 && atomic(moved.terms[0].first);
      return "ceil(" + (plain ? text(linear) : grouped(text(linear))) + "/" + digits(divisor) + ")";
    }
    const bool plain = linear.terms.size() == 1 && linear.terms[0].second == 1 && linear.constant == 0 &&
                       atomic(linear.terms[0].first);
    return "floor(" + (plain ? text(linear) : grouped(text(linear))) + "/" + digits(divisor) + ")";
  };
  switch (definition.kind) {
  case Definition::Kind::Quantity: return definition.name;
  case Definition::Kind::CeilDiv: {
    if (definition.operands[0].constant == 1 - Wide{definition.divisor}) {
      Linear linear = definition.operands[0];
      linear.constant = 0;
      return floor_text(linear, definition.divisor);
    }
    return "ceil(" + factor(0) + "/" + std::to_string(definition.divisor) + ")";
  }
  case Definition::Kind::AtLeast0:
  case Definition::Kind::Zero:
  case Definition::Kind::NotZero: {
    // The constant to the right: [n >= 1].
    Linear left = definition.operands[0];
    Wide right = -left.constant;
    left.constant = 0;
    const char *relation = definition.kind == Definition::Kind::AtLeast0 ? " >= "
                           : definition.kind == Definition::Kind::Zero   ? " == "
                                                                         : " != ";
    if (definition.kind == Definition::Kind::AtLeast0 &&
        std::all_of(left.terms.begin(), left.terms.end(), [](const auto &t) { return t.second < 0; })) {
      left = Linear{}.add(left, -1);
      right = -right;
      relation = " <= ";
    }
    return text(left).append(relation).append(digits(right)).insert(0, "[").append("]");
  }
  case Definition::Kind::Operation: break;
  }
  const auto shift = definition.operands.size() == 2 && definition.operands[1].terms.empty()
                         ? definition.operands[1].constant
                         : Wide{-1};
  switch (definition.opcode) {
  case Opcode::Mul: return factor(0) + "*" + factor(1);
  case Opcode::UDiv:
  case Opcode::SDiv:
    if (const auto of = range(definition.operands[0]);
        definition.opcode == Opcode::SDiv && (!of || of->least < 0 || shift <= 0)) // towards zero
      return "trunc(" + factor(0) + "/" + factor(1) + ")";
    return shift > 0 ? floor_text(definition.operands[0], shift) : "floor(" + factor(0) + "/" + factor(1) + ")";
  case Opcode::LShr:
  case Opcode::AShr:
    return shift >= 0 && shift < 63 ? floor_text(definition.operands[0], Wide{1} << static_cast<int>(shift))
                                    : grouped(operand(0) + " >> " + operand(1));
  case Opcode::Shl: return factor(0) + "*2**" + factor(1);
  case Opcode::URem:
  case Opcode::SRem: return factor(0) + " % " + factor(1);
  case Opcode::And: return grouped(operand(0) + " & " + operand(1));
  case Opcode::Or: return grouped(operand(0) + " | " + operand(1));
  case Opcode::Xor: return grouped(operand(0) + " ^ " + operand(1));
  case Opcode::UMin:
  case Opcode::SMin: return "min(" + operand(0) + ", " + operand(1) + ")";
  case Opcode::UMax:
  case Opcode::SMax: return "max(" + operand(0) + ", " + operand(1) + ")";
  case Opcode::Select: return "select(" + operand(0) + ", " + operand(1) + ", " + operand(2) + ")";
  default: return "?";
  }
}

} // namespace smem
