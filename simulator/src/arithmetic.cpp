#include "arithmetic.h"

#include "choice.h"
#include "lane_values.h"

#include <algorithm>

namespace smem {

std::uint32_t Reasons::add(std::string text, SourceLocation location, bool certain) {
  const auto [entry, fresh] = known_.try_emplace({text, location}, static_cast<std::uint32_t>(reasons_.size()));
  if (fresh)
    reasons_.push_back({std::move(text), std::move(location), certain});
  return entry->second;
}

void Arithmetic::guard_lanes(const Value &terms_of, std::int64_t factor, LaneMask mask,
                             const std::array<Wide, kWarpSize> &constant, bool wraps) {
  if (!mask)
    return;
  bool uniform =
      std::all_of(terms_of.terms.begin(), terms_of.terms.end(), [&](const Term &t) { return uniform_over(t, mask); });
  auto add = [&](Wide value, unsigned lane) {
    // Most hold everywhere, which is seen before one is made.
    Wide least = value;
    bool falls = false, bounded = true;
    for (const Term &term : terms_of.terms) {
      if (is_symbol(term.dimension))
        continue;
      const std::int64_t slope = factor * term.at(lane);
      if (slope >= 0)
        continue;
      falls = true;
      if (const auto steps = scopes_.extent(term.dimension))
        least += Wide{slope} * (*steps - 1);
      else
        bounded = false;
    }
    if (!falls || (bounded && least >= 0))
      return;
    Guard guard;
    guard.constant = value;
    guard.wraps = wraps;
    for (const Term &term : terms_of.terms)
      if (!is_symbol(term.dimension) && term.at(lane) != 0)
        guard.coefficients.emplace_back(term.dimension, factor * term.at(lane));
    scopes_.add(std::move(guard));
  };
  if (uniform) {
    Wide least = constant[first_lane(mask)];
    for_lanes(mask, [&](unsigned lane) { least = std::min(least, constant[lane]); });
    add(least, first_lane(mask));
  } else {
    for_lanes(mask, [&](unsigned lane) { add(constant[lane], lane); });
  }
}

void Arithmetic::keep_exact(const Value &a, Sign sign, LaneMask mask) {
  if (a.terms.empty() || !mask)
    return;
  const Wide high = sign == Sign::Signed ? (Wide{1} << (a.width - 1)) - 1 : (Wide{1} << a.width) - 1;
  const Wide low = sign == Sign::Signed ? -(Wide{1} << (a.width - 1)) : Wide{0};
  std::array<Wide, kWarpSize> room_above{}, room_below{};
  for_lanes(mask, [&](unsigned lane) {
    const Wide value = exact(a, sign, lane);
    room_above[lane] = high - value;
    room_below[lane] = value - low;
  });
  guard_lanes(a, -1, mask, room_above, true);
  guard_lanes(a, 1, mask, room_below, true);
}

Value Arithmetic::of_symbol(DimensionId symbol, unsigned width, LaneMask mask) {
  Value v = make_uniform(0, width, mask);
  v.terms.push_back({symbol, 1, nullptr});
  return v;
}

Value Arithmetic::fixed(const Value &a, LaneMask mask) {
  if (a.terms.empty())
    return a;
  Value out = a;
  for (const Term &term : a.terms) {
    bool moves = false;
    for_lanes(mask, [&](unsigned lane) { moves |= term.at(lane) != 0; });
    if (!moves)
      continue;
    if (is_symbol(term.dimension)) {
      Value unknown = make_unknown(a.width, mask, symbols_[term.dimension].reason);
      return unknown;
    }
    scopes_.pin(term.dimension);
  }
  out.terms.clear();
  return out;
}

Value Arithmetic::opaque(std::uint32_t opcode, std::uint32_t detail, OperandList operands, unsigned width,
                         LaneMask mask, std::uint32_t reason) {
  const auto varies = [&](const Value *operand) { return !warp_uniform(*operand, mask); };
  if (const auto first = std::ranges::find_if(operands, varies); first != operands.end()) {
    std::uint32_t why = ((*first)->unknown & mask) && (*first)->reason ? (*first)->reason : reason;
    for (const Value *any : operands)
      for (const Term &term : any->terms)
        if (!why && is_symbol(term.dimension))
          why = symbols_[term.dimension].reason;
    return make_unknown(width, mask, why);
  }
  std::vector<Value> copies;
  copies.reserve(operands.size());
  for (const Value *operand : operands)
    copies.push_back(*operand);
  // A function of open block or loop dimensions is another unknown at every step.
  const bool of_class = symbols_.of_class &&
                        std::ranges::all_of(copies, [&](const Value &copy) { return symbols_.of_block(copy, mask); });
  for (const Value &copy : copies)
    for (const Term &term : copy.terms)
      if (!is_symbol(term.dimension) && !of_class)
        scopes_.pin(term.dimension);
  std::uint32_t why = reason;
  for (const Value &copy : copies)
    for (const Term &term : copy.terms)
      if (is_symbol(term.dimension) && symbols_[term.dimension].reason)
        why = symbols_[term.dimension].reason;
  return of_symbol(symbols_.opaque(opcode, detail, copies, width, mask, why), width, mask);
}

Value Arithmetic::unknown_result(const Value &a, const Value &b, unsigned width, LaneMask mask, Opcode opcode) {
  // Still warp-uniform when both operands are: a symbol of its own.
  if (!(a.unknown & mask) && !(b.unknown & mask))
    return opaque(static_cast<std::uint32_t>(opcode), 0, {&a, &b}, width, mask, 0);
  return make_unknown(width, mask, (a.unknown & mask) ? a.reason : b.reason);
}

Linear Arithmetic::symbols_of(const Value &a, unsigned lane) {
  Linear linear = linear_of(a, lane);
  std::erase_if(linear.terms, [](const auto &t) { return !is_symbol(t.first); });
  return linear;
}

std::optional<std::int64_t> compute(Opcode opcode, std::int64_t x, std::int64_t y, unsigned w) {
  const std::uint64_t ux = as_unsigned(x, w), uy = as_unsigned(y, w);
  switch (opcode) {
  case Opcode::Mul: return canonical(static_cast<std::int64_t>(ux * uy), w);
  case Opcode::UDiv:
    if (!uy)
      return std::nullopt;
    return static_cast<std::int64_t>(ux / uy);
  case Opcode::URem:
    if (!uy)
      return std::nullopt;
    return static_cast<std::int64_t>(ux % uy);
  case Opcode::SDiv:
    if (!y)
      return std::nullopt;
    return y == -1 ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x)) : x / y;
  case Opcode::SRem:
    if (!y)
      return std::nullopt;
    return y == -1 ? 0 : x % y;
  case Opcode::Shl: return uy >= w ? 0 : canonical(static_cast<std::int64_t>(ux << uy), w);
  case Opcode::LShr: return uy >= w ? 0 : static_cast<std::int64_t>(ux >> uy);
  case Opcode::AShr: return x >> std::min<std::uint64_t>(uy, 63);
  case Opcode::And: return x & y;
  case Opcode::Or: return x | y;
  case Opcode::Xor: return x ^ y;
  case Opcode::UMin: return ux < uy ? x : y;
  case Opcode::UMax: return ux < uy ? y : x;
  case Opcode::SMin: return std::min(x, y);
  case Opcode::SMax: return std::max(x, y);
  case Opcode::UMulHigh: return static_cast<std::int64_t>((static_cast<UnsignedWide>(ux) * uy) >> w);
  case Opcode::SMulHigh: return static_cast<std::int64_t>((Wide{x} * Wide{y}) >> w);
  default: return std::nullopt;
  }
}

