// Symbols as a reader is shown them.
#include "symbols.h"

#include <algorithm>

namespace smem {

std::string decimal(Wide value) {
  std::string out;
  if (value < 0)
    return out.append("-").append(decimal(-value));
  do
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(value % 10))), value /= 10;
  while (value);
  return out;
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
    out += what.empty() ? decimal(size) : size == 1 ? what : decimal(size) + "*" + what;
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
      return "ceil(" + (plain ? text(linear) : grouped(text(linear))) + "/" + decimal(divisor) + ")";
    }
    const bool plain = linear.terms.size() == 1 && linear.terms[0].second == 1 && linear.constant == 0 &&
                       atomic(linear.terms[0].first);
    return "floor(" + (plain ? text(linear) : grouped(text(linear))) + "/" + decimal(divisor) + ")";
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
    return text(left).append(relation).append(decimal(right)).insert(0, "[").append("]");
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
