// Bits: and, or, xor, changes of width.
#include <map>
#include <memory>
#include <tuple>

#include "domain_parts.h"

namespace smem::pattern {

namespace {

/// A condition in one lane: `constant`, xor-ed with symbols.
struct Function {
  bool constant = false;
  std::vector<DimensionId> symbols;
  auto operator<=>(const Function &) const = default;
};

Function function_in(const Value &condition, unsigned lane) {
  Function out{(condition.at(lane) & 1) != 0, {}};
  for (const Term &t : condition.terms)
    if (t.at(lane) & 1)
      out.symbols.push_back(t.dimension);
  return out;
}

} // namespace

Value Domain::logical(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask) {
  const bool absorbing = opcode == Opcode::Or; // what decides alone; of an exclusive or nothing does
  std::map<DimensionId, LaneMask> symbols;     // lanes that have them
  LaneMask ones = 0;
  const auto take = [&](unsigned lane, const Function &function) {
    if (function.constant)
      ones ^= 1U << lane;
    for (const DimensionId symbol : function.symbols)
      symbols[symbol] ^= 1U << lane;
  };
  std::map<std::pair<Function, Function>, LaneMask> pairs; // lanes in which the outcome is a quantity of its own
  for_lanes(mask, [&](unsigned lane) {
    Function first = function_in(a, lane), second = function_in(b, lane);
    if (opcode == Opcode::Xor) {
      take(lane, first);
      take(lane, second);
    } else if (first == second) {
      take(lane, first);
    } else if (first.symbols == second.symbols) { // one is the other's complement
      take(lane, {absorbing, {}});
    } else if (first.symbols.empty() || second.symbols.empty()) {
      const auto &[constant, other] = first.symbols.empty() ? std::tie(first, second) : std::tie(second, first);
      take(lane, constant.constant == absorbing ? constant : other);
    } else {
      pairs[std::minmax(first, second)] |= 1U << lane;
    }
  });
  if (pairs.size() > kMostFunctions)
    return unknown(1, mask, because("conditions that lanes differ in"));
  auto both = owners(a);
  merge_owners(both, owners(b));
  for (const auto &[pair, lanes] : pairs) {
    const Value outcome = fresh(key + "&" + std::to_string(first_lane(lanes)), both, 0, 1, lanes, {}, 0, 1);
    for_lanes(lanes, [&](unsigned lane) { take(lane, function_in(outcome, lane)); });
  }
  Value out = make_uniform(0, 1, mask);
  out.uniform = false;
  out.base.fill(0);
  for_lanes(mask & ones, [&](unsigned lane) { out.base[lane] = 1; });
  for (const auto &[symbol, lanes] : symbols) {
    if (!(lanes & mask))
      continue;
    auto own = std::make_shared<Lanes>();
    own->fill(0);
    for_lanes(lanes & mask, [&](unsigned lane) { (*own)[lane] = 1; });
    out.terms.push_back({symbol, 0, std::move(own)}); // sorted, as the map is
  }
  compact(out, mask);
  return out;
}

Value Domain::bitwise(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask) {
  const unsigned width = a.width;
  const Value *constant = b.terms.empty() ? &b : a.terms.empty() ? &a : nullptr;
  const Value &other = constant == &b ? a : b;
  if (width == 1) {
    // Conditions: x & 1, x | 0, x ^ 1 and the like, lane by lane.
    if (constant) {
      Value out = other;
      spread(out);
      for (Term &t : out.terms) {
        auto lanes = std::make_shared<Lanes>();
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          (*lanes)[lane] = t.at(lane);
        t.lanes = lanes;
      }
      for_lanes(mask, [&](unsigned lane) {
        const bool c = constant->at(lane) & 1;
        const bool drop = (opcode == Opcode::And && !c) || (opcode == Opcode::Or && c);
        if (drop) {
          out.base[lane] = opcode == Opcode::Or;
          for (Term &t : out.terms)
            std::const_pointer_cast<Lanes>(t.lanes)->at(lane) = 0;
        } else if (opcode == Opcode::Xor && c) {
          out.base[lane] ^= 1;
        }
      });
      compact(out, mask);
      return out;
    }
    if (warp_uniform(a, mask) && warp_uniform(b, mask)) {
      auto both = owners(a);
      merge_owners(both, owners(b));
      return fresh(key, both, 0, 1, mask, {}, 0, 1);
    }
    return logical(opcode, a, b, key, mask);
  }
  if (constant && constant->uniform) {
    const std::int64_t c = constant->base[0];
    if (opcode == Opcode::Xor && c == -1)
      return add(make_uniform(-1, width, mask), other, -1, mask);
    if (opcode == Opcode::And) {
      const std::uint64_t bits = as_unsigned(c, width);
      if (bits + 1 != 0 && std::has_single_bit(bits + 1) && bits < (std::uint64_t{1} << 62))
        return quotient(Opcode::And, other, static_cast<std::int64_t>(bits + 1), true, key, mask);
      if (const std::uint64_t below = as_unsigned(~c, width);
          std::has_single_bit(below + 1) && below < (std::uint64_t{1} << 62) && below) {
        if (warp_uniform(other, mask))
          return rounded_down(other, static_cast<unsigned>(std::countr_zero(below + 1)), mask);
        return add(other, quotient(Opcode::And, other, static_cast<std::int64_t>(below + 1), true, key, mask), -1,
                   mask);
      }
    }
  }
  const unsigned grain = std::min(std::min(grain_of(a, mask), grain_of(b, mask)), 62u);
  const auto low = [&](const Value &v) {
    return each(without_terms(v), mask, [&](std::int64_t x) { return x - power(grain) * floor_of(x, power(grain)); });
  };
  const auto high_same = [&](const Value &v) {
    return same_base(each(without_terms(v), mask, [&](std::int64_t x) { return floor_of(x, power(grain)); }), mask) &&
           std::all_of(v.terms.begin(), v.terms.end(), [&](const Term &t) { return uniform_over(t, mask); });
  };
  if (constant) {
    bool below = true;
    for_lanes(mask, [&](unsigned lane) { below &= constant->at(lane) >= 0 && constant->at(lane) < power(grain); });
    if (below) {
      const Value joined = constants_.binary(opcode, low(*constant), low(other), mask);
      if (opcode == Opcode::And)
        return joined;
      return add(add(other, low(other), -1, mask), joined, 1, mask);
    }
  }
  auto both = owners(a);
  merge_owners(both, owners(b));
  if (high_same(a) && high_same(b)) {
    const Value joined = constants_.binary(opcode, low(a), low(b), mask);
    unsigned above = grain;
    const bool positive = opcode == Opcode::And ? not_negative(a, mask) || not_negative(b, mask)
                                                : not_negative(a, mask) && not_negative(b, mask);
    std::optional<std::int64_t> most;
    const auto ra = range(a, first_lane(mask)), rb = range(b, first_lane(mask));
    const auto fill = [](std::int64_t v) {
      return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(v) + 1) - 1);
    };
    if (opcode == Opcode::And) {
      if (ra && ra->first >= 0)
        most = ra->second | (power(grain) - 1);
      if (rb && rb->first >= 0)
        most = most ? std::min(*most, rb->second | (power(grain) - 1)) : rb->second | (power(grain) - 1);
      // Zeros at the end of one of them stay.
      if (warp_uniform(a, mask) && warp_uniform(b, mask)) {
        const auto zeros = [&](const Value &v) {
          return std::min<std::int64_t>(grain_of(v, mask), magnitude_grain(v.at(first_lane(mask))));
        };
        const auto bits = static_cast<unsigned>(std::max(zeros(a), zeros(b)));
        if (bits >= above)
          return fresh(key, both, bits, width, mask, {}, positive ? std::optional<std::int64_t>(0) : std::nullopt,
                       most);
      }
    } else if (ra && rb && ra->first >= 0 && rb->first >= 0 && ra->second < power(40) && rb->second < power(40)) {
      most = fill(std::max(ra->second, rb->second)) | (power(std::min(grain, 40u)) - 1);
    }
    std::string name;
    const std::string first = name_of(a, mask), second = name_of(b, mask);
    if (grain == 0 && !first.empty() && !second.empty())
      name = in_parentheses(first) +
             (opcode == Opcode::And  ? " & "
              : opcode == Opcode::Or ? " | "
                                     : " ^ ") +
             in_parentheses(second);
    return add(fresh(key, both, above, width, mask, std::move(name),
                     positive ? std::optional<std::int64_t>(0) : std::nullopt, most),
               joined, 1, mask);
  }
  // More low bits of what is the same in all lanes would have to be known.
  unsigned needed = 0;
  for (const Value *v : {&a, &b})
    if (!same_base(*v, mask))
      needed = std::max(needed, span_bits(without_terms(*v), mask));
  if (constant && opcode == Opcode::And) { // bits above those of the mask do not matter
    unsigned top = 0;
    bool positive = true;
    for_lanes(mask, [&](unsigned lane) {
      positive &= constant->at(lane) >= 0;
      top =
          std::max(top, 64u - static_cast<unsigned>(std::countl_zero(static_cast<std::uint64_t>(constant->at(lane)))));
    });
    if (positive)
      needed = std::min(std::max(needed, 1u), top) == 0
                   ? 1
                   : std::max(std::min(needed, top), same_base(other, mask) ? top : 0u);
  }
  const Value &loose = grain_of(a, mask) <= grain_of(b, mask) ? a : b;
  if (const auto better = realigned(loose, needed, mask))
    return bitwise(opcode, &loose == &a ? *better : a, &loose == &b ? *better : b, key, mask);
  return want_grain(loose, needed, width, mask, "the low bits of what is combined with the lanes' indices");
}

