// Instructions of integers: what addresses, conditions and trip counts are made of.
#include "sass/machine_lowering.h"

#include <algorithm>

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/StringSwitch.h>

#include "sass/machine_logic.h"

namespace smem::compiled {
namespace {

using Kind = MachineOperand::Kind;

/// The instruction of the vector unit that does the same: UIADD3 is IADD3 for a whole warp.
std::string_view without_uniform(std::string_view base) {
  constexpr std::array<std::string_view, 21> kUniform{
      "UMOV",  "UIADD3", "UIMAD", "ULEA",  "ULOP3", "USHF",  "USEL",   "UISETP",  "UPLOP3", "UPRMT",     "UFLO",
      "UPOPC", "ULDC",   "LDCU",  "UBREV", "UIABS", "USGXT", "UVIADD", "UVIMNMX", "VOTEU",  "UVIADDMNMX"};
  if (std::find(kUniform.begin(), kUniform.end(), base) == kUniform.end())
    return base;
  return base == "VOTEU" ? "VOTE" : base == "LDCU" ? "LDC" : base.substr(1);
}

/// Bits of a half-precision number.
std::int64_t half_bits(double number) {
  llvm::APFloat value(number);
  bool lost = false;
  value.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return static_cast<std::int64_t>(value.bitcastToAPInt().getZExtValue());
}

} // namespace

bool MachineLowering::lower_arithmetic(std::string_view printed, const ListedInstruction &instruction,
                                       const Operands &o) {
  const std::string_view base = without_uniform(printed);
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  const auto unary = [&](Opcode opcode, RegisterId value) {
    write(o[0], builder_.emit(opcode, 32, {value}));
    return true;
  };
  if (o.empty())
    return false;
  if (lower_reciprocal(base, instruction, o))
    return true;
  if (lower_floating(base, instruction, o))
    return true;
  if (base == "IADD3") {
    lower_add3(instruction, o);
    return true;
  }
  if (base == "IMAD")
    return lower_multiply(instruction, o);
  if (base == "LEA")
    return lower_address_sum(instruction, o);
  if (base == "ISETP")
    return lower_compare(instruction, o);
  if (base == "SHF")
    return lower_shift(instruction, o);
  if (base == "PRMT")
    return lower_permute(o);
  if (base == "LOP3")
    return lower_logic(instruction, o);
  if (base == "PLOP3")
    return lower_predicate_logic(o);
  if (base == "SHFL" || base == "VOTE" || base == "MATCH" || base == "REDUX" || base == "R2UR")
    return lower_exchange(base, instruction, o);
  if (base == "MOV" && o.size() >= 2) {
    write(o[0], word(o[1]));
    return true;
  }
  if ((base == "VIADD" || base == "IADD") && instruction.opcode.find('.') == std::string::npos && o.size() == 3) {
    write(o[0], builder_.add(word(o[1]), word(o[2])));
    return true;
  }
  if (base == "SEL" && o.size() == 4 && is_predicate(o[3])) {
    write(o[0], builder_.select(truth(o[3]), word(o[1]), word(o[2])));
    return true;
  }
  // Other modifiers (U16x2, say) are not followed.
  const auto modified_by = [&](std::initializer_list<std::string_view> known) {
    std::string_view rest = instruction.opcode;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      rest.remove_prefix(dot + 1);
      if (std::find(known.begin(), known.end(), rest.substr(0, rest.find('.'))) == known.end())
        return false;
    }
    return true;
  };
  const bool plain_limit = base.ends_with("IMNMX") && o.size() == 4,
             limit_of_sum = base == "VIADDMNMX" && o.size() == 5;
  if ((plain_limit || limit_of_sum) && is_predicate(o.back()) && modified_by({"U32", "RELU"})) {
    const RegisterId a = limit_of_sum ? builder_.add(word(o[1]), word(o[2])) : word(o[1]), b = word(o[o.size() - 2]);
    const bool is_unsigned = has("U32");
    const RegisterId result =
        builder_.select(truth(o.back()), builder_.emit(is_unsigned ? Opcode::UMin : Opcode::SMin, 32, {a, b}),
                        builder_.emit(is_unsigned ? Opcode::UMax : Opcode::SMax, 32, {a, b}));
    write(o[0], has("RELU") ? builder_.emit(Opcode::SMax, 32, {result, builder_.constant(32, 0)}) : result);
    return true;
  }
  if (base == "IABS" && o.size() == 2) {
    const RegisterId value = word(o[1]);
    write(o[0], builder_.emit(Opcode::SMax, 32, {value, negated(value)}));
    return true;
  }
  if (base == "POPC" && o.size() == 2)
    return unary(Opcode::Popcount, word(o[1]));
  if (base == "BREV" && o.size() == 2)
    return unary(Opcode::ReverseBits, word(o[1]));
  if (base == "FLO" && has("U32") && o.size() == 2) {
    const RegisterId zeros = builder_.emit(Opcode::CountLeadingZeros, 32, {word(o[1])});
    const RegisterId none = builder_.compare(Opcode::Eq, word(o[1]), builder_.constant(32, 0));
    write(o[0], has("SH") ? builder_.select(none, builder_.constant(32, -1), zeros)
                          : builder_.emit(Opcode::Sub, 32, {builder_.constant(32, 31), zeros}));
    return true;
  }
  if (instruction.opcode.ends_with("LDC") && o.size() == 2 && o[1].kind == Kind::Constant && o[1].bank == 2 &&
      !function_.constants.empty()) {
    write(o[0], table_word(o[1]));
    return true;
  }
  if (base == "LDC" && o.size() == 2 && o[1].kind == Kind::Constant && !o[1].indexed) {
    if (has("U8") || has("S8") || has("U16") || has("S16")) {
      const auto bits = static_cast<std::uint8_t>(has("U8") || has("S8") ? 8 : 16);
      write(o[0], builder_.resize(constant_bank(o[1].bank, o[1].value, bits), 32, has("S8") || has("S16")));
      return true;
    }
    const unsigned words = has("128") ? 4 : has("64") ? 2 : 1;
    for (unsigned i = 0; i < words; ++i)
      write(o[0], constant_bank(o[1].bank, o[1].value + 4 * i), i);
    return true;
  }
  if ((base == "S2R" || base == "S2UR") && o.size() == 2 && o[1].kind == Kind::Special) {
    write(o[0], special(o[1].text));
    return true;
  }
  if (base == "CS2R" && o.size() == 2 && o[1].kind == Kind::Special) {
    for (unsigned i = 0; i < (has("32") ? 1u : 2u); ++i)
      write(o[0], special(o[1].text), i);
    return true;
  }
  // Two halves of a constant: 0 * 0 + (high, low).
  if (base == "HFMA2" && o.size() == 5 && o[1].kind == Kind::Register && o[1].reg.constant &&
      o[2].kind == Kind::Register && o[2].reg.constant && o[3].decimal && o[4].decimal) {
    write(o[0], builder_.constant(32, (half_bits(o[3].number) << 16) | half_bits(o[4].number)));
    return true;
  }
  return false;
}