Value Arithmetic::lane_wise(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  if ((a.unknown | b.unknown) & mask)
    return make_unknown(a.width, mask, (a.unknown & mask) ? a.reason : b.reason);
  Value out = blank(a.width, mask);
  const unsigned w = a.width;
  fill(out, a.uniform && b.uniform, mask,
       [&](unsigned lane) { return compute(opcode, a.at(lane), b.at(lane), w).value_or(0); });
  return out;
}

Value Arithmetic::chosen(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  const bool first = (a.unknown & mask) != 0;
  Value out = make_unknown(a.width, mask, first ? a.reason : b.reason);
  const Value &data = first ? a : b;
  Value known = first ? b : a;
  if (!data.choice || (data.unknown & mask) != mask || (known.unknown & mask))
    return out;
  // A base that moves, or that nobody knows, is no matter if it is a multiple of everything that counts.
  for (const Term &term : known.terms) {
    const bool window = is_symbol(term.dimension) && symbols_[term.dimension].window == Symbol::Window::Shared;
    if (!uniform_over(term, mask) || (symbols_.exact && !window))
      return out;
    const std::uint64_t grain = (is_symbol(term.dimension) ? symbols_[term.dimension].alignment : 1) *
                                static_cast<std::uint64_t>(term.at(first_lane(mask)));
    if ((opcode != Opcode::Add && opcode != Opcode::Sub) || grain % 128 != 0)
      return out;
  }
  known.terms.clear();
  out.choice = choice_of(opcode, *data.choice, known, first, a.width, mask);
  return out;
}

Value Arithmetic::binary(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  if ((a.unknown | b.unknown) & mask) {
    // Zero times, and nothing and-ed with, are known whatever the other side is.
    const Value &known = (a.unknown & mask) ? b : a;
    if (!(known.unknown & mask) && known.constant() && all_lanes_equal(known, 0, mask) &&
        (opcode == Opcode::Mul || opcode == Opcode::And))
      return known;
    return chosen(opcode, a, b, mask);
  }
  switch (opcode) {
  case Opcode::Add: return affine(a, b, 1, mask);
  case Opcode::Sub: return affine(a, b, -1, mask);
  case Opcode::Mul: return multiply(a, b, mask);
  case Opcode::UDiv:
  case Opcode::SDiv:
  case Opcode::URem:
  case Opcode::SRem: return divide(opcode, a, b, mask);
  case Opcode::Shl:
  case Opcode::LShr:
  case Opcode::AShr: return shift(opcode, a, b, mask);
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor: return bitwise(opcode, a, b, mask);
  case Opcode::UMin:
  case Opcode::UMax:
  case Opcode::SMin:
  case Opcode::SMax: return extreme(opcode, a, b, mask);
  default:
    if (a.has_symbol() || b.has_symbol())
      return unknown_result(a, b, a.width, mask, opcode);
    return lane_wise(opcode, fixed(a, mask), fixed(b, mask), mask);
  }
}

} // namespace smem
