#include "extremes.h"

#include <algorithm>

namespace smem::pattern {
namespace {

bool is_known(const Value &value, LaneMask mask) { return !(value.unknown & mask); }

/// Nothing that lanes differ in depends on what is not known.
bool is_plain(const Value &value, LaneMask mask) {
  return is_known(value, mask) &&
         std::all_of(value.terms.begin(), value.terms.end(), [&](const Term &t) { return uniform_over(t, mask); });
}

/// It is not negative, or nothing decides whether it is: what is the same in all lanes is so in either order.
bool sign_is_open(const Domain &domain, const Value &value, LaneMask mask) {
  if (domain.not_negative(value, mask))
    return true;
  bool open = true;
  for_lanes(mask, [&](unsigned lane) { open &= !domain.range(value, lane); });
  return open;
}

/// The constant that the value is in all lanes.
std::optional<std::int64_t> constant_of(const Value &value, LaneMask mask) {
  if (!is_known(value, mask) || !value.terms.empty() || !warp_uniform(value, mask))
    return std::nullopt;
  return value.at(first_lane(mask));
}

bool is_order_preserving(Opcode opcode) {
  switch (opcode) {
  case Opcode::Truncate:
  case Opcode::ZeroExtend:
  case Opcode::SignExtend:
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Shl:
  case Opcode::LShr:
  case Opcode::AShr:
  case Opcode::UDiv:
  case Opcode::SDiv: return true;
  default: return false;
  }
}

bool is_order(Opcode opcode) {
  return opcode == Opcode::ULt || opcode == Opcode::ULe || opcode == Opcode::SLt || opcode == Opcode::SLe;
}

/// What it does depends on the sign.
bool is_signed_only(Opcode opcode) {
  return opcode == Opcode::SLt || opcode == Opcode::SLe || opcode == Opcode::AShr || opcode == Opcode::SDiv ||
         opcode == Opcode::SignExtend;
}

/// The same on values that are not negative, in signed order.
Opcode as_signed(Opcode opcode) {
  switch (opcode) {
  case Opcode::ULt: return Opcode::SLt;
  case Opcode::ULe: return Opcode::SLe;
  case Opcode::LShr: return Opcode::AShr;
  case Opcode::UDiv: return Opcode::SDiv;
  case Opcode::ZeroExtend: return Opcode::SignExtend;
  default: return opcode;
  }
}

} // namespace

std::optional<Extremes::Extreme> Extremes::of_operand(RegisterId reg, LaneMask mask) const {
  const auto found = known_.find(reg);
  if (found == known_.end())
    return std::nullopt;
  Extreme both = found->second;
  both.a = read_(both.a);
  both.b = read_(both.b);
  if (!is_known(both.a, mask) || !is_known(both.b, mask))
    return std::nullopt;
  return both;
}

Value Extremes::settle(Domain &domain, RegisterId result, Extreme both, Value plain, const std::string &key,
                       LaneMask mask) {
  for (const Value *part : {&both.a, &both.b})
    if (!is_known(*part, mask))
      return is_known(plain, mask) ? plain : domain.aligned_only(*part, mask);
  Value value = domain.binary(both.largest ? Opcode::SMax : Opcode::SMin, both.a, both.b, key, mask);
  if (both.presumed && is_plain(value, mask) && !value.terms.empty()) {
    Value base = value;
    base.terms.clear();
    value = domain.add(base, domain.fresh(key + "u", domain.owners(value), grain_of(value, mask), value.width, mask), 1,
                       mask);
  }
  if (is_plain(value, mask))
    return value;
  known_[result] = std::move(both);
  return plain;
}

Value Extremes::refine(Domain &domain, const Instruction &i, const std::vector<Value> &operands, Value plain,
                       const std::string &key, LaneMask mask) {
  if (is_plain(plain, mask))
    return plain;
  const bool largest = i.opcode == Opcode::SMax || i.opcode == Opcode::UMax;
  if (largest || i.opcode == Opcode::SMin || i.opcode == Opcode::UMin) {
    const Value &a = operands[0], &b = operands[1];
    if (!is_known(a, mask) || !is_known(b, mask))
      return plain;
    const bool is_signed = i.opcode == Opcode::SMax || i.opcode == Opcode::SMin;
    const bool positive = domain.not_negative(a, mask) && domain.not_negative(b, mask);
    if (is_signed || (sign_is_open(domain, a, mask) && sign_is_open(domain, b, mask)))
      known_[i.result] = {largest, !is_signed && !positive, a, b};
    return plain;
  }
  if (!is_order_preserving(i.opcode) && !is_order(i.opcode))
    return plain;
  std::optional<Extreme> both = of_operand(i.operands[0], mask);
  const bool on_left = both.has_value();
  if (!both && operands.size() > 1)
    both = of_operand(i.operands[1], mask);
  if (!both)
    return plain;
  const bool needs_sign = as_signed(i.opcode) != i.opcode;
  if (both->presumed && (is_signed_only(i.opcode) || i.opcode == Opcode::UDiv))
    return plain;
  const bool a_positive = domain.not_negative(both->a, mask), b_positive = domain.not_negative(both->b, mask);
  if (needs_sign && !(both->largest ? a_positive || b_positive : a_positive && b_positive))
    return plain;
  const Opcode opcode = as_signed(i.opcode);
  const std::string first = key + "a", second = key + "b";
  if (operands.size() == 1) {
    both->a = domain.resize(opcode, both->a, i.width, first, mask);
    both->b = domain.resize(opcode, both->b, i.width, second, mask);
    return settle(domain, i.result, std::move(*both), std::move(plain), key, mask);
  }
  const Value &other = operands[on_left ? 1 : 0];
  if (!is_known(other, mask))
    return plain;
  if (is_order(i.opcode)) {
    if (needs_sign && !domain.not_negative(other, mask))
      return plain;
    // max(a, b) < c is a < c and b < c; c < max(a, b) is c < a or c < b.
    const auto compare = [&](const Value &part, const std::string &name) {
      return on_left ? domain.compare(opcode, part, other, name, mask)
                     : domain.compare(opcode, other, part, name, mask);
    };
    const Value value = domain.binary(on_left == both->largest ? Opcode::And : Opcode::Or, compare(both->a, first),
                                      compare(both->b, second), key, mask);
    return is_known(plain, mask) && !is_plain(value, mask) ? plain : value;
  }
  if (i.opcode != Opcode::Add && i.opcode != Opcode::Sub) {
    const auto constant = constant_of(other, mask);
    if (!on_left || !constant || *constant <= 0)
      return plain;
  }
  const auto apply = [&](const Value &part, const std::string &name) {
    return on_left ? domain.binary(opcode, part, other, name, mask) : domain.binary(opcode, other, part, name, mask);
  };
  both->a = apply(both->a, first);
  both->b = apply(both->b, second);
  both->largest ^= i.opcode == Opcode::Sub && !on_left;
  return settle(domain, i.result, std::move(*both), std::move(plain), key, mask);
}

} // namespace smem::pattern