/// The carry out of the highest bit. Of each summand, whether it is what is subtracted.
RegisterId MachineLowering::carry_of(RegisterId sum, const std::vector<std::pair<RegisterId, bool>> &summands) {
  std::vector<std::pair<RegisterId, bool>> some;
  std::copy_if(summands.begin(), summands.end(), std::back_inserter(some),
               [&](const auto &s) { return builder_.constant_value(s.first) != 0 || s.second; });
  if (some.size() == 1 && !some[0].second)
    return builder_.constant(1, 0);
  if (some.size() == 2 && !some[0].second && !some[1].second)
    return builder_.compare(Opcode::ULt, sum, some[0].first);
  if (some.size() == 2 && some[0].second != some[1].second) {
    const auto &less = some[0].second ? some[0] : some[1], &from = some[0].second ? some[1] : some[0];
    return builder_.compare(Opcode::ULe, less.first, from.first);
  }
  return unknown(1, {sum});
}

void MachineLowering::lower_add3(const ListedInstruction &instruction, const Operands &o) {
  std::size_t at = 1;
  std::vector<const MachineOperand *> carries;
  while (at < o.size() && is_predicate(o[at]))
    carries.push_back(&o[at++]);
  RegisterId sum = builder_.constant(32, 0);
  std::vector<std::pair<RegisterId, bool>> summands;
  for (unsigned i = 0; i < 3 && at < o.size(); ++i, ++at) {
    MachineOperand plain = o[at];
    const bool subtracted = plain.negated && plain.kind == Kind::Register && !plain.reg.constant;
    plain.negated = plain.negated && !subtracted;
    const RegisterId value = word(plain);
    summands.emplace_back(value, subtracted);
    sum = subtracted ? builder_.emit(Opcode::Sub, 32, {sum, value}) : builder_.add(sum, value);
  }
  RegisterId total = sum;
  bool carried = false;
  if (has_modifier(instruction.opcode, "X"))
    for (; at < o.size(); ++at)
      if (is_predicate(o[at])) {
        const RegisterId carry = truth(o[at]);
        carried |= builder_.constant_value(carry) != 0;
        total = builder_.add(total, builder_.resize(carry, 32, false));
      }
  for (std::size_t i = 0; i < carries.size(); ++i)
    write(*carries[i], i == 0 && !carried ? carry_of(sum, summands)
                       : i == 0           ? unknown(1, {total, sum})
                                          : unknown(1, {total, builder_.constant(32, 1)}));
  write(o[0], total);
}

