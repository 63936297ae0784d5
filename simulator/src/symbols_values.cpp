// What symbols are for given values of the quantities that they are made of.
#include "symbols.h"

#include "smem/integer_division.h"

namespace smem {

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

} // namespace smem
