// Arithmetic, logic, comparisons and conversions of inline PTX: what addresses and predicates are computed with.
#include "ir/ptx_lowering.h"

#include <array>
#include <optional>
#include <utility>

#include "ptx/ptx_names.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

/// One source, one operation.
constexpr std::array<std::pair<std::string_view, Opcode>, 3> kUnary{{
    {"popc", Opcode::Popcount},
    {"clz", Opcode::CountLeadingZeros},
    {"brev", Opcode::ReverseBits},
}};

struct BinaryOpcodes {
  Opcode of_unsigned, of_signed;
};

constexpr std::array<std::pair<std::string_view, BinaryOpcodes>, 9> kBinary{{
    {"add", {Opcode::Add, Opcode::Add}},
    {"sub", {Opcode::Sub, Opcode::Sub}},
    {"div", {Opcode::UDiv, Opcode::SDiv}},
    {"rem", {Opcode::URem, Opcode::SRem}},
    {"min", {Opcode::UMin, Opcode::SMin}},
    {"max", {Opcode::UMax, Opcode::SMax}},
    {"and", {Opcode::And, Opcode::And}},
    {"or", {Opcode::Or, Opcode::Or}},
    {"xor", {Opcode::Xor, Opcode::Xor}},
}};

/// `.rz`, `.rm`, …; with `suffix` i those that make whole numbers.
std::optional<Rounding> rounding_of(const ptx::Instruction &instruction, const std::string &suffix) {
  constexpr std::array<std::pair<std::string_view, Rounding>, 4> roundings{
      {{"rn", Rounding::NearestEven}, {"rz", Rounding::TowardZero}, {"rm", Rounding::Down}, {"rp", Rounding::Up}}};
  for (const auto &[name, rounding] : roundings)
    if (instruction.has(std::string(name) + suffix))
      return rounding;
  return std::nullopt;
}

} // namespace

bool PtxLowering::lower_computation(const ptx::Instruction &instruction) {
  const std::string &head = instruction.opcode[0];
  const auto &operands = instruction.operands;
  if (operands.empty())
    return true;
  const auto types = ptx::types_of(instruction);
  const std::string_view type = types.empty() ? std::string_view("b32") : types.back();
  const auto width = static_cast<std::uint8_t>(ptx::type_width(type));
  if (head == "mov")
    return operands.size() == 2 && (write(operands[0], move_source(operands[1], width)), true);
  if (width > 64)
    return false;
  if (head == "activemask")
    return write(operands[0], builder_.emit(Opcode::ActiveMask, 32, {})), true;
  if (head == "shfl" || head == "vote" || head == "match" || head == "redux" || head == "elect")
    return lower_exchange(instruction);
  if (operands.size() < 2)
    return false;
  if (head == "mapa" && operands.size() == 3)
    return write(operands[0], lowering_.map_to_block(read(operands[1], width), read(operands[2], 32))), true;
  if (head == "cvt")
    return lower_conversion(instruction, types);
  if (head == "cvta")
    return lower_space_conversion(instruction);
  if (instruction.has("sat") || instruction.has("cc") || head == "addc" || head == "subc" || head == "madc" ||
      ptx::is_packed(type) || (ptx::is_float(type) && head != "selp" && width != 32 && width != 64))
    return false;
  return lower_arithmetic(instruction, type, width);
}

Registers PtxLowering::move_source(const ptx::Operand &source, std::uint8_t width) {
  if (source.kind == Kind::Immediate)
    return {read(source, width ? width : 32)};
  Registers row = read_row(source);
  if (source.kind == Kind::Name && source.negated)
    row = {read(source, 1)};
  return row;
}