bool MachineLowering::lower_multiply(const ListedInstruction &instruction, const Operands &o) {
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  std::size_t at = 1;
  std::vector<const MachineOperand *> carries;
  while (at < o.size() && is_predicate(o[at]))
    carries.push_back(&o[at++]);
  if (at + 3 > o.size())
    return false;
  const MachineOperand &a = o[at], &b = o[at + 1], &c = o[at + 2];
  const bool is_signed = !has("U32");
  if (has("WIDE") || has("HI")) {
    const RegisterId product = builder_.emit(
        Opcode::Mul, 64, {builder_.resize(word(a), 64, is_signed), builder_.resize(word(b), 64, is_signed)});
    const RegisterId carry = has("X") && at + 3 < o.size() && is_predicate(o[at + 3])
                                 ? builder_.resize(truth(o[at + 3]), 64, false)
                                 : builder_.constant(64, 0);
    if (has("WIDE")) {
      // The low word by itself: what is an affine function stays one.
      const RegisterId low = builder_.add(builder_.add(builder_.emit(Opcode::Mul, 32, {word(a), word(b)}), word(c)),
                                          builder_.resize(carry, 32, false));
      const RegisterId high = high_word(builder_.add(builder_.add(product, wide(c)), carry));
      for (const MachineOperand *to : carries)
        write(*to, unknown(1, {low, high}));
      write(o[0], low);
      write(o[0], high, 1);
    } else {
      for (const MachineOperand *to : carries)
        write(*to, unknown(1, {product}));
      const RegisterId sum = c.kind == Kind::Register && c.reg.constant ? product : builder_.add(product, wide(c));
      write(o[0], builder_.resize(
                      builder_.emit(is_signed ? Opcode::AShr : Opcode::LShr, 64, {sum, builder_.constant(64, 32)}), 32,
                      false));
    }
    return true;
  }
  RegisterId sum = builder_.add(builder_.emit(Opcode::Mul, 32, {word(a), word(b)}), word(c));
  if (has("X"))
    for (std::size_t i = at + 3; i < o.size(); ++i)
      if (is_predicate(o[i]))
        sum = builder_.add(sum, builder_.resize(truth(o[i]), 32, false));
  for (const MachineOperand *to : carries)
    write(*to, unknown(1, {sum}));
  write(o[0], sum);
  return true;
}

