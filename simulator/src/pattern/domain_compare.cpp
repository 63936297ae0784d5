// Comparisons, and what depends on them.
#include "domain_parts.h"

namespace smem::pattern {

std::optional<bool> Domain::all_beyond(Opcode opcode, const Value &a, const Value &b, LaneMask mask) const {
  if (supposed_.empty() || warp_uniform(a, mask) == warp_uniform(b, mask))
    return std::nullopt;
  const bool limit_first = warp_uniform(a, mask);
  const bool strict = opcode == Opcode::SLt || opcode == Opcode::ULt;
  // `x < limit` and `limit <= x` ask which are below it, the others which are above.
  const auto known =
      supposed_.find((strict != limit_first ? "below " : "above ") + identity(limit_first ? a : b, mask) + " of " +
                     identity_by_lane(limit_first ? b : a, mask));
  if (known == supposed_.end() || known->second.modulus != 0)
    return std::nullopt;
  if (known->second.remainder == 0)
    return !strict;
  return known->second.remainder == std::popcount(mask) ? std::optional(strict) : std::nullopt;
}

Value Domain::compare(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask,
                      bool may_agree) {
  if (auto lost = unknown_of(a, b, 1, mask))
    return *lost;
  if (a.terms.empty() && b.terms.empty())
    return constants_.compare(opcode, a, b, mask);
  const unsigned width = a.width;
  std::vector<BlockId> both = owners(a);
  merge_owners(both, owners(b));
  // By lane: 0 or 1, or a function of symbols that it shares with other lanes, by number.
  std::array<int, kWarpSize> outcome{};
  std::map<std::int64_t, int> functions;
  bool fails = false;
  const auto function_of = [&](std::int64_t which) {
    return 2 + functions.try_emplace(which, static_cast<int>(functions.size())).first->second;
  };
  const Value difference = add(a, b, -1, mask);
  const bool uniform_terms = std::all_of(difference.terms.begin(), difference.terms.end(),
                                         [&](const Term &t) { return uniform_over(t, mask); });
  const bool equality = opcode == Opcode::Eq || opcode == Opcode::Ne;
  if (width > 1 && difference.terms.empty() && equality) {
    return constants_.compare(opcode, difference, make_uniform(0, width, mask), mask);
  }
  // An index does not wrap around between the lanes: what all of them are apart from its end by decides for all of them.
  const bool of_indices =
      opcode == Opcode::SLt || opcode == Opcode::SLe || (not_negative(a, mask) && not_negative(b, mask));
  if (width >= 32 && !equality && of_indices && !warp_uniform(a, mask) && warp_uniform(difference, mask)) {
    const bool strict = opcode == Opcode::ULt || opcode == Opcode::SLt;
    return compare(strict ? Opcode::SLt : Opcode::SLe, difference, make_uniform(0, width, mask), key, mask, may_agree);
  }
  if (width == 1 && !equality)
    return function({&a, &b}, 1, key, mask, "conditions that lanes differ in");
  const unsigned grain = std::min(std::min(grain_of(a, mask), grain_of(b, mask)), 62u);
  const auto high = [&](const Value &v, unsigned lane) { return floor_of(v.at(lane), power(grain)); };
  const auto low = [&](const Value &v, unsigned lane) { return v.at(lane) - power(grain) * high(v, lane); };
  bool high_a = true, high_b = true;
  for_lanes(mask, [&](unsigned lane) {
    high_a &= high(a, lane) == high(a, first_lane(mask));
    high_b &= high(b, lane) == high(b, first_lane(mask));
  });
  const auto terms_uniform = [&](const Value &v) {
    return std::all_of(v.terms.begin(), v.terms.end(), [&](const Term &t) { return uniform_over(t, mask); });
  };
  const bool in_chunks = high_a && high_b && terms_uniform(a) && terms_uniform(b);
  const bool is_signed = opcode == Opcode::SLt || opcode == Opcode::SLe;
  for_lanes(mask, [&](unsigned lane) {
    if (width > 1) {
      const auto ra = range(a, lane), rb = range(b, lane), rd = range(difference, lane);
      const bool fits = ra && rb && rd && (equality || is_signed || (ra->first >= 0 && rb->first >= 0));
      if (fits) {
        const bool strict = opcode == Opcode::ULt || opcode == Opcode::SLt;
        if (equality && (rd->first > 0 || rd->second < 0)) {
          outcome[lane] = opcode == Opcode::Ne;
          return;
        }
        if (!equality && (strict ? rd->second < 0 : rd->second <= 0)) {
          outcome[lane] = 1;
          return;
        }
        if (!equality && (strict ? rd->first >= 0 : rd->first > 0)) {
          outcome[lane] = 0;
          return;
        }
      }
    }
    if (equality) {
      if (!uniform_terms) {
        fails = true;
        return;
      }
      const unsigned zeros = std::min(grain_of(difference, mask), 62u);
      const std::int64_t base = width == 1 ? difference.at(lane) & 1 : difference.at(lane);
      if (base - power(zeros) * floor_of(base, power(zeros)) != 0 && zeros <= width) {
        outcome[lane] = opcode == Opcode::Ne;
        return;
      }
      outcome[lane] = function_of(base);
      return;
    }
    // The upper parts decide, which are the same in all lanes; where they are equal, the lower ones.
    if (!in_chunks) {
      fails = true;
      return;
    }
    const bool strict = opcode == Opcode::ULt || opcode == Opcode::SLt;
    const bool lower = strict ? low(a, lane) < low(b, lane) : low(a, lane) <= low(b, lane);
    outcome[lane] = function_of(lower);
  });
  if (fails || functions.size() > kMostFunctions) {
    if (auto split = split_small(difference, 1, mask))
      return *split;
    const auto only = [&](const Value &v) {
      return v.terms.size() == 1 && !v.terms[0].lanes ? &quantity(v.terms[0].dimension) : nullptr;
    };
    for (const Value *v : {&a, &b})
      if (const Quantity *q = only(*v); q && (v == &a ? b : a).terms.empty() && q->has_at_most(64)) {
        Why why;
        why.kind = Why::Kind::Split;
        why.text = "a condition on a value that is not known";
        why.key = q->key;
        why.ways = values_between(*q->least, *q->most);
        return unknown(1, mask, std::move(why));
      }
    if (const auto all = equality ? std::nullopt : all_beyond(opcode, a, b, mask))
      return make_uniform(*all, 1, mask);
    Why why = because("a condition that holds in some lanes only, and in which is not known");
    if (!equality && may_agree) {
      const std::string limit = name_of(warp_uniform(a, mask) ? a : b, mask);
      Quantity agreed;
      agreed.key = "agree on " + key;
      agreed.name = limit.empty() ? "all lanes agree on a condition" : "all lanes are on one side of " + limit;
      agreed.width = 1;
      agreed.least = 0;
      agreed.most = 1;
      if (supposed_.contains(agreed.key))
        return fresh(key + "?", both, 0, 1, mask, {}, 0, 1);
      why.kind = Why::Kind::Split;
      why.key = agreed.key;
      why.ways = {{0, 1}};
      why.complete = false;
      symbol(std::move(agreed), 1, mask); // so that it has its name
    }
    if (equality && !fails) {
      const std::string limit = name_of(warp_uniform(a, mask) ? a : b, mask);
      Quantity equal_ones;
      equal_ones.key = key;
      equal_ones.name =
          limit.empty() ? "lanes for which a comparison holds" : "lanes equal to " + in_parentheses(limit);
      equal_ones.least = 0;
      equal_ones.most = std::popcount(mask);
      if (supposed_.contains(key))
        return make_uniform(opcode == Opcode::Ne, 1, mask);
      symbol(std::move(equal_ones), 32, mask); // so that it has its name
      why.kind = Why::Kind::Split;
      why.key = key;
      why.ways = {{0, 0}};
      why.complete = false;
      why.rivals.emplace();
      why.rivals->satisfied = opcode == Opcode::Eq;
      for_lanes(mask,
                [&](unsigned lane) { why.rivals->group[lane] = outcome[lane] < 2 ? Rivals::kNever : outcome[lane]; });
    }
    return unknown(1, mask, std::move(why));
  }
  Value out = make_uniform(0, 1, mask);
  out.uniform = false;
  out.base.fill(0);
  for_lanes(mask, [&](unsigned lane) { out.base[lane] = outcome[lane] == 1; });
  std::string name; // of one that is the same in all lanes
  if (const std::string first = name_of(a, mask), second = name_of(b, mask); !first.empty() && !second.empty())
    name = in_parentheses(first) +
           (opcode == Opcode::Eq                             ? " == "
            : opcode == Opcode::Ne                           ? " != "
            : opcode == Opcode::SLt || opcode == Opcode::ULt ? " < "
                                                             : " <= ") +
           in_parentheses(second);
  for (const auto &[which, number] : functions) {
    const Value condition = fresh(key + "?" + std::to_string(which), both, 0, 1, mask, name, 0, 1);
    auto lanes = std::make_shared<Lanes>();
    lanes->fill(0);
    for_lanes(mask, [&](unsigned lane) {
      if (outcome[lane] != 2 + number)
        return;
      (*lanes)[lane] = condition.terms.empty() ? 0 : 1;
      out.base[lane] = condition.base[0] & 1;
    });
    if (condition.terms.empty())
      continue;
    Value part = make_uniform(0, 1, mask);
    part.terms.push_back({condition.terms[0].dimension, 0, std::move(lanes)});
    add_terms(out, part, 1, mask);
  }
  compact(out, mask);
  return out;
}

Value Domain::select(const Value &condition, const Value &a, const Value &b, const std::string &key, LaneMask mask) {
  const unsigned width = a.width;
  if (width == 1 && b.terms.empty() && !(b.unknown & mask) && b.uniform && !(b.base[0] & 1))
    return binary(Opcode::And, condition, a, key, mask);
  if (width == 1 && a.terms.empty() && !(a.unknown & mask) && a.uniform && (a.base[0] & 1))
    return binary(Opcode::Or, condition, b, key, mask);
  if (condition.unknown & mask)
    return equal(a, b, mask) ? a : make_unknown(width, mask, condition.reason);
  if (condition.terms.empty()) {
    LaneMask yes = 0;
    for_lanes(mask, [&](unsigned lane) {
      if (condition.at(lane) & 1)
        yes |= 1u << lane;
    });
    if (yes == mask)
      return a;
    if (!yes)
      return b;
    Value out = b;
    assign(out, a, yes);
    out.defined = mask;
    compact(out, mask);
    return out;
  }
  if (auto lost = unknown_of(a, b, width, mask))
    return *lost;
  if (equal(a, b, mask))
    return a;
  if (width == 1)
    return unknown(width, mask, because("a choice between conditions"));
  // b + condition * (a - b)
  Value chosen =
      add(b, multiply(resize(Opcode::ZeroExtend, condition, width, {}, mask), add(a, b, -1, mask), mask), 1, mask);
  if (condition.terms.size() == 1 && !(chosen.unknown & mask) && warp_uniform(chosen, mask)) {
    const std::string &which = quantity(condition.terms[0].dimension).name;
    std::string yes = name_of(a, mask), no = name_of(b, mask);
    if (condition.at(first_lane(mask)) & 1)
      std::swap(yes, no);
    if (!which.empty() && !yes.empty() && !no.empty())
      names_[identity(chosen, mask)] = in_parentheses(which) + " ? " + in_parentheses(yes) + " : " + in_parentheses(no);
  }
  return chosen;
}

} // namespace smem::pattern
