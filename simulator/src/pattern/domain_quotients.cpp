// Quotients, remainders, shifts.
#include <numeric>

#include "domain_parts.h"

namespace smem::pattern {
namespace {

constexpr unsigned kMostDivisorBits = 9;     ///< 32 lanes of 16 elements each
constexpr std::int64_t kMostRemainders = 16; ///< of a constant divisor that are looked at one by one

bool has_uniform_terms(const Value &a, LaneMask mask) {
  return std::ranges::all_of(a.terms, [&](const Term &t) { return uniform_over(t, mask); });
}

/// How far the lanes' bases are apart.
std::int64_t span_of(const Value &a, LaneMask mask) {
  std::int64_t least = INT64_MAX, most = INT64_MIN;
  for_lanes(mask, [&](unsigned lane) {
    least = std::min(least, a.at(lane));
    most = std::max(most, a.at(lane));
  });
  return distance(least, most);
}

} // namespace

Value Domain::divide_by_unknown(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask) {
  // a / (2^k d) is floor(a / 2^k) / d, which is the same in all lanes if they differ in less than that.
  const bool rest = opcode == Opcode::URem || opcode == Opcode::SRem;
  const bool is_signed = opcode == Opcode::SDiv || opcode == Opcode::SRem;
  std::string what = "a division by a value that is not known";
  if (b.terms.size() == 1 && !quantity(b.terms[0].dimension).name.empty())
    what = "a division by `" + quantity(b.terms[0].dimension).name + "`, which is not known";
  std::vector<BlockId> both = owners(a);
  merge_owners(both, owners(b));
  if (warp_uniform(a, mask) || !warp_uniform(b, mask))
    return function({&a, &b}, a.width, key, mask, what);
  if (auto split = split_small(a, a.width, mask))
    return *split;
  const unsigned grain =
      std::min<unsigned>({grain_of(b, mask), static_cast<unsigned>(magnitude_grain(b.at(first_lane(mask)))), 62u});
  const Divisor divisor = divisor_of(b, mask);
  Why negative = because(what);
  if (is_signed && !not_negative(a, mask) && !none_negative(key, mask, negative))
    return unknown(a.width, mask, std::move(negative));
  if (is_supposed_same_quotient(a, divisor, mask))
    return same_quotient(a, divisor, rest, key, mask, what);
  if (const unsigned needed = span_bits(without_terms(a), mask); grain < needed)
    return want_divisor(a, b, needed, mask, what);
  const Value high = quotient(Opcode::AShr, a, power(grain), false, key, mask),
              low = quotient(Opcode::And, a, power(grain), true, key, mask);
  if ((high.unknown | low.unknown) & mask) {
    const Value &lost = (high.unknown & mask) ? high : low;
    constexpr std::size_t kFewWays = 8; // more say too little each
    return whys_[lost.reason].ways.size() > kFewWays ? same_quotient(a, divisor, rest, key, mask, what) : lost;
  }
  if (!warp_uniform(high, mask))
    return same_quotient(a, divisor, rest, key, mask, what);
  const std::optional<std::int64_t> least = not_negative(a, mask) ? std::optional<std::int64_t>(0) : std::nullopt;
  if (!rest)
    return fresh(key, both, 0, a.width, mask, {}, !is_signed || not_negative(b, mask) ? least : std::nullopt);
  return add(fresh(key, both, grain, a.width, mask, {}, least), low, 1, mask);
}

Value Domain::want_divisor(const Value &a, const Value &b, unsigned span, LaneMask mask, const std::string &what) {
  Why why = because(what);
  const std::int64_t base = b.at(first_lane(mask));
  if (span <= kMostDivisorBits && b.terms.size() == 1 && !b.terms[0].lanes && base == 0 && b.terms[0].uniform > 0) {
    const Quantity &q = quantity(b.terms[0].dimension);
    const std::int64_t scale = b.terms[0].uniform;
    why.kind = Why::Kind::Split;
    why.key = q.key;
    why.complete = q.power;
    why.ways.push_back({power(span) / std::gcd(power(span), scale), 0});
    for (std::int64_t divisor = scale; divisor < power(span); divisor *= 2)
      if (std::has_single_bit(static_cast<std::uint64_t>(divisor)) && (!q.least || *q.least <= divisor / scale) &&
          (!q.most || divisor / scale <= *q.most))
        why.ways.push_back({0, divisor / scale});
    return unknown(a.width, mask, std::move(why));
  }
  return same_quotient(a, divisor_of(b, mask), false, {}, mask, what);
}

Domain::Divisor Domain::divisor_of(const Value &b, LaneMask mask) const {
  const auto grain = std::min<std::int64_t>(grain_of(b, mask), magnitude_grain(b.at(first_lane(mask))));
  return {name_of(b, mask), identity(b, mask), owners(b), static_cast<unsigned>(grain), not_negative(b, mask)};
}

std::string Domain::same_quotient_key(const Value &a, const Divisor &by, LaneMask mask) const {
  return "same quotient of " + identity_by_lane(a, mask) + " by " + by.identity;
}

bool Domain::is_supposed_same_quotient(const Value &a, const Divisor &by, LaneMask mask) const {
  return has_uniform_terms(a, mask) && supposed_.contains(same_quotient_key(a, by, mask));
}

Value Domain::same_quotient(const Value &a, const Divisor &by, bool rest, const std::string &key, LaneMask mask,
                            const std::string &what) {
  if (!has_uniform_terms(a, mask))
    return unknown(a.width, mask, because(what));
  Quantity past;
  past.key = same_quotient_key(a, by, mask);
  past.name = "lanes past a multiple of " + (by.name.empty() ? "the divisor" : in_parentheses(by.name));
  past.least = 0;
  past.most = std::popcount(mask) - 1;
  if (!supposed_.contains(past.key)) {
    Why why = because(what);
    why.kind = Why::Kind::Split;
    why.key = past.key;
    why.ways = {{0, 0}};
    why.complete = false;
    symbol(std::move(past), 32, mask); // so that it has its name
    return unknown(a.width, mask, std::move(why));
  }
  std::vector<BlockId> both = owners(a);
  merge_owners(both, by.owners);
  if (!rest)
    return fresh(key, both, 0, a.width, mask, {},
                 not_negative(a, mask) && by.positive ? std::optional<std::int64_t>(0) : std::nullopt);
  const std::int64_t first = a.at(first_lane(mask));
  const unsigned grain =
      std::min<unsigned>({by.grain, grain_of(a, mask), static_cast<unsigned>(magnitude_grain(first)), 62u});
  const Value apart = each(without_terms(a), mask, [&](std::int64_t b) { return b - first; });
  return add(fresh(key, both, grain, a.width, mask), apart, 1, mask);
}

bool Domain::none_negative(const std::string &key, LaneMask mask, Why &wish) {
  Quantity below;
  below.key = "negative " + key;
  below.name = "lanes whose index is negative";
  below.least = 0;
  below.most = std::popcount(mask);
  if (supposed_.contains(below.key))
    return true;
  wish.kind = Why::Kind::Split;
  wish.key = below.key;
  wish.ways = {{0, 0}};
  wish.complete = false;
  symbol(std::move(below), 32, mask); // so that it has its name
  return false;
}

Domain::Remainder Domain::remainder_of_all(const Value &a, std::int64_t d, LaneMask mask, const std::string &what) {
  Value loose = make_uniform(0, 64, mask), whole = a;
  std::int64_t common = 0;
  for (const Term &t : a.terms)
    if (const std::int64_t c = t.at(first_lane(mask)); c % d != 0) {
      loose.terms.push_back({t.dimension, c, nullptr});
      common = std::gcd(common, c);
    }
  if (!common)
    return {};
  const std::int64_t modulus = d / std::gcd(common, d);
  if (modulus > kMostRemainders)
    return {};
  std::erase_if(whole.terms, [&](const Term &t) { return t.at(first_lane(mask)) % d != 0; });
  Quantity q;
  q.least = 0;
  for (Term &t : loose.terms) {
    t.uniform /= common;
    const Quantity &part = quantity(t.dimension);
    merge_owners(q.owners, part.owners);
    if (t.uniform < 0 || !part.least || *part.least < 0)
      q.least.reset();
  }
  const bool alone = loose.terms.size() == 1 && loose.terms[0].uniform == 1;
  q.key = alone ? quantity(loose.terms[0].dimension).key : identity(loose, mask);
  q.name = name_of(loose, mask);
  if (supposed_.contains(q.key) && !alone) {
    const Value sum = resize(Opcode::Truncate, symbol(std::move(q), 64, mask), a.width, {}, mask);
    return {add(whole, multiply(sum, make_uniform(common, a.width, mask), mask), 1, mask), {}};
  }
  Why why = because(what);
  why.kind = Why::Kind::Split;
  why.key = q.key;
  why.ways = remainders_of(modulus);
  if (!alone)
    symbol(std::move(q), 64, mask); // so that it has its name
  return {{}, unknown(a.width, mask, std::move(why))};
}

std::optional<Quantity> Domain::quotient_of_argument(Opcode opcode, const Value &a, std::int64_t d,
                                                     LaneMask mask) const {
  if (a.terms.size() != 1 || a.terms[0].lanes || a.terms[0].uniform != 1 || a.at(first_lane(mask)) != 0)
    return std::nullopt;
  const Quantity &whole = quantity(a.terms[0].dimension);
  if (whole.name.empty() && whole.argument == kNone)
    return std::nullopt;
  Quantity out;
  if (!whole.name.empty())
    out.name = whole.name + " / " + std::to_string(d);
  if (opcode == Opcode::SDiv && whole.argument != kNone && whole.scale == 1) {
    out.argument = whole.argument;
    out.offset = whole.offset;
    out.width = whole.width;
    out.divisor = whole.divisor * d;
  }
  return out;
}

Value Domain::quotient(Opcode opcode, const Value &a, std::int64_t d, bool rest, const std::string &key,
                       LaneMask mask) {
  const unsigned width = a.width;
  const bool is_signed = opcode == Opcode::SDiv || opcode == Opcode::SRem;
  const bool is_power = std::has_single_bit(static_cast<std::uint64_t>(d));
  const unsigned bits = is_power ? static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(d))) : 0;
  const bool shifts = opcode == Opcode::AShr || opcode == Opcode::And; // rounds down, whatever the sign
  const bool uniform = warp_uniform(a, mask);
  const auto divisible = [&](const Term &t) {
    bool all = true;
    for_lanes(mask, [&](unsigned lane) { all &= t.at(lane) % d == 0; });
    return all;
  };
  // What is so large was moved to the upper end, to be cut off there.
  bool cut_off = false;
  for_lanes(mask, [&](unsigned lane) {
    for (const Term &t : a.terms)
      cut_off |= !rest && (t.at(lane) >= kNearBy || t.at(lane) <= -kNearBy) && !range(a, lane);
  });
  if (cut_off)
    return uniform ? fresh(key + "/" + std::to_string(d), owners(a), 0, width, mask)
                   : unknown(width, mask, because("a value that wraps around"));
  const bool terms_divisible = std::all_of(a.terms.begin(), a.terms.end(), divisible);
  Why negative = because(rest ? "a remainder of what lanes differ in" : "a quotient of what lanes differ in");
  bool whole = true;
  for_lanes(mask, [&](unsigned lane) { whole &= a.at(lane) % d == 0; });
  const bool shifts_or_unsigned = shifts || (!is_signed && is_power);
  const bool sign_known = not_negative(a, mask) || (!uniform && is_signed && !shifts_or_unsigned &&
                                                    !(whole && terms_divisible) && none_negative(key, mask, negative));
  // A remainder modulo a power of two needs no sign, and a quotient by one is off by the same large power in all lanes.
  const bool exact = sign_known || shifts || (!is_signed && is_power) || (whole && is_signed);
  if (terms_divisible && exact) {
    Value q =
        each(without_terms(a), mask, [&](std::int64_t b) { return rest ? b - d * floor_of(b, d) : floor_of(b, d); });
    if (rest)
      return q;
    q.terms = a.terms;
    for (Term &t : q.terms) {
      if (!t.lanes) {
        t.uniform /= d;
        continue;
      }
      auto lanes = std::make_shared<Lanes>(*t.lanes);
      for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] /= d; });
      t.lanes = std::move(lanes);
    }
    compact(q, mask);
    return q;
  }
  const std::string own = key + (rest ? "%" : "/") + std::to_string(d);
  unsigned grain = grain_of(a, mask);
  if (uniform) {
    grain = std::min<unsigned>(grain, static_cast<unsigned>(magnitude_grain(a.at(first_lane(mask)))));
    if (rest) {
      const bool positive = sign_known || shifts || !is_signed;
      std::string name = name_of(a, mask);
      if (!name.empty())
        name =
            in_parentheses(name) + (opcode == Opcode::And ? " & " + std::to_string(d - 1) : " % " + std::to_string(d));
      return fresh(own, owners(a), std::min<unsigned>(grain, static_cast<unsigned>(magnitude_grain(d))), width, mask,
                   std::move(name), positive ? std::optional<std::int64_t>(0) : std::nullopt,
                   positive && d > 0 ? std::optional<std::int64_t>(d - 1) : std::nullopt);
    }
    const auto bounds = range(a, first_lane(mask));
    const bool bounded = bounds && bounds->first >= 0;
    const auto least = sign_known ? std::optional<std::int64_t>(0) : std::nullopt;
    const auto most = bounded ? std::optional<std::int64_t>(bounds->second / d) : std::nullopt;
    if (auto part = quotient_of_argument(opcode, a, d, mask); part && grain == 0) {
      part->key = own;
      part->owners = owners(a);
      part->least = least;
      part->most = most;
      return symbol(std::move(*part), width, mask);
    }
    return fresh(own, owners(a), is_power && grain > bits && exact ? grain - bits : 0, width, mask, {}, least, most);
  }
  const bool uniform_terms =
      std::all_of(a.terms.begin(), a.terms.end(), [&](const Term &t) { return uniform_over(t, mask); });
  if (!uniform_terms) {
    if (auto split = split_small(a, width, mask))
      return *split;
    if (auto split = is_power ? split_power(a, bits, width, mask) : std::nullopt)
      return *split;
    if (auto split = split_remainder(a, d, width, mask))
      return *split;
  }
  if (!uniform_terms || !exact)
    return unknown(width, mask, std::move(negative));
  const unsigned shared = std::min<unsigned>(grain, static_cast<unsigned>(magnitude_grain(d)));
  const Value base = without_terms(a);
  if (same_base(each(base, mask, [&](std::int64_t b) { return floor_of(b, power(shared)); }), mask)) {
    // Lanes differ below what the quotient sees.
    if (!rest)
      return fresh(own, owners(a), 0, width, mask, {}, sign_known ? std::optional<std::int64_t>(0) : std::nullopt);
    const Value low = each(base, mask, [&](std::int64_t b) { return b - power(shared) * floor_of(b, power(shared)); });
    return add(fresh(own, owners(a), shared, width, mask, {}, 0, d - 1), low, 1, mask);
  }
  // Part of the terms may be whole quotients.
  if (rest && !terms_divisible) {
    Value reduced = a;
    std::erase_if(reduced.terms, divisible);
    if (reduced.terms.size() < a.terms.size() && (is_power || sign_known))
      return quotient(opcode, reduced, d, rest, key, mask);
  }
  if (is_power) {
    const unsigned needed = std::min(bits, span_bits(base, mask));
    if (const auto better = needed > grain ? realigned(a, needed, mask) : std::nullopt)
      return quotient(opcode, *better, d, rest, key, mask);
    if (needed > grain)
      return want_grain(a, needed, width, mask, "the alignment of an index that is divided");
  }
  const std::string what = "a division by " + std::to_string(d) + " that lanes cross at places that are not known";
  if (auto known = remainder_of_all(a, d, mask, what); known.wish)
    return *std::move(known.wish);
  else if (known.supposed)
    return quotient(opcode, *known.supposed, d, rest, key, mask);
  if (span_of(base, mask) >= d)
    return unknown(width, mask, because(what));
  return same_quotient(a, divisor_of(make_uniform(d, width, mask), mask), rest, own, mask, what);
}