/// LEA: (a << n) + b. LEA.HI: the high word of (c:a) << n, plus b.
bool MachineLowering::lower_address_sum(const ListedInstruction &instruction, const Operands &o) {
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  std::size_t at = 1;
  const MachineOperand *carry_out = nullptr;
  while (at < o.size() && is_predicate(o[at]))
    carry_out = &o[at++];
  const bool high = has("HI"), sign_extends = has("SX32");
  const std::size_t amount_at = at + (high && !sign_extends ? 3 : 2);
  if (amount_at >= o.size() || o[amount_at].kind != Kind::Immediate || o[amount_at].value < 0 ||
      o[amount_at].value > 31)
    return false;
  const std::int64_t amount = o[amount_at].value;
  const RegisterId a = word(o[at]), b = word(o[at + 1]);
  const auto shift = [&](Opcode opcode, RegisterId value, std::int64_t by) {
    return builder_.emit(opcode, 32, {value, builder_.constant(32, by)});
  };
  RegisterId shifted = kNone;
  if (!high) {
    shifted = shift(Opcode::Shl, a, amount);
  } else if (sign_extends) {
    shifted = amount ? shift(Opcode::AShr, a, 32 - amount) : shift(Opcode::AShr, a, 31);
  } else {
    const RegisterId c = word(o[at + 2]);
    const RegisterId from_low = amount ? shift(Opcode::LShr, a, 32 - amount) : builder_.constant(32, 0);
    shifted = builder_.constant_value(c) == 0
                  ? from_low
                  : builder_.emit(Opcode::Or, 32, {shift(Opcode::Shl, c, amount), from_low});
  }
  RegisterId sum = builder_.add(shifted, b);
  const RegisterId without_carry = sum;
  if (has("X") && amount_at + 1 < o.size() && is_predicate(o[amount_at + 1]))
    sum = builder_.add(sum, builder_.resize(truth(o[amount_at + 1]), 32, false));
  if (carry_out)
    write(*carry_out, has("X") || o[at + 1].negated || o[at].negated
                          ? unknown(1, {sum})
                          : carry_of(without_carry, {{shifted, false}, {b, false}}));
  write(o[0], sum);
  return true;
}

/// ISETP.LT.AND p, q, a, b, c: p = (a < b) and c, q = not (a < b) and c. With .EX the comparison goes on from that of the low words.
bool MachineLowering::lower_compare(const ListedInstruction &instruction, const Operands &o) {
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  const bool extended = has("EX");
  if (o.size() != (extended ? 6u : 5u) || !is_predicate(o[0]) || !is_predicate(o[1]) || !is_predicate(o[4]))
    return false;
  const RegisterId a = word(o[2]), b = word(o[3]);
  const bool is_unsigned = has("U32");
  const Opcode less = is_unsigned ? Opcode::ULt : Opcode::SLt, less_or_equal = is_unsigned ? Opcode::ULe : Opcode::SLe;
  RegisterId strict = kNone, result = kNone; ///< strict: what the high words decide by themselves
  if (has("EQ") || has("NE")) {
    result = builder_.compare(has("EQ") ? Opcode::Eq : Opcode::Ne, a, b);
    if (extended)
      result = builder_.emit(has("EQ") ? Opcode::And : Opcode::Or, 1, {result, truth(o[5])});
  } else {
    const bool greater = has("GT") || has("GE");
    if (!greater && !has("LT") && !has("LE"))
      return false;
    const RegisterId x = greater ? b : a, y = greater ? a : b;
    if (extended) {
      strict = builder_.compare(less, x, y);
      result = builder_.emit(
          Opcode::Or, 1, {strict, builder_.emit(Opcode::And, 1, {builder_.compare(Opcode::Eq, a, b), truth(o[5])})});
    } else {
      result = builder_.compare(has("LT") || has("GT") ? less : less_or_equal, x, y);
    }
  }
  const RegisterId with = truth(o[4]);
  const Opcode how = has("OR") ? Opcode::Or : has("XOR") ? Opcode::Xor : Opcode::And;
  const RegisterId opposite = builder_.logical_not(result);
  const RegisterId first = builder_.emit(how, 1, {result, with}), second = builder_.emit(how, 1, {opposite, with});
  write(o[0], first);
  write(o[1], second);
  return true;
}

