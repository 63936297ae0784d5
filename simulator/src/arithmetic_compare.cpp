// Comparisons, and what is chosen by one.
#include "arithmetic.h"

#include "choice.h"
#include "lane_values.h"

#include <algorithm>
#include <cstdlib>

namespace smem {

std::optional<Value> Arithmetic::symbolic_compare(Opcode opcode, const Value &a, const Value &b,
                                                  const Value &difference, LaneMask mask, ConditionUse use) {
  const bool equality = opcode == Opcode::Eq || opcode == Opcode::Ne;
  const bool strict = opcode == Opcode::ULt || opcode == Opcode::SLt;
  Value whole = difference; // a - b, of numbers that do not wrap around
  fill(whole, a.uniform && b.uniform, mask, [&](unsigned lane) { return a.at(lane) - b.at(lane); });
  for (const Term &term : whole.terms)
    if (is_symbol(term.dimension) && !symbols_[term.dimension].definition)
      return std::nullopt;
  if (opcode == Opcode::ULt || opcode == Opcode::ULe) // the same as signed only for what is not negative
    for (const Value *side : {&a, &b}) {
      bool positive = true;
      for_lanes(mask, [&](unsigned lane) {
        const auto range = symbols_.range(symbols_of(*side, lane));
        positive &= range && range->least >= 0;
      });
      for (const Term &term : side->terms)
        if (!is_symbol(term.dimension))
          for_lanes(mask, [&](unsigned lane) { positive &= term.at(lane) >= 0; });
      if (!positive)
        return std::nullopt;
    }

  // Decided by what is known of the symbols?
  std::array<Wide, kWarpSize> below{}, above{};
  LaneMask low = 0, high = 0, zero = 0;
  for_lanes(mask, [&](unsigned lane) {
    const auto range = symbols_.range(symbols_of(whole, lane));
    if (!range)
      return;
    if (equality ? range->most < 0 : strict ? range->most < 0 : range->most <= 0)
      low |= 1u << lane;
    else if (equality ? range->least > 0 : strict ? range->least >= 0 : range->least > 0)
      high |= 1u << lane;
    else if (range->least == 0 && range->most == 0)
      zero |= 1u << lane;
    below[lane] = -range->most - (equality || strict ? 1 : 0);
    above[lane] = range->least - (equality || !strict ? 1 : 0);
  });
  const bool moves =
      std::any_of(whole.terms.begin(), whole.terms.end(), [](const Term &t) { return !is_symbol(t.dimension); });
  // What may be the end of a loop is not decided: for some of its iterations it would be, for others not.
  const bool may_end =
      use == ConditionUse::BranchAtOnce &&
      std::any_of(whole.terms.begin(), whole.terms.end(), [](const Term &t) { return is_loop(t.dimension); });
  if (!may_end && (low | high | (moves ? 0 : zero)) == mask) {
    symbols_.note_decision(symbols_of(whole, first_lane(mask)));
    guard_lanes(whole, -1, low, below);
    guard_lanes(whole, 1, high, above);
    Value out = blank(1, mask);
    const LaneMask holds = opcode == Opcode::Eq ? zero : opcode == Opcode::Ne ? mask & ~zero : low;
    fill(out, false, mask, [&](unsigned lane) { return static_cast<std::int64_t>(holds >> lane & 1); });
    compact(out, mask);
    return out;
  }

  // A condition that all lanes share.
  if (!std::all_of(whole.terms.begin(), whole.terms.end(), [&](const Term &t) { return uniform_over(t, mask); }))
    return std::nullopt;
  const unsigned lane = first_lane(mask);
  const auto may_move = [&](DimensionId d) {
    return is_symbol(d) || use == ConditionUse::BranchAtOnce || (use == ConditionUse::Branches && is_digit(d));
  };
  for (const Term &term : whole.terms)
    if (!may_move(term.dimension))
      scopes_.pin(term.dimension);
  Linear tested = linear_of(whole, lane);
  std::erase_if(tested.terms, [&](const auto &t) { return !may_move(t.first); });
  const std::uint32_t reason = symbols_[difference.terms.back().dimension].reason;
  if (equality) {
    bool same = true;
    for_lanes(mask, [&](unsigned l) { same &= whole.at(l) == whole.at(lane); });
    if (!same)
      return std::nullopt;
    return of_symbol(symbols_.condition(opcode == Opcode::Eq ? Definition::Kind::Zero : Definition::Kind::NotZero,
                                        std::move(tested), reason),
                     1, mask);
  }
  // a < b is b - a - 1 >= 0; where the rest is a multiple of something, constants in between make no difference.
  Linear at_least = Linear{}.add(tested, -1);
  at_least.constant = 0;
  const Wide grain = symbols_.multiple_of(at_least);
  std::optional<Wide> constant;
  bool same = true;
  for_lanes(mask, [&](unsigned l) {
    const Wide own = -Wide{whole.at(l)} - (strict ? 1 : 0);
    const Wide rounded = own >= 0 ? own / grain * grain : -((-own + grain - 1) / grain * grain);
    if (!constant)
      constant = rounded;
    same &= *constant == rounded;
  });
  if (!same)
    return std::nullopt;
  at_least.constant = *constant;
  return of_symbol(symbols_.condition(Definition::Kind::AtLeast0, std::move(at_least), reason), 1, mask);
}

Value Arithmetic::compare_symbols(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  // != is not ==, and a <= b is not b < a: one symbol for both.
  const bool negated = opcode == Opcode::Ne || opcode == Opcode::ULe || opcode == Opcode::SLe;
  const Opcode plain = opcode == Opcode::Ne    ? Opcode::Eq
                       : opcode == Opcode::ULe ? Opcode::ULt
                       : opcode == Opcode::SLe ? Opcode::SLt
                                               : opcode;
  const bool swapped = negated && plain != Opcode::Eq;
  Value out = opaque(static_cast<std::uint32_t>(plain), 1, {swapped ? &b : &a, swapped ? &a : &b}, 1, mask, 0);
  if (negated && !(out.unknown & mask))
    out.base[0] ^= 1;
  return out;
}

std::optional<LaneMask> Arithmetic::null_pointers(const Value &a, const Value &b, const Value &difference,
                                                  LaneMask mask) const {
  const bool a_is_null = a.constant() && all_lanes_equal(a, 0, mask);
  if (!a_is_null && !(b.constant() && all_lanes_equal(b, 0, mask)))
    return std::nullopt;
  const bool windows = std::all_of(difference.terms.begin(), difference.terms.end(), [&](const Term &term) {
    return is_symbol(term.dimension) && symbols_[term.dimension].window != Symbol::Window::None;
  });
  if (!windows)
    return std::nullopt;
  const Value &pointer = a_is_null ? b : a;
  LaneMask null = 0;
  bool known = true;
  // Lanes that different ways have led here have pointers to different windows, or numbers.
  for_lanes(mask, [&](unsigned lane) {
    std::int64_t bases = 0;
    for (const Term &term : difference.terms)
      bases += std::abs(term.at(lane));
    known &= bases <= 1;
    if (bases == 0 && pointer.at(lane) == 0)
      null |= 1u << lane;
  });
  return known ? std::optional(null) : std::nullopt;
}

Value Arithmetic::compare(Opcode opcode, const Value &a, const Value &b, LaneMask mask, ConditionUse use) {
  Value out = blank(1, mask);
  if ((a.unknown | b.unknown) & mask)
    return make_unknown(1, mask, (a.unknown & mask) ? a.reason : b.reason);
  const bool equality = opcode == Opcode::Eq || opcode == Opcode::Ne;
  const Sign sign = opcode == Opcode::ULt || opcode == Opcode::ULe ? Sign::Unsigned : Sign::Signed;
  Value difference = blank(64, mask);
  difference.terms = a.terms;
  add_terms(difference, b, -1, mask);
  if (symbols_.exact && (a.has_symbol() || b.has_symbol())) {
    // Only what is the same sum of the same symbols is known to be equal, or to be apart.
    if (!equality || !difference.terms.empty())
      return compare_symbols(opcode, a, b, mask);
    fill(out, a.uniform && b.uniform, mask, [&](unsigned lane) -> std::int64_t {
      return (canonical(a.at(lane) - b.at(lane), a.width) == 0) == (opcode == Opcode::Eq);
    });
    return out;
  }
  if (difference.has_symbol() && equality)
    if (const std::optional<LaneMask> null = null_pointers(a, b, difference, mask)) {
      Value out = blank(1, mask);
      fill(out, false, mask,
           [&](unsigned lane) -> std::int64_t { return ((*null >> lane & 1) != 0) == (opcode == Opcode::Eq); });
      compact(out, mask);
      return out;
    }
  if (difference.has_symbol() && symbols_.symbolic)
    if (auto known = symbolic_compare(opcode, a, b, difference, mask, use))
      return *known;
  if (difference.has_symbol())
    return opaque(static_cast<std::uint32_t>(opcode), 1, {&a, &b}, 1, mask,
                  symbols_[difference.terms.back().dimension].reason);
  const bool moves = !difference.terms.empty();
  if (!a.terms.empty() || !b.terms.empty()) { // exact readings, unless both move alike and only equality is asked
    if (!(equality && !moves)) {
      keep_exact(a, sign, mask);
      keep_exact(b, sign, mask);
    }
  }
  std::array<Wide, kWarpSize> apart{};
  fill(out, a.uniform && b.uniform, mask, [&](unsigned lane) -> std::int64_t {
    apart[lane] = exact(a, sign, lane) - exact(b, sign, lane);
    switch (opcode) {
    case Opcode::Eq: return apart[lane] == 0;
    case Opcode::Ne: return apart[lane] != 0;
    case Opcode::ULt:
    case Opcode::SLt: return apart[lane] < 0;
    default: return apart[lane] <= 0;
    }
  });
  if (!moves)
    return out;
  for_lanes(mask, [&](unsigned lane) { apart[lane] = exact(a, sign, lane) - exact(b, sign, lane); });
  // The region in which each lane's difference stays on its side of the decision.
  std::array<Wide, kWarpSize> room{};
  LaneMask low = 0, high = 0;
  const bool strict = opcode == Opcode::ULt || opcode == Opcode::SLt;
  for_lanes(mask, [&](unsigned lane) {
    const Wide d = apart[lane];
    if (equality) {
      if (d <= 0)
        low |= 1u << lane;
      if (d >= 0)
        high |= 1u << lane;
    } else {
      (d < 0 || (!strict && d == 0) ? low : high) |= 1u << lane;
    }
  });
  if (low) {
    for_lanes(low, [&](unsigned lane) {
      room[lane] = -apart[lane] - (equality ? (apart[lane] == 0 ? 0 : 1) : strict ? 1 : 0);
    });
    guard_lanes(difference, -1, low, room);
  }
  if (high) {
    for_lanes(high, [&](unsigned lane) {
      room[lane] = apart[lane] - (equality ? (apart[lane] == 0 ? 0 : 1) : strict ? 0 : 1);
    });
    guard_lanes(difference, 1, high, room);
  }
  return out;
}

Value Arithmetic::select(const Value &condition, const Value &a, const Value &b, LaneMask mask) {
  if (condition.unknown & mask || condition.has_symbol()) {
    if (equal(a, b, mask))
      return a;
    const std::uint32_t why =
        (condition.unknown & mask) ? condition.reason : symbols_[condition.terms.back().dimension].reason;
    if (condition.has_symbol() && warp_uniform(a, mask) && warp_uniform(b, mask))
      return opaque(static_cast<std::uint32_t>(Opcode::Select), 0, {&condition, &a, &b}, a.width, mask, why);
    Value out = make_unknown(a.width, mask, why);
    if ((condition.unknown & mask) == mask)
      out.choice = one_of(a, b, mask);
    return out;
  }
  LaneMask chosen = 0;
  for_lanes(mask, [&](unsigned lane) {
    if (condition.at(lane))
      chosen |= 1u << lane;
  });
  Value out = (chosen == mask || !chosen) ? (chosen ? a : b) : b;
  out.defined = mask;
  out.unknown &= mask;
  if (chosen && chosen != mask) {
    assign(out, a, chosen);
    compact(out, mask);
  }
  return out;
}

Value Arithmetic::extreme(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  const bool is_signed = opcode == Opcode::SMin || opcode == Opcode::SMax;
  const bool minimum = opcode == Opcode::SMin || opcode == Opcode::UMin;
  const Value less = compare(is_signed ? Opcode::SLt : Opcode::ULt, a, b, mask);
  if (less.unknown & mask)
    return unknown_result(a, b, a.width, mask, opcode);
  if (less.has_symbol())
    return unknown_result(a, b, a.width, mask, opcode);
  return minimum ? select(less, a, b, mask) : select(less, b, a, mask);
}

} // namespace smem