Value Domain::power_of(const Value &n, unsigned width, LaneMask mask) {
  Quantity q;
  q.key = "1 << " + identity(n, mask);
  if (const std::string name = name_of(n, mask); !name.empty())
    q.name = "1 << " + in_parentheses(name);
  q.owners = owners(n);
  q.least = 0; // where all bits are moved out
  q.power = true;
  return symbol(std::move(q), width, mask);
}

std::optional<Value> Domain::split_power(const Value &a, unsigned bits, unsigned width, LaneMask mask) {
  for (const Term &t : a.terms) {
    const Quantity &q = quantity(t.dimension);
    if (uniform_over(t, mask) || !q.power)
      continue;
    std::int64_t has = 63;
    for_lanes(mask, [&](unsigned lane) { has = std::min(has, magnitude_grain(t.at(lane))); });
    if (has >= bits)
      continue;
    Why why = because("a power of two that is not known");
    why.kind = Why::Kind::Split;
    why.key = q.key;
    why.ways = powers_below(bits - static_cast<unsigned>(has));
    return unknown(width, mask, std::move(why));
  }
  return std::nullopt;
}

std::optional<Value> Domain::split_remainder(const Value &a, std::int64_t d, unsigned width, LaneMask mask) {
  for (const Term &t : a.terms) {
    std::int64_t common = d;
    for_lanes(mask, [&](unsigned lane) { common = std::gcd(common, t.at(lane)); });
    if (uniform_over(t, mask) || common == d || d / common > kMostRemainders)
      continue;
    Why why = because("a quotient of what lanes differ in");
    why.kind = Why::Kind::Split;
    why.key = quantity(t.dimension).key;
    why.ways = remainders_of(d / common);
    return unknown(width, mask, std::move(why));
  }
  return std::nullopt;
}