Value Domain::rounded_down(const Value &a, unsigned bits, LaneMask mask) {
  Value whole = make_uniform(0, a.width, mask), loose = a;
  for (const Term &t : a.terms)
    if (magnitude_grain(t.at(first_lane(mask))) >= bits)
      whole.terms.push_back(t);
  std::erase_if(loose.terms, [&](const Term &t) { return magnitude_grain(t.at(first_lane(mask))) >= bits; });
  if (loose.terms.empty())
    return add(whole, each(loose, mask, [&](std::int64_t b) { return power(bits) * floor_of(b, power(bits)); }), 1,
               mask);
  std::string name = name_of(loose, mask);
  if (!name.empty())
    name = in_parentheses(name) + " & ~" + std::to_string(power(bits) - 1);
  std::optional<std::int64_t> most;
  if (const auto bounds = range(loose, first_lane(mask)))
    most = bounds->second;
  return add(whole,
             fresh("down " + std::to_string(bits) + " " + identity(loose, mask), owners(loose), bits, a.width, mask,
                   std::move(name), not_negative(loose, mask) ? std::optional<std::int64_t>(0) : std::nullopt, most),
             1, mask);
}

Value Domain::resize(Opcode opcode, const Value &a, unsigned width, const std::string &key, LaneMask mask) {
  if (a.unknown & mask)
    return make_unknown(width, mask, a.reason);
  if (a.terms.empty())
    return constants_.resize(opcode, a, width, mask);
  if (opcode == Opcode::Truncate) {
    if (width == 1 || width < 32) {
      const auto reduce = [&](std::int64_t v) { return canonical(v, width); };
      Value out = each(without_terms(a), mask, reduce);
      out.width = static_cast<std::uint8_t>(width);
      out = each(out, mask, reduce);
      for (Term t : a.terms) {
        if (!t.lanes)
          t.uniform = canonical(t.uniform, width);
        else {
          auto lanes = std::make_shared<Lanes>(*t.lanes);
          for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = canonical((*lanes)[lane], width); });
          t.lanes = std::move(lanes);
        }
        out.terms.push_back(std::move(t));
      }
      compact(out, mask);
      if (width == 1) {
        if (out.terms.empty())
          return out;
        if (warp_uniform(a, mask))
          return fresh(key, owners(a), 0, 1, mask, name_of(a, mask), 0, 1);
        return unknown(1, mask, because("a bit that lanes differ in"));
      }
      return out;
    }
    Value out = a;
    out.width = static_cast<std::uint8_t>(width);
    spread(out);
    for_lanes(mask, [&](unsigned lane) { out.base[lane] = canonical(out.base[lane], width); });
    for (Term &t : out.terms) {
      if (!t.lanes) {
        t.uniform = canonical(t.uniform, width);
        continue;
      }
      auto lanes = std::make_shared<Lanes>(*t.lanes);
      for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = canonical((*lanes)[lane], width); });
      t.lanes = std::move(lanes);
    }
    compact(out, mask);
    return out;
  }
  if (a.width == 1) {
    // A condition is 0 or 1: base 1 stands for its opposite.
    if (a.terms.size() > 1) {
      bool one_each = true;
      for_lanes(mask, [&](unsigned lane) {
        int some = 0;
        for (const Term &t : a.terms)
          some += t.at(lane) != 0;
        one_each &= some <= 1;
      });
      if (!one_each)
        return unknown(width, mask, because("a condition that lanes differ in"));
    }
    const std::int64_t one = opcode == Opcode::SignExtend ? -1 : 1;
    Value out = make_uniform(0, width, mask);
    out.uniform = false;
    out.base.fill(0);
    for_lanes(mask, [&](unsigned lane) { out.base[lane] = (a.at(lane) & 1) * one; });
    for (const Term &t : a.terms) {
      auto lanes = std::make_shared<Lanes>();
      lanes->fill(0);
      for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = t.at(lane) == 0 ? 0 : (a.at(lane) & 1) ? -one : one; });
      out.terms.push_back({t.dimension, 0, std::move(lanes)});
    }
    compact(out, mask);
    return out;
  }
  bool in_range = true;
  for_lanes(mask, [&](unsigned lane) {
    const auto r = range(a, lane);
    in_range &= r && (opcode == Opcode::SignExtend || r->first >= 0);
  });
  const bool uniform = warp_uniform(a, mask);
  if (!in_range && a.width < 32) {
    if (uniform) {
      const unsigned grain =
          std::min<unsigned>(grain_of(a, mask), static_cast<unsigned>(magnitude_grain(a.at(first_lane(mask)))));
      const bool zero = opcode == Opcode::ZeroExtend;
      // A whole narrow argument keeps its name.
      std::string name = a.terms.size() == 1 && quantity(a.terms[0].dimension).argument != kNone &&
                                 quantity(a.terms[0].dimension).width == a.width
                             ? name_of(a, mask)
                             : std::string();
      return fresh(key, owners(a), grain, width, mask, std::move(name), zero ? 0 : -power(a.width - 1u),
                   zero ? power(a.width) - 1 : power(a.width - 1u) - 1);
    }
    // Lanes differ below what wraps around.
    const unsigned grain = grain_of(a, mask);
    const bool together =
        grain < a.width &&
        std::ranges::all_of(
            a.terms, [&](const Term &t) { return uniform_over(t, mask); }) &&
        same_base(each(without_terms(a), mask, [&](std::int64_t b) { return floor_of(b, power(grain)); }), mask);
    if (!together)
      return unknown(width, mask, because("a narrow value that may wrap around"));
    Value low =
        each(without_terms(a), mask, [&](std::int64_t b) { return b - power(grain) * floor_of(b, power(grain)); });
    low.width = static_cast<std::uint8_t>(width);
    const bool zero = opcode == Opcode::ZeroExtend;
    return add(fresh(key, owners(a), grain, width, mask, {}, zero ? 0 : -power(a.width - 1u),
                     (zero ? power(a.width) : power(a.width - 1u)) - power(grain)),
               low, 1, mask);
  }
  if (!in_range && !uniform) {
    // Presumed: no index wraps around between lanes. Where they are far apart it is none.
    std::int64_t least = INT64_MAX, most = INT64_MIN;
    for_lanes(mask, [&](unsigned lane) {
      least = std::min(least, a.at(lane));
      most = std::max(most, a.at(lane));
    });
    bool near = distance(least, most) < kNearBy;
    for (const Term &t : a.terms)
      if (t.lanes)
        for_lanes(mask, [&](unsigned lane) { near &= std::abs((*t.lanes)[lane]) < kNearBy; });
    if (!near)
      return unknown(width, mask, because("a value that wraps around"));
  }
  Value out = a;
  out.width = static_cast<std::uint8_t>(width);
  return out;
}

} // namespace smem::pattern
