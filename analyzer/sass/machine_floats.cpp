// Floating-point instructions, as far as addresses and conditions are made of them.
#include "sass/machine_lowering.h"

#include <algorithm>
#include <bit>
#include <limits>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>

namespace smem::compiled {
namespace {

using Kind = MachineOperand::Kind;

/// The modifiers of an opcode: all of them have to be understood.
class Modifiers {
public:
  explicit Modifiers(llvm::StringRef opcode) { opcode.split('.').second.split(left_, '.', -1, false); }

  bool take(llvm::StringRef name) {
    auto *const found = std::find(left_.begin(), left_.end(), name);
    if (found == left_.end())
      return false;
    left_.erase(found);
    return true;
  }
  /// The first of these that is there; empty if none is.
  llvm::StringRef take_any(std::initializer_list<llvm::StringRef> names) {
    for (const llvm::StringRef name : names)
      if (take(name))
        return name;
    return {};
  }
  bool empty() const { return left_.empty(); }

private:
  llvm::SmallVector<llvm::StringRef, 6> left_;
};

/// By the names of these directions; to the nearest where there is none.
Rounding take_rounding(Modifiers &modifiers, llvm::StringRef toward_zero = "RZ", llvm::StringRef down = "RM",
                       llvm::StringRef up = "RP") {
  for (const auto &[name, rounding] :
       {std::pair(toward_zero, Rounding::TowardZero), std::pair(down, Rounding::Down), std::pair(up, Rounding::Up)})
    if (modifiers.take(name))
      return rounding;
  return Rounding::NearestEven;
}

Rounding take_whole_rounding(Modifiers &modifiers) { return take_rounding(modifiers, "TRUNC", "FLOOR", "CEIL"); }

} // namespace

/// An operand with its sign changed or taken off; nothing for one that is not understood.
std::optional<RegisterId> MachineLowering::floating_operand(const MachineOperand &operand, std::uint8_t width) {
  if (is_predicate(operand) || !operand.part.empty() || operand.inverted || operand.indexed)
    return std::nullopt;
  RegisterId value = kNone;
  if (operand.kind == Kind::Register || operand.kind == Kind::Constant) {
    MachineOperand plain = operand;
    plain.negated = plain.absolute = false;
    value = width == 64 ? wide(plain) : word(plain);
  } else {
    const bool infinite = operand.text == "+INF" || operand.text == "-INF" || operand.text == "INF";
    if (!infinite && !(operand.kind == Kind::Immediate && operand.decimal))
      return std::nullopt;
    const double number =
        infinite ? std::numeric_limits<double>::infinity() * (operand.text == "-INF" ? -1 : 1) : operand.number;
    return builder_.constant(width, width == 64 ? std::bit_cast<std::int64_t>(number)
                                                : std::bit_cast<std::int32_t>(static_cast<float>(number)));
  }
  const auto sign = static_cast<std::int64_t>(std::uint64_t{1} << (width - 1));
  if (operand.absolute)
    value = builder_.bit_and(value, ~sign);
  return operand.negated ? builder_.emit(Opcode::Xor, width, {value, builder_.constant(width, sign)}) : value;
}

void MachineLowering::write_floating(const MachineOperand &to, RegisterId value) {
  if (builder_.width(value) == 64)
    write_wide(to, value);
  else
    write(to, value);
}

/// False for what is not followed.
bool MachineLowering::lower_floating(std::string_view base, const ListedInstruction &instruction, const Operands &o) {
  if (base == "FSETP" || base == "DSETP")
    return lower_floating_compare(base, instruction, o);
  if (base == "I2F" || base == "I2FP" || base == "F2I" || base == "F2F" || base == "FRND")
    return o.size() == 2 && !is_predicate(o[0]) && lower_conversion(base, instruction, o);
  if (base == "HADD2")
    return lower_half_widening(instruction, o);
  struct Known {
    Opcode opcode;
    std::size_t operands;
    std::uint8_t width;
  };
  const auto known = llvm::StringSwitch<std::optional<Known>>(llvm::StringRef(base.data(), base.size()))
                         .Case("FADD", Known{Opcode::FAdd, 3, 32})
                         .Case("FMUL", Known{Opcode::FMul, 3, 32})
                         .Case("FFMA", Known{Opcode::FFma, 4, 32})
                         .Case("FSEL", Known{Opcode::Select, 4, 32})
                         .Case("FMNMX", Known{Opcode::FMin, 4, 32})
                         .Case("DADD", Known{Opcode::FAdd, 3, 64})
                         .Case("DMUL", Known{Opcode::FMul, 3, 64})
                         .Case("DFMA", Known{Opcode::FFma, 4, 64})
                         .Default(std::nullopt);
  if (!known || o.size() != known->operands || is_predicate(o[0]))
    return false;
  Modifiers modifiers(instruction.opcode);
  const bool chooses = known->opcode == Opcode::Select || known->opcode == Opcode::FMin;
  FloatMode mode;
  if (!chooses)
    mode.rounding = take_rounding(modifiers);
  if (known->opcode != Opcode::Select)
    mode.flushes = known->width == 32 && modifiers.take("FTZ");
  if (!modifiers.empty() || (chooses && !is_predicate(o[3])))
    return false;
  std::vector<RegisterId> in;
  for (std::size_t i = 1; i < (chooses ? 3 : o.size()); ++i) {
    const auto operand = floating_operand(o[i], known->width);
    if (!operand)
      return false;
    in.push_back(*operand);
  }
  const auto emit = [&](Opcode opcode) { return builder_.emit(opcode, known->width, in, kNone, mode.pack()); };
  if (known->opcode == Opcode::Select)
    write(o[0], builder_.select(truth(o[3]), in[0], in[1]));
  else if (known->opcode == Opcode::FMin)
    write(o[0], builder_.select(truth(o[3]), emit(Opcode::FMin), emit(Opcode::FMax)));
  else
    write_floating(o[0], emit(known->opcode));
  return true;
}

/// FSETP.LT.AND p, q, a, b, c: p = (a < b) and c, q = not (a < b) and c. With U it also holds where an operand is not a number.
bool MachineLowering::lower_floating_compare(std::string_view base, const ListedInstruction &instruction,
                                             const Operands &o) {
  if (o.size() != 5 || !is_predicate(o[0]) || !is_predicate(o[1]) || !is_predicate(o[4]))
    return false;
  const std::uint8_t width = base == "DSETP" ? 64 : 32;
  Modifiers modifiers(instruction.opcode);
  FloatMode mode;
  mode.flushes = modifiers.take("FTZ");
  const llvm::StringRef how =
      modifiers.take_any({"LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU"});
  const llvm::StringRef joined = modifiers.take_any({"AND", "OR", "XOR"});
  const auto a = floating_operand(o[2], width), b = floating_operand(o[3], width);
  if (!modifiers.empty() || how.empty() || joined.empty() || !a || !b)
    return false;
  const auto compare = [&](Opcode opcode, RegisterId x, RegisterId y) {
    return builder_.emit(opcode, 1, {x, y}, kNone, mode.pack());
  };
  const auto either = [&](RegisterId x, RegisterId y) { return builder_.emit(Opcode::Or, 1, {x, y}); };
  const RegisterId not_numbers = either(compare(Opcode::FNe, *a, *a), compare(Opcode::FNe, *b, *b));
  RegisterId holds = kNone;
  if (how == "NUM" || how == "NAN") {
    holds = how == "NAN" ? not_numbers : builder_.logical_not(not_numbers);
  } else {
    const llvm::StringRef ordered = how.take_front(2);
    holds = ordered == "LT"   ? compare(Opcode::FLt, *a, *b)
            : ordered == "LE" ? compare(Opcode::FLe, *a, *b)
            : ordered == "GT" ? compare(Opcode::FLt, *b, *a)
            : ordered == "GE" ? compare(Opcode::FLe, *b, *a)
            : ordered == "EQ" ? compare(Opcode::FEq, *a, *b)
                              : either(compare(Opcode::FLt, *a, *b), compare(Opcode::FLt, *b, *a));
    if (how.ends_with("U"))
      holds = either(holds, not_numbers);
  }
  const Opcode join = joined == "AND" ? Opcode::And : joined == "OR" ? Opcode::Or : Opcode::Xor;
  const RegisterId further = truth(o[4]);
  const RegisterId opposite = builder_.logical_not(holds);
  write(o[0], builder_.emit(join, 1, {holds, further}));
  write(o[1], builder_.emit(join, 1, {opposite, further}));
  return true;
}

/// `HADD2.F32 R, -RZ, R.H0_H0`: a number of 16 bits in 32.
bool MachineLowering::lower_half_widening(const ListedInstruction &instruction, const Operands &o) {
  Modifiers modifiers(instruction.opcode);
  const bool adds_nothing =
      o.size() == 3 && o[1].kind == Kind::Register && o[1].reg.constant && o[1].negated && o[1].part.empty();
  if (!adds_nothing || is_predicate(o[0]) || !modifiers.take("F32") || !modifiers.empty() ||
      o[2].kind != Kind::Register || (o[2].part != "H0_H0" && o[2].part != "H1_H1"))
    return false;
  MachineOperand plain = o[2];
  plain.part.clear();
  plain.negated = plain.absolute = false;
  RegisterId value = word(plain);
  if (o[2].part == "H1_H1")
    value = builder_.emit(Opcode::LShr, 32, {value, builder_.constant(32, 16)});
  value = builder_.emit(Opcode::FResize, 32, {builder_.resize(value, 16, false)}, kNone, FloatMode{}.pack());
  constexpr std::int64_t kSign = 0x80000000;
  if (o[2].absolute)
    value = builder_.bit_and(value, ~kSign);
  write(o[0], o[2].negated ? builder_.emit(Opcode::Xor, 32, {value, builder_.constant(32, kSign)}) : value);
  return true;
}

/// Between integers and numbers, numbers of two widths, and to whole numbers.
bool MachineLowering::lower_conversion(std::string_view base, const ListedInstruction &instruction, const Operands &o) {
  Modifiers modifiers(instruction.opcode);
  FloatMode mode;
  mode.flushes = modifiers.take("FTZ");
  const auto emit = [&](Opcode opcode, std::uint8_t width, RegisterId value, Rounding rounding) {
    return builder_.emit(opcode, width, {value}, kNone, FloatMode{rounding, mode.flushes}.pack());
  };
  if (base == "F2F") {
    const bool narrows =
        instruction.opcode.starts_with("F2F.F32.F64") || instruction.opcode.starts_with("F2F.FTZ.F32.F64");
    const std::uint8_t from = narrows ? 64 : 32;
    if (!modifiers.take("F32") || !modifiers.take("F64"))
      return false;
    const Rounding rounding = take_rounding(modifiers);
    const auto value = floating_operand(o[1], from);
    if (!modifiers.empty() || !value)
      return false;
    write_floating(o[0], emit(Opcode::FResize, narrows ? 32 : 64, *value, rounding));
    return true;
  }
  if (base == "FRND") {
    const std::uint8_t width = modifiers.take("F64") ? 64 : 32;
    const Rounding rounding = take_whole_rounding(modifiers);
    const auto value = floating_operand(o[1], width);
    if (!modifiers.empty() || !value)
      return false;
    write_floating(o[0], emit(Opcode::FRound, width, *value, rounding));
    return true;
  }
  if (base == "F2I") {
    const bool wide_source = modifiers.take("F64"), zero_of_no_number = modifiers.take("NTZ");
    const Rounding rounding = take_whole_rounding(modifiers);
    const llvm::StringRef type = modifiers.take_any({"U32", "S32", "U64", "S64"});
    const std::uint8_t from = wide_source ? 64 : 32, to = type.ends_with("64") ? 64 : 32;
    const auto value = floating_operand(o[1], from);
    if (!modifiers.empty() || !value || (from == 32 && to == 32 && !zero_of_no_number))
      return false;
    const RegisterId whole = rounding == Rounding::TowardZero ? *value : emit(Opcode::FRound, from, *value, rounding);
    write_floating(o[0], emit(type.starts_with("U") ? Opcode::FToU : Opcode::FToS, to, whole, Rounding::NearestEven));
    return true;
  }
  const Rounding rounding = take_rounding(modifiers);
  const std::uint8_t to = modifiers.take("F64") ? 64 : 32;
  modifiers.take("F32");
  const llvm::StringRef type = modifiers.take_any({"U32", "S32", "U64", "S64", "U16", "S16", "U8", "S8"});
  if (!modifiers.empty() || !o[1].part.empty() || o[1].absolute)
    return false;
  const auto from = llvm::StringSwitch<std::uint8_t>(type.drop_front(type.empty() ? 0 : 1))
                        .Case("64", 64)
                        .Case("16", 16)
                        .Case("8", 8)
                        .Default(32);
  const RegisterId value = from == 64 ? wide(o[1]) : builder_.resize(word(o[1]), from, false);
  write_floating(o[0], builder_.emit(type.starts_with("U") ? Opcode::UToF : Opcode::SToF, to, {value}, kNone,
                                     FloatMode{rounding, false}.pack()));
  return true;
}

} // namespace smem::compiled
