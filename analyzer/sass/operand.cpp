#include "sass/operand.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

namespace smem::compiled {
namespace {

using llvm::StringRef;

std::optional<std::int64_t> integer(StringRef text) {
  const bool minus = text.consume_front("-");
  std::uint64_t bits = 0;
  if (!text.starts_with("0x") || text.getAsInteger(0, bits))
    return std::nullopt;
  return static_cast<std::int64_t>(minus ? 0 - bits : bits);
}

/// What is in the brackets of `[R4.X4+UR5+0x10]`.
bool parse_address(StringRef text, MachineOperand &operand) {
  llvm::SmallVector<StringRef, 4> parts;
  text.split(parts, '+');
  for (StringRef part : parts) {
    if (const auto offset = integer(part)) {
      operand.value += *offset;
      continue;
    }
    const auto [name, suffix] = part.split('.');
    const auto reg = parse_register(std::string_view(name.data(), name.size()));
    if (!reg)
      return false;
    MachineOperand::Summand summand{*reg, 1};
    if (StringRef scale = suffix; scale.consume_front("X") && scale.getAsInteger(10, summand.scale))
      return false;
    operand.summands.push_back(summand);
  }
  return true;
}

} // namespace

std::optional<MachineRegister> parse_register(std::string_view name) {
  StringRef text(name.data(), name.size());
  MachineRegister reg;
  const bool uniform = text.consume_front("U");
  if (text == "RZ" || text == "PT") {
    reg.constant = true;
    reg.bank =
        text == "RZ" ? (uniform ? Bank::Uniform : Bank::General) : (uniform ? Bank::UniformPredicate : Bank::Predicate);
    return reg;
  }
  if (text.consume_front("R"))
    reg.bank = uniform ? Bank::Uniform : Bank::General;
  else if (text.consume_front("P"))
    reg.bank = uniform ? Bank::UniformPredicate : Bank::Predicate;
  else
    return std::nullopt;
  if (text.getAsInteger(10, reg.number) || reg.number > 255)
    return std::nullopt;
  return reg;
}

MachineOperand parse_operand(std::string_view printed) {
  using Kind = MachineOperand::Kind;
  MachineOperand operand;
  operand.text = printed;
  StringRef text(printed.data(), printed.size());
  if (text.consume_front("`(")) {
    operand.kind = Kind::Label;
    operand.text = text.drop_back().str();
    return operand;
  }
  if (const auto value = integer(text)) {
    operand.kind = Kind::Immediate;
    operand.value = *value;
    return operand;
  }
  double number = 0;
  if (!text.empty() && (llvm::isDigit(text.back()) || text.back() == '.') && !text.getAsDouble(number)) {
    operand.kind = Kind::Immediate;
    operand.decimal = true;
    operand.number = number;
    return operand;
  }
  operand.negated = text.consume_front("-") || text.consume_front("!");
  operand.inverted = text.consume_front("~");
  std::string without_bars;
  if (const std::size_t end = text.starts_with("|") ? text.find('|', 1) : llvm::StringRef::npos;
      end != llvm::StringRef::npos) { // |R4|, |R4|.H1_H1
    operand.absolute = true;
    without_bars = (text.slice(1, end) + text.drop_front(end + 1)).str();
    text = without_bars;
  }
  if (text.consume_front("desc[")) // a descriptor of the memory's caching, which decides nothing here
    text = text.drop_front(text.find(']') + 1);
  if (text.starts_with("[") && text.ends_with("]")) {
    if (parse_address(text.drop_front().drop_back(), operand))
      operand.kind = Kind::Memory;
    return operand;
  }
  if (text.consume_front("c[")) {
    auto [bank, offset] = text.split("][");
    if (bank.getAsInteger(0, operand.bank) || !offset.consume_back("]"))
      return operand;
    MachineOperand inside;
    if (!parse_address(offset, inside) || inside.summands.size() > 1)
      return operand;
    operand.kind = Kind::Constant;
    operand.value = inside.value;
    if (!inside.summands.empty() && !inside.summands[0].reg.constant) {
      operand.indexed = true;
      operand.reg = inside.summands[0].reg;
    }
    return operand;
  }
  if (text.starts_with("SR_") || text == "SRZ") {
    operand.kind = Kind::Special;
    operand.text = text.str();
    return operand;
  }
  const auto [name, part] = text.split('.');
  if (const auto reg = parse_register(std::string_view(name.data(), name.size()))) {
    operand.kind = Kind::Register;
    operand.reg = *reg;
    if (part != "64")
      operand.part = part.str();
  }
  return operand;
}

} // namespace smem::compiled