/// SHF: a shift of the pair (c:a), of which the low or (.HI) the high word is kept.
bool MachineLowering::lower_shift(const ListedInstruction &instruction, const Operands &o) {
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  if (o.size() != 4)
    return false;
  const bool left = has("L"), high = has("HI"), is_signed = has("S32") || has("S64"), wraps = has("W");
  const RegisterId a = word(o[1]), c = word(o[3]);
  RegisterId amount = word(o[2]);
  if (wraps)
    amount = builder_.bit_and(amount, 31);
  const auto fixed = builder_.constant_value(amount);
  const bool a_is_zero = builder_.constant_value(a) == 0, c_is_zero = builder_.constant_value(c) == 0;
  const auto shift = [&](Opcode opcode, RegisterId value) -> RegisterId {
    if (fixed && (*fixed < 0 || *fixed > 31))
      return opcode == Opcode::AShr ? builder_.emit(opcode, 32, {value, builder_.constant(32, 31)})
                                    : builder_.constant(32, 0);
    return builder_.emit(opcode, 32, {value, amount});
  };
  if (left && !high)
    write(o[0], shift(Opcode::Shl, a));
  else if (left && a_is_zero)
    write(o[0], shift(Opcode::Shl, c));
  else if (!left && high)
    write(o[0], shift(is_signed ? Opcode::AShr : Opcode::LShr, c));
  else if (!left && c_is_zero && !is_signed)
    write(o[0], shift(Opcode::LShr, a));
  else if (fixed && *fixed > 0 && *fixed < 32)
    write(o[0], builder_.emit(left ? Opcode::FunnelLeft : Opcode::FunnelRight, 32, {c, a, amount}));
  else if (fixed && *fixed == 0)
    write(o[0], left ? c : a);
  else
    return false;
  return true;
}

/// Four bytes, each chosen out of the eight of (c:a), or eight times its sign.
bool MachineLowering::lower_permute(const Operands &o) {
  if (o.size() != 4 || o[2].kind != Kind::Immediate)
    return false;
  const RegisterId words[2] = {word(o[1]), word(o[3])};
  struct Byte {
    unsigned word, at;
    bool sign;
  };
  std::array<Byte, 4> bytes{};
  for (unsigned i = 0; i < 4; ++i) {
    const auto choice = static_cast<unsigned>(o[2].value >> (4 * i)) & 15;
    bytes[i] = {(choice >> 2) & 1, choice & 3, (choice & 8) != 0};
  }
  // A number that is extended by its sign.
  unsigned plain = 0;
  while (plain < 4 && !bytes[plain].sign)
    ++plain;
  if (plain == 0)
    return false;
  for (unsigned i = plain; i < 4; ++i)
    if (!bytes[i].sign || bytes[i].word != bytes[plain - 1].word || bytes[i].at != bytes[plain - 1].at)
      return false;
  RegisterId result = builder_.constant(32, 0);
  for (unsigned i = 0; i < plain;) {
    const RegisterId from = words[bytes[i].word];
    unsigned length = 1;
    while (i + length < plain && bytes[i + length].word == bytes[i].word &&
           bytes[i + length].at == bytes[i].at + length)
      ++length;
    if (builder_.constant_value(from) != 0) {
      RegisterId piece = builder_.emit(Opcode::LShr, 32, {from, builder_.constant(32, 8 * bytes[i].at)});
      if (length + bytes[i].at < 4 || (i == 0 && plain < 4))
        piece = builder_.bit_and(piece, (std::int64_t{1} << (8 * length)) - 1);
      piece = builder_.emit(Opcode::Shl, 32, {piece, builder_.constant(32, 8 * i)});
      result = builder_.emit(Opcode::Or, 32, {piece, result});
    }
    i += length;
  }
  if (plain < 4)
    result = builder_.resize(builder_.resize(result, static_cast<std::uint8_t>(8 * plain), false), 32, true);
  write(o[0], result);
  return true;
}