bool PtxLowering::lower_arithmetic(const ptx::Instruction &instruction, std::string_view type, std::uint8_t width) {
  const std::string &head = instruction.opcode[0];
  const auto &operands = instruction.operands;
  const bool sign = ptx::is_signed(type), real = ptx::is_float(type);
  const auto in = [&](std::size_t i) { return read(operands[i], width, sign); };
  const auto out = [&](RegisterId value) { return write(operands[0], value, sign), true; };
  const auto emit = [&](Opcode opcode, RegisterId a, RegisterId b) {
    return builder_.emit(opcode, builder_.width(a), {a, b});
  };
  const std::size_t sources = operands.size() - 1;

  if (head == "setp" && sources >= 2)
    return lower_comparison(instruction, type, width);
  if (head == "selp" && sources == 3)
    return out(builder_.select(predicate(operands[3]), in(1), in(2)));
  if (const Opcode *unary = ptx::find(kUnary, head); unary && sources == 1)
    return out(builder_.emit(*unary, width, {in(1)}));
  if (head == "not" && sources == 1)
    return out(emit(Opcode::Xor, in(1), builder_.constant(width, -1)));
  if (real && head != "mov")
    return lower_real(instruction, width);
  if (head == "neg" && sources == 1)
    return out(emit(Opcode::Sub, builder_.constant(width, 0), in(1)));
  if (head == "abs" && sources == 1) {
    const RegisterId x = in(1), zero = builder_.constant(width, 0);
    return out(builder_.select(builder_.compare(Opcode::SLt, x, zero), emit(Opcode::Sub, zero, x), x));
  }
  if (const BinaryOpcodes *binary = ptx::find(kBinary, head); binary && sources == 2) {
    const Opcode opcode = sign ? binary->of_signed : binary->of_unsigned;
    const std::uint32_t place = head == "div" || head == "rem" ? lowering_.place(call_) : kNone;
    const RegisterId result = builder_.emit(opcode, width, {in(1), in(2)}, place);
    return out(instruction.has("relu") ? builder_.emit(Opcode::SMax, width, {result, builder_.constant(width, 0)})
                                       : result);
  }
  if ((head == "mul" && sources == 2) || ((head == "mad" || head == "mul24" || head == "mad24") && sources == 3)) {
    RegisterId product;
    if (instruction.has("wide")) {
      const auto twice = static_cast<std::uint8_t>(2 * width);
      if (twice > 64)
        return false;
      product = emit(Opcode::Mul, builder_.resize(in(1), twice, sign), builder_.resize(in(2), twice, sign));
      if (head == "mad")
        product = builder_.add(product, read(operands[3], twice, sign));
      return out(product);
    }
    if (head == "mul24" || head == "mad24")
      return false;
    product = emit(!instruction.has("hi") ? Opcode::Mul : sign ? Opcode::SMulHigh : Opcode::UMulHigh, in(1), in(2));
    return out(head == "mad" ? builder_.add(product, in(3)) : product);
  }
  if ((head == "shl" || head == "shr") && sources == 2) {
    const RegisterId x = in(1), amount = read(operands[2], 32);
    // Amounts beyond the width act like the width.
    const RegisterId last = builder_.constant(32, width - 1);
    const RegisterId small = builder_.compare(Opcode::ULe, amount, last);
    const Opcode opcode = head == "shl" ? Opcode::Shl : sign ? Opcode::AShr : Opcode::LShr;
    const auto known = builder_.constant_value(amount);
    const auto shifted = [&](RegisterId by) { return emit(opcode, x, builder_.resize(by, width, false)); };
    const RegisterId beyond = opcode == Opcode::AShr ? shifted(last) : builder_.constant(width, 0);
    if (known)
      return out(*known >= 0 && *known < width ? shifted(amount) : beyond);
    return out(builder_.select(small, shifted(builder_.bit_and(amount, width - 1)), beyond));
  }
  if (head == "shf" && sources == 3 && width == 32) {
    const RegisterId amount = read(operands[3], 32);
    const auto known = builder_.constant_value(amount);
    if (!instruction.has("wrap") && (!known || *known < 0 || *known > 31))
      return false;
    return out(builder_.emit(instruction.has("l") ? Opcode::FunnelLeft : Opcode::FunnelRight, 32,
                             {in(2), in(1), builder_.bit_and(amount, 31)}));
  }
  if (head == "lop3" && sources >= 4)
    return lower_logic(instruction);
  if (head == "bfe" && sources == 3) {
    const auto from = builder_.constant_value(read(operands[2], 32)),
               count = builder_.constant_value(read(operands[3], 32));
    if (!from || !count || *from < 0 || *count <= 0 || *from + *count > width)
      return false;
    const RegisterId up = emit(Opcode::Shl, in(1), builder_.constant(width, width - *from - *count));
    return out(emit(sign ? Opcode::AShr : Opcode::LShr, up, builder_.constant(width, width - *count)));
  }
  if (head == "bfi" && sources == 4) {
    const auto from = builder_.constant_value(read(operands[3], 32)),
               count = builder_.constant_value(read(operands[4], 32));
    if (!from || !count || *from < 0 || *count <= 0 || *from + *count > width || *count > 63)
      return false;
    const std::int64_t mask = static_cast<std::int64_t>(((std::uint64_t{1} << *count) - 1) << *from);
    const RegisterId field = emit(Opcode::Shl, in(1), builder_.constant(width, *from));
    return out(emit(Opcode::Or, builder_.bit_and(field, mask), builder_.bit_and(in(2), ~mask)));
  }
  if (head == "prmt" && sources == 3 && instruction.opcode.size() == 2)
    if (const auto permuted = lowering_.permute_bytes(in(1), in(2), read(operands[3], 32)))
      return out(*permuted);
  return false;
}