Value Domain::shift(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask) {
  const std::string what = "an operation on what lanes differ in by an amount that is not known";
  const Value by = power_of(b, a.width, mask);
  if (opcode == Opcode::Shl)
    return multiply(a, by, mask);
  if (by.terms.empty()) {
    const std::int64_t divisor = by.at(first_lane(mask));
    return divisor > 0 ? quotient(opcode, a, divisor, false, key, mask) : unknown(a.width, mask, because(what));
  }
  if (!has_uniform_terms(a, mask))
    return unknown(a.width, mask, because(what));
  const unsigned needed = span_bits(without_terms(a), mask), has = std::min(grain_of(by, mask), 62u);
  if (has < needed) {
    Why why = because(what);
    why.kind = Why::Kind::Split;
    why.key = quantity(by.terms[0].dimension).key;
    why.ways = powers_below(needed - has);
    return unknown(a.width, mask, std::move(why));
  }
  const Value high = quotient(Opcode::AShr, a, power(has), false, key + "h", mask);
  if ((high.unknown & mask) || !warp_uniform(high, mask))
    return (high.unknown & mask) ? high : unknown(a.width, mask, because(what));
  std::vector<BlockId> both = owners(a);
  merge_owners(both, owners(b));
  return fresh(key, both, 0, a.width, mask, {}, not_negative(a, mask) ? std::optional<std::int64_t>(0) : std::nullopt);
}

} // namespace smem::pattern