bool MachineLowering::lower_logic(const ListedInstruction &, const Operands &o) {
  // LOP3.LUT [p,] d, a, b, c, table, q: p = (d is not 0) or q.
  const bool tested = is_predicate(o[0]);
  const std::size_t at = tested ? 1 : 0;
  if (o.size() != at + 6 || o[at + 4].kind != Kind::Immediate || !is_predicate(o[at + 5]))
    return false;
  const RegisterId value = bitwise_function(builder_, {word(o[at + 1]), word(o[at + 2]), word(o[at + 3])},
                                            static_cast<std::uint8_t>(o[at + 4].value));
  if (tested)
    write(o[0], builder_.emit(Opcode::Or, 1,
                              {builder_.compare(Opcode::Ne, value, builder_.constant(32, 0)), truth(o[at + 5])}));
  write(o[at], value);
  return true;
}

bool MachineLowering::lower_predicate_logic(const Operands &o) {
  if (o.size() != 7 || o[5].kind != Kind::Immediate || o[6].kind != Kind::Immediate)
    return false;
  const std::array<RegisterId, 3> from{truth(o[2]), truth(o[3]), truth(o[4])};
  for (const std::size_t i : {0u, 1u})
    write(o[i], bitwise_function(builder_, from, static_cast<std::uint8_t>(o[5 + i].value)));
  return true;
}

bool MachineLowering::lower_exchange(std::string_view base, const ListedInstruction &instruction, const Operands &o) {
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  if (base == "R2UR" && o.size() == 2) { // only of what is the same in all lanes
    write(o[0], word(o[1]));
    return true;
  }
  if (base == "SHFL" && o.size() == 5 && is_predicate(o[0])) {
    const auto mode = has("IDX")    ? ShuffleMode::Index
                      : has("UP")   ? ShuffleMode::Up
                      : has("DOWN") ? ShuffleMode::Down
                                    : ShuffleMode::Butterfly;
    const std::vector<RegisterId> from{word(o[2]), word(o[3]), word(o[4])};
    const RegisterId value = builder_.emit(Opcode::Shuffle, 32, from, kNone, static_cast<std::int64_t>(mode));
    if (!o[0].reg.constant)
      write(o[0], builder_.emit(Opcode::ShuffleOk, 1, from, kNone, static_cast<std::int64_t>(mode)));
    write(o[1], value);
    return true;
  }
  if (base == "VOTE" && o.size() >= 2 && is_predicate(o.back())) {
    const RegisterId predicate = truth(o.back());
    for (std::size_t i = 0; i + 1 < o.size(); ++i)
      write(o[i], is_predicate(o[i]) ? builder_.emit(has("ALL")  ? Opcode::VoteAll
                                                     : has("EQ") ? Opcode::VoteUniform
                                                                 : Opcode::VoteAny,
                                                     1, {predicate, members()})
                                     : builder_.emit(Opcode::Ballot, 32, {predicate, members()}));
    return true;
  }
  if (base == "MATCH" && has("ANY") && !has("U64") && o.size() == 2) {
    write(o[0], builder_.emit(Opcode::MatchAny, 32, {word(o[1]), members()}));
    return true;
  }
  if (base == "REDUX" && o.size() == 2) {
    const bool sign = has("S32");
    const Opcode opcode = has("SUM")   ? Opcode::Add
                          : has("MIN") ? sign ? Opcode::SMin : Opcode::UMin
                          : has("MAX") ? sign ? Opcode::SMax : Opcode::UMax
                          : has("OR")  ? Opcode::Or
                          : has("XOR") ? Opcode::Xor
                                       : Opcode::And;
    write(o[0], builder_.emit(Opcode::Reduce, 32, {word(o[1]), members()}, kNone, static_cast<std::int64_t>(opcode)));
    return true;
  }
  return false;
}