bool PtxLowering::lower_logic(const ptx::Instruction &instruction) {
  const auto table = builder_.constant_value(read(instruction.operands[4], 32));
  if (!table || instruction.operands.size() != 5)
    return false;
  const std::array<RegisterId, 3> in{read(instruction.operands[1], 32), read(instruction.operands[2], 32),
                                     read(instruction.operands[3], 32)};
  RegisterId result = builder_.constant(32, 0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(*table >> row & 1))
      continue;
    RegisterId product = builder_.constant(32, -1);
    for (unsigned i = 0; i < 3; ++i) {
      const bool plain = row >> (2 - i) & 1;
      product =
          builder_.emit(Opcode::And, 32,
                        {plain ? in[i] : builder_.emit(Opcode::Xor, 32, {in[i], builder_.constant(32, -1)}), product});
    }
    result = builder_.emit(Opcode::Or, 32, {product, result});
  }
  write(instruction.operands[0], result);
  return true;
}

/// Arithmetic of floating-point numbers. Products and sums that do not say how they round may be fused, here as elsewhere.
bool PtxLowering::lower_real(const ptx::Instruction &instruction, std::uint8_t width) {
  const std::string &head = instruction.opcode[0];
  const auto &operands = instruction.operands;
  FloatLowering &floats = lowering_.floats_;
  if ((!floats.flushes() && instruction.has("ftz")) || instruction.has("relu"))
    return false;
  const std::optional<Rounding> rounding = rounding_of(instruction, "");
  const Rounding rounds = rounding.value_or(Rounding::NearestEven);
  const auto in = [&](std::size_t i) { return read(operands[i], width); };
  const auto out = [&](RegisterId value) { return write(operands[0], value), true; };
  const std::size_t sources = operands.size() - 1;
  if (head == "neg" && sources == 1)
    return out(floats.negate(in(1)));
  if (head == "abs" && sources == 1)
    return out(floats.absolute(in(1)));
  if (head == "fma" && sources == 3)
    return out(floats.emit(Opcode::FFma, width, {in(1), in(2), in(3)}, rounds));
  if (sources == 1)
    return head == "sqrt" && rounding == Rounding::NearestEven && out(floats.emit(Opcode::FSqrt, width, {in(1)}));
  if (sources != 2 || instruction.has("NaN") || instruction.has("xorsign") || instruction.has("abs"))
    return false;
  const bool contracts = !rounding;
  if (head == "add" || head == "sub" || head == "mul") {
    const std::string where = lowering_.at_line(call_);
    if (!contracts)
      return out(head == "mul"
                     ? floats.emit(Opcode::FMul, width, {in(1), in(2)}, rounds)
                     : floats.emit(Opcode::FAdd, width, {in(1), head == "add" ? in(2) : floats.negate(in(2))}, rounds));
    return out(head == "mul"   ? floats.multiply(in(1), in(2), true)
               : head == "add" ? floats.add(in(1), in(2), true, where)
                               : floats.subtract(in(1), in(2), true, where));
  }
  if (head == "div")
    return rounding == Rounding::NearestEven && out(floats.emit(Opcode::FDiv, width, {in(1), in(2)}));
  if (head == "min" || head == "max")
    return out(floats.emit(head == "min" ? Opcode::FMin : Opcode::FMax, width, {in(1), in(2)}));
  return false;
}

