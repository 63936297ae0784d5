// Between which bounds symbols are, and what they are multiples of.
#include "symbols.h"

#include <algorithm>

#include "smem/integer_division.h"

namespace smem {

std::optional<Range> Symbols::range(DimensionId id) const {
  const auto &definition = (*this)[id].definition;
  if (!definition)
    return std::nullopt;
  if (const auto known = ranges_.find(id); known != ranges_.end())
    return known->second;
  return ranges_[id] = range_of(*definition);
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

} // namespace smem