/// n / d without a division: an approximation of 1/d in floating point, made a fixed-point number, bettered once, times n. Whatever the
/// approximation is, what comes out (with the corrections that follow, and do nothing here) is the quotient.
bool MachineLowering::lower_reciprocal(std::string_view base, const ListedInstruction &instruction, const Operands &o) {
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  const auto step_of = [&](const MachineOperand &operand) -> const Division * {
    if (operand.kind != Kind::Register || operand.reg.constant || is_predicate(operand))
      return nullptr;
    const auto found = divisions_.find(read(operand.reg));
    return found == divisions_.end() ? nullptr : &found->second;
  };
  const auto note = [&](Step step, RegisterId divisor, const std::vector<RegisterId> &from) {
    const RegisterId value = builder_.opaque(32, "the division in the machine code is not followed", from);
    divisions_.insert_or_assign(value, Division{step, divisor});
    write(o[0], value);
    return true;
  };
  if (base == "I2F" && has("RP") && o.size() == 2 && !has("U64") && !has("S64")) {
    const RegisterId divisor = word(o[1]);
    return note(Step::Float, divisor, {divisor, name("I2F")});
  }
  if (base == "MUFU" && has("RCP") && o.size() == 2)
    if (const Division *from = step_of(o[1]); from && from->step == Step::Float)
      return note(Step::Reciprocal, from->divisor, {from->divisor, name("RCP")});
  if ((base == "IADD3" || base == "VIADD") && o.size() >= 3)
    if (const Division *from = step_of(o[1]); from && from->step == Step::Reciprocal)
      return note(Step::Lowered, from->divisor, {from->divisor, name("IADD")});
  if (base == "F2I" && has("U32") && o.size() == 2)
    if (const Division *from = step_of(o[1]); from && from->step == Step::Lowered)
      return note(Step::Quotient, from->divisor, {from->divisor, name("F2I")});
  if (base == "IMAD" && has("HI") && o.size() == 4) {
    const Division *a = step_of(o[1]), *b = step_of(o[2]);
    if (b && b->step == Step::Quotient && !(a && a->step == Step::Quotient))
      std::swap(a, b);
    if (!a || a->step != Step::Quotient)
      return false;
    const RegisterId divisor = a->divisor;
    if (b && b->step == Step::Error)
      return note(Step::Quotient, divisor, {divisor, name("IMAD.HI")});
    if (o[3].kind != Kind::Register || !o[3].reg.constant)
      return false;
    const bool first = a == step_of(o[1]);
    write(o[0], builder_.emit(Opcode::UDiv, 32, {word(first ? o[2] : o[1]), divisor}));
    return true;
  }
  if ((base == "IMAD" && !has("HI") && !has("WIDE")) || base == "IADD3" || base == "VIADD") {
    // -1/d, and that times d: the error of the approximation. A copy is none.
    const bool copies =
        base == "IMAD" && o.size() == 4 && o[1].kind == Kind::Register && o[1].reg.constant && !o[3].negated;
    if (copies)
      return false;
    const Division *from = nullptr;
    for (std::size_t i = 1; i < o.size() && !from; ++i)
      from = step_of(o[i]);
    if (from && (from->step == Step::Quotient || from->step == Step::Error)) {
      const RegisterId divisor = from->divisor;
      return note(Step::Error, divisor,
                  {divisor, name(instruction.opcode), builder_.constant(32, static_cast<std::int64_t>(from->step))});
    }
  }
  return false;
}

} // namespace smem::compiled