bool PtxLowering::lower_comparison(const ptx::Instruction &instruction, std::string_view type, std::uint8_t width) {
  const auto &operands = instruction.operands;
  const bool real = ptx::is_float(type), sign = ptx::is_signed(type);
  const std::string &how = instruction.opcode.size() > 1 ? instruction.opcode[1] : instruction.opcode[0];
  const RegisterId a = read(operands[1], width, sign), b = read(operands[2], width, sign);
  const Opcode equal = real ? Opcode::FEq : Opcode::Eq,
               less = real   ? Opcode::FLt
                      : sign ? Opcode::SLt
                             : Opcode::ULt,
               at_most = real   ? Opcode::FLe
                         : sign ? Opcode::SLe
                                : Opcode::ULe;
  if (real && instruction.has("ftz") && !lowering_.floats_.flushes())
    return false;
  const auto compare = [&](Opcode opcode, RegisterId x, RegisterId y) {
    return real ? lowering_.floats_.compare(opcode, x, y) : builder_.compare(opcode, x, y);
  };
  RegisterId result;
  // PTX's comparisons of numbers are false where one is NaN, those with a `u` behind true.
  if (how == "eq")
    result = compare(equal, a, b);
  else if (how == "neu" && real)
    result = compare(Opcode::FNe, a, b);
  else if (how == "ne")
    result =
        real ? builder_.emit(Opcode::Or, 1, {compare(less, a, b), compare(less, b, a)}) : compare(Opcode::Ne, a, b);
  else if (how == "lt" || how == "lo")
    result = compare(how == "lo" ? Opcode::ULt : less, a, b);
  else if (how == "le" || how == "ls")
    result = compare(how == "ls" ? Opcode::ULe : at_most, a, b);
  else if (how == "gt" || how == "hi")
    result = compare(how == "hi" ? Opcode::ULt : less, b, a);
  else if (how == "ge" || how == "hs")
    result = compare(how == "hs" ? Opcode::ULe : at_most, b, a);
  else
    return false;
  RegisterId opposite = builder_.logical_not(result);
  if (operands.size() > 3) {
    const RegisterId other = predicate(operands[3]);
    const Opcode join = instruction.has("and") ? Opcode::And : instruction.has("or") ? Opcode::Or : Opcode::Xor;
    result = builder_.emit(join, 1, {result, other});
    opposite = builder_.emit(join, 1, {opposite, other});
  }
  if (operands[0].kind == Kind::Pair) {
    write(operands[0].parts[0], result);
    write(operands[0].parts[1], opposite);
  } else {
    write(operands[0], result);
  }
  return true;
}

bool PtxLowering::lower_conversion(const ptx::Instruction &instruction, const std::vector<std::string_view> &types) {
  if (types.size() != 2 || instruction.operands.size() != 2 || instruction.has("sat") || instruction.has("pack"))
    return false;
  const std::string_view to = types[0], from = types[1];
  const auto to_width = static_cast<std::uint8_t>(ptx::type_width(to)),
             from_width = static_cast<std::uint8_t>(ptx::type_width(from));
  const RegisterId source = read(instruction.operands[1], from_width, ptx::is_signed(from));
  FloatLowering &floats = lowering_.floats_;
  if (!floats.flushes() && instruction.has("ftz"))
    return false;
  const auto fits = [](std::string_view type) { return type == "f32" || type == "f64"; };
  if (!ptx::is_float(to) && !ptx::is_float(from)) {
    write(instruction.operands[0], builder_.resize(source, to_width, ptx::is_signed(from)), ptx::is_signed(to));
    return true;
  }
  if ((ptx::is_float(to) && !fits(to)) || (ptx::is_float(from) && !fits(from) && !(from == "f16" && fits(to))))
    return false;
  if (!ptx::is_float(to)) {
    const auto whole = rounding_of(instruction, "i");
    if (!whole)
      return false;
    const RegisterId rounded =
        *whole == Rounding::TowardZero ? source : floats.emit(Opcode::FRound, from_width, {source}, *whole);
    write(instruction.operands[0], floats.emit(ptx::is_signed(to) ? Opcode::FToS : Opcode::FToU, to_width, {rounded}),
          ptx::is_signed(to));
    return true;
  }
  const Opcode opcode = ptx::is_float(from) ? Opcode::FResize : ptx::is_signed(from) ? Opcode::SToF : Opcode::UToF;
  if (opcode == Opcode::FResize && to_width == from_width) {
    const auto whole = rounding_of(instruction, "i");
    if (whole)
      write(instruction.operands[0], floats.emit(Opcode::FRound, to_width, {source}, *whole));
    return whole.has_value();
  }
  write(instruction.operands[0],
        floats.emit(opcode, to_width, {source}, rounding_of(instruction, "").value_or(Rounding::NearestEven)));
  return true;
}

bool PtxLowering::lower_space_conversion(const ptx::Instruction &instruction) {
  const auto types = ptx::types_of(instruction);
  const std::uint8_t width =
      types.empty() ? std::uint8_t{64} : static_cast<std::uint8_t>(ptx::type_width(types.back()));
  RegisterId value = builder_.resize(read(instruction.operands[1], width), 64, false);
  if (ptx::space_of(instruction) == AddressSpace::Shared)
    value = builder_.emit(instruction.has("to") ? Opcode::GenericToShared : Opcode::SharedToGeneric, 64, {value});
  write(instruction.operands[0], value);
  return true;
}

} // namespace smem::lower
