#include "domain.h"

#include <algorithm>
#include <bit>

namespace smem::pattern {
namespace {

constexpr std::size_t kMostTerms = 24;
constexpr unsigned kMostFunctions = 6;    ///< of one comparison: groups of lanes that go the same way
constexpr std::int64_t kNearBy = 1 << 24; ///< lanes of one index are closer than that, or it is none

std::int64_t magnitude_grain(std::int64_t value) {
  return value ? std::countr_zero(static_cast<std::uint64_t>(value)) : 63;
}

Why because(std::string text) {
  Why why;
  why.text = std::move(text);
  return why;
}

Value without_terms(const Value &v) {
  Value out = v;
  out.terms.clear();
  return out;
}

/// f(lane, base) in each lane.
template <typename F> Value each(const Value &v, LaneMask mask, F &&f) {
  Value out = make_uniform(0, v.width, mask);
  out.uniform = false;
  out.base.fill(0);
  for_lanes(mask, [&](unsigned lane) { out.base[lane] = canonical(f(v.at(lane)), v.width); });
  compact(out, mask);
  return out;
}

bool same_base(const Value &v, LaneMask mask) {
  if (v.uniform)
    return true;
  bool same = true;
  for_lanes(mask, [&](unsigned lane) { same &= v.base[lane] == v.base[first_lane(mask)]; });
  return same;
}

std::int64_t power(unsigned grain) { return std::int64_t{1} << std::min(grain, 62u); }

void merge_owners(std::vector<BlockId> &into, const std::vector<BlockId> &from) {
  into.insert(into.end(), from.begin(), from.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

/// Bits needed to tell the lanes' bases apart, from the lowest: floor(base / 2^bits) is the same in all of them.
unsigned span_bits(const Value &v, LaneMask mask) {
  for (unsigned bits = 0; bits < 62; ++bits)
    if (same_base(each(v, mask, [&](std::int64_t b) { return floor_of(b, power(bits)); }), mask))
      return bits;
  return 62;
}

} // namespace

unsigned grain_of(const Value &value, LaneMask mask) {
  std::int64_t grain = 63;
  for (const Term &t : value.terms) {
    if (!t.lanes)
      grain = std::min(grain, magnitude_grain(t.uniform));
    else
      for_lanes(mask, [&](unsigned lane) { grain = std::min(grain, magnitude_grain((*t.lanes)[lane])); });
  }
  return static_cast<unsigned>(grain);
}

Value Domain::symbol(Quantity q, unsigned width, LaneMask mask) {
  std::int64_t offset = 0, scale = 1;
  for (auto supposed = supposed_.find(q.key); supposed != supposed_.end(); supposed = supposed_.find(q.key)) {
    if (supposed->second.modulus == 0)
      return make_uniform(canonical(offset + scale * supposed->second.remainder, width), width, mask);
    const std::int64_t m = supposed->second.modulus, r = supposed->second.remainder;
    offset += scale * r;
    scale *= m;
    q.key += "/" + std::to_string(m);
    if (q.least)
      q.least = floor_of(*q.least - r + m - 1, m);
    if (q.most)
      q.most = floor_of(*q.most - r, m);
    q.argument = kNone;
    if (!q.name.empty())
      q.name += " / " + std::to_string(m);
  }
  const auto [entry, fresh] = known_.try_emplace(q.key, kFirstSymbol + static_cast<DimensionId>(quantities_.size()));
  if (fresh)
    quantities_.push_back(std::move(q));
  Value out = make_uniform(offset, width, mask);
  if (const std::int64_t coefficient = canonical(scale, width))
    out.terms.push_back({entry->second, coefficient, nullptr});
  return out;
}

Value Domain::fresh(const std::string &key, std::vector<BlockId> owners, unsigned grain, unsigned width, LaneMask mask,
                    std::string name, std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  grain = std::min(grain, 62u);
  if (grain >= width)
    return make_uniform(0, width, mask);
  Quantity q;
  q.key = key;
  if (grain)
    q.key += "*" + std::to_string(power(grain));
  q.name = grain ? "" : std::move(name);
  q.owners = std::move(owners);
  if (least)
    q.least = floor_of(*least, power(grain));
  if (most)
    q.most = floor_of(*most, power(grain));
  const Value out = symbol(std::move(q), 64, mask);
  const auto shifted = [&](std::int64_t v) {
    return canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(v) << grain), width);
  };
  Value scaled = make_uniform(shifted(out.base[0]), width, mask);
  for (Term t : out.terms) {
    t.uniform = shifted(t.uniform);
    if (t.uniform)
      scaled.terms.push_back(t);
  }
  return scaled;
}

Value Domain::unknown(unsigned width, LaneMask mask, Why why) {
  for (std::uint32_t i = 1; i < whys_.size(); ++i) {
    const Why &known = whys_[i];
    if (known.kind == why.kind && known.text == why.text && known.location == why.location && known.key == why.key &&
        known.modulus == why.modulus)
      return make_unknown(width, mask, i);
  }
  whys_.push_back(std::move(why));
  return make_unknown(width, mask, static_cast<std::uint32_t>(whys_.size() - 1));
}

std::vector<BlockId> Domain::owners(const Value &value) const {
  std::vector<BlockId> all;
  for (const Term &t : value.terms)
    merge_owners(all, quantity(t.dimension).owners);
  return all;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Domain::range(const Value &value, unsigned lane) const {
  Wide least = value.width == 1 ? value.at(lane) & 1 : value.at(lane), most = least;
  for (const Term &t : value.terms) {
    const std::int64_t c = t.at(lane);
    if (c == 0)
      continue;
    const Quantity &q = quantity(t.dimension);
    if (!q.least || !q.most) {
      if (!(c > 0 ? q.least : q.most))
        return std::nullopt;
      return std::nullopt;
    }
    least += Wide{c} * (c > 0 ? *q.least : *q.most);
    most += Wide{c} * (c > 0 ? *q.most : *q.least);
  }
  const Wide limit = value.width >= 64 ? Wide{INT64_MAX} : (Wide{1} << (value.width - 1)) - 1;
  if (value.width > 1 && (least < -limit - 1 || most > limit))
    return std::nullopt;
  return std::pair{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)};
}

bool Domain::not_negative(const Value &a, LaneMask mask) const {
  bool all = true;
  for_lanes(mask, [&](unsigned lane) {
    if (const auto bounds = range(a, lane)) {
      all &= bounds->first >= 0;
      return;
    }
    // Presumed of what looks like an index, and not like a hash: it does not wrap around.
    all &= a.at(lane) >= 0 && (a.terms.empty() || a.at(lane) < kNearBy);
    for (const Term &t : a.terms) {
      const Quantity &q = quantity(t.dimension);
      const std::int64_t c = t.at(lane);
      all &= c == 0 || (c > 0 && c < kNearBy && q.least && *q.least >= 0);
    }
  });
  return all;
}

std::optional<Value> Domain::unknown_of(const Value &a, const Value &b, unsigned width, LaneMask mask) {
  const LaneMask lost = (a.unknown | b.unknown) & mask;
  if (!lost)
    return std::nullopt;
  // Data before what may still be split: nothing mends it.
  const bool first = (a.unknown & mask) && (!(b.unknown & mask) || whys_[a.reason].kind == Why::Kind::Data ||
                                            whys_[b.reason].kind != Why::Kind::Data);
  return make_unknown(width, mask, first ? a.reason : b.reason);
}

Value Domain::add(const Value &a, const Value &b, std::int64_t factor, LaneMask mask) {
  if (auto lost = unknown_of(a, b, a.width, mask))
    return *lost;
  Value out = make_uniform(0, a.width, mask);
  const auto sum = [&](unsigned lane) {
    return canonical(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(a.at(lane)) +
                                  static_cast<std::uint64_t>(b.at(lane)) * static_cast<std::uint64_t>(factor)),
        a.width);
  };
  if (a.uniform && b.uniform) {
    out.base[0] = sum(0);
  } else {
    out.uniform = false;
    out.base.fill(0);
    for_lanes(mask, [&](unsigned lane) { out.base[lane] = sum(lane); });
  }
  out.terms = a.terms;
  add_terms(out, b, factor, mask);
  compact(out, mask);
  return out;
}

Value Domain::multiply(const Value &a, const Value &b, LaneMask mask) {
  if (auto lost = unknown_of(a, b, a.width, mask))
    return *lost;
  const auto product = [&](std::int64_t x, std::int64_t y) {
    return canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y)), a.width);
  };
  Value out = make_uniform(0, a.width, mask);
  const auto accumulate = [&](auto &&f, std::optional<DimensionId> dimension) {
    Value part = make_uniform(0, a.width, mask);
    Lanes lanes{};
    for_lanes(mask, [&](unsigned lane) { lanes[lane] = f(lane); });
    if (dimension) {
      Term t{*dimension, 0, std::make_shared<const Lanes>(lanes)};
      part.terms.push_back(std::move(t));
    } else {
      part.uniform = false;
      part.base = lanes;
    }
    compact(part, mask);
    out = add(out, part, 1, mask);
  };
  accumulate([&](unsigned lane) { return product(a.at(lane), b.at(lane)); }, std::nullopt);
  for (const Term &t : a.terms)
    accumulate([&](unsigned lane) { return product(t.at(lane), b.at(lane)); }, t.dimension);
  for (const Term &t : b.terms)
    accumulate([&](unsigned lane) { return product(t.at(lane), a.at(lane)); }, t.dimension);
  for (const Term &s : a.terms)
    for (const Term &t : b.terms) {
      Quantity q;
      for (const DimensionId d : {s.dimension, t.dimension}) {
        const auto &factors = quantity(d).factors;
        if (factors.empty())
          q.factors.push_back(d);
        else
          q.factors.insert(q.factors.end(), factors.begin(), factors.end());
      }
      std::sort(q.factors.begin(), q.factors.end(),
                [&](DimensionId x, DimensionId y) { return quantity(x).key < quantity(y).key; });
      q.key = "(";
      bool named = true;
      q.least = 0;
      Wide most = 1;
      bool bounded = true;
      for (const DimensionId d : q.factors) {
        const Quantity &factor = quantity(d);
        q.key += factor.key + "*";
        named &= !factor.name.empty();
        if (!factor.least || *factor.least < 0)
          q.least.reset();
        bounded = bounded && factor.most && most * *factor.most < INT64_MAX;
        if (bounded)
          most *= *factor.most;
        merge_owners(q.owners, factor.owners);
      }
      q.key += ")";
      if (q.least && bounded)
        q.most = static_cast<std::int64_t>(most);
      if (named)
        for (const DimensionId d : q.factors)
          q.name += (q.name.empty() ? "" : " * ") + quantity(d).name;
      if (q.factors.size() > 6)
        return unknown(a.width, mask, because("a product of too many quantities"));
      const Value scaled = symbol(std::move(q), 64, mask);
      Value part = make_uniform(0, a.width, mask);
      part.uniform = false;
      part.base.fill(0);
      for_lanes(mask,
                [&](unsigned lane) { part.base[lane] = product(product(s.at(lane), t.at(lane)), scaled.base[0]); });
      if (!scaled.terms.empty()) {
        auto lanes = std::make_shared<Lanes>();
        lanes->fill(0);
        for_lanes(mask, [&](unsigned lane) {
          (*lanes)[lane] = product(product(s.at(lane), t.at(lane)), scaled.terms[0].uniform);
        });
        part.terms.push_back({scaled.terms[0].dimension, 0, std::move(lanes)});
      }
      compact(part, mask);
      out = add(out, part, 1, mask);
    }
  if (out.terms.size() > kMostTerms)
    return unknown(a.width, mask, because("an address of too many parts"));
  return out;
}

std::pair<std::string, std::vector<Term>> Domain::unaligned(const Value &a, unsigned grain, unsigned &least) const {
  std::pair<std::string, std::vector<Term>> out;
  least = grain;
  std::vector<std::string> parts;
  for (const Term &t : a.terms) {
    const auto has = static_cast<unsigned>(magnitude_grain(t.uniform));
    if (t.lanes || has >= grain)
      continue;
    least = std::min(least, has);
    out.second.push_back(t);
    parts.push_back(std::to_string(t.uniform) + "*" + quantity(t.dimension).key);
  }
  std::sort(parts.begin(), parts.end());
  for (const std::string &part : parts)
    out.first += "+" + part;
  return out;
}

std::optional<Value> Domain::realigned(const Value &a, unsigned grain, LaneMask mask) {
  unsigned least = 0;
  const auto [key, terms] = unaligned(a, grain, least);
  if (terms.size() < 2 || !supposed_.contains(key))
    return std::nullopt;
  Quantity q;
  q.key = key;
  for (const Term &t : terms)
    merge_owners(q.owners, quantity(t.dimension).owners);
  const Value sum = resize(Opcode::Truncate, symbol(std::move(q), 64, mask), a.width, {}, mask);
  Value out = a;
  std::erase_if(out.terms, [&](const Term &t) { return !t.lanes && magnitude_grain(t.uniform) < grain; });
  return add(out, multiply(sum, make_uniform(power(least), a.width, mask), mask), 1, mask);
}

Value Domain::want_grain(const Value &a, unsigned grain, unsigned width, LaneMask mask, const std::string &what) {
  Why why;
  why.text = what;
  if (auto split = split_small(a, width, mask))
    return *split;
  if (std::any_of(a.terms.begin(), a.terms.end(), [&](const Term &t) { return t.lanes && !uniform_over(t, mask); }))
    return unknown(width, mask, why);
  unsigned least = 0;
  const auto [key, terms] = unaligned(a, grain, least);
  if (terms.empty())
    return unknown(width, mask, why);
  const std::int64_t modulus = power(grain - least);
  if (modulus <= 128) {
    why.kind = Why::Kind::Split;
    why.modulus = modulus;
    why.key = key;
  }
  if (terms.size() == 1) {
    const Quantity &q = quantity(terms[0].dimension);
    if (why.kind == Why::Kind::Split)
      why.key = q.key;
    if (q.least && q.most && *q.most - *q.least < std::min<std::int64_t>(modulus, 128)) {
      why.kind = Why::Kind::Split;
      why.key = q.key;
      why.modulus = 0;
      why.least = *q.least;
      why.most = *q.most;
    }
  }
  return unknown(width, mask, std::move(why));
}

std::optional<Value> Domain::split_small(const Value &a, unsigned width, LaneMask mask) {
  for (const Term &t : a.terms) {
    const Quantity &q = quantity(t.dimension);
    if (uniform_over(t, mask) || !q.least || !q.most || *q.most - *q.least > 3)
      continue;
    Why why;
    why.kind = Why::Kind::Split;
    why.text = "a choice that lanes make differently";
    why.key = q.key;
    why.least = *q.least;
    why.most = *q.most;
    return unknown(width, mask, std::move(why));
  }
  return std::nullopt;
}

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
  if (!grain || (is_signed && !not_negative(a, mask)))
    return unknown(a.width, mask, because(what));
  const Value high = quotient(Opcode::AShr, a, power(grain), false, key, mask),
              low = quotient(Opcode::And, a, power(grain), true, key, mask);
  if ((high.unknown | low.unknown) & mask)
    return (high.unknown & mask) ? high : low;
  if (!warp_uniform(high, mask))
    return unknown(a.width, mask, because(what));
  const std::optional<std::int64_t> least = not_negative(a, mask) ? std::optional<std::int64_t>(0) : std::nullopt;
  if (!rest)
    return fresh(key, both, 0, a.width, mask, {}, least);
  return add(fresh(key, both, grain, a.width, mask, {}, least), low, 1, mask);
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
  const bool terms_divisible = std::all_of(a.terms.begin(), a.terms.end(), divisible);
  const bool sign_known = not_negative(a, mask);
  bool whole = true;
  for_lanes(mask, [&](unsigned lane) { whole &= a.at(lane) % d == 0; });
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
      return fresh(own, owners(a), std::min<unsigned>(grain, static_cast<unsigned>(magnitude_grain(d))), width, mask,
                   {}, positive ? std::optional<std::int64_t>(0) : std::nullopt,
                   positive && d > 0 ? std::optional<std::int64_t>(d - 1) : std::nullopt);
    }
    const auto bounds = range(a, first_lane(mask));
    const bool bounded = bounds && bounds->first >= 0;
    return fresh(own, owners(a), is_power && grain > bits && exact ? grain - bits : 0, width, mask, {},
                 sign_known ? std::optional<std::int64_t>(0) : std::nullopt,
                 bounded ? std::optional<std::int64_t>(bounds->second / d) : std::nullopt);
  }
  const bool uniform_terms =
      std::all_of(a.terms.begin(), a.terms.end(), [&](const Term &t) { return uniform_over(t, mask); });
  if (!uniform_terms)
    if (auto split = split_small(a, width, mask))
      return *split;
  if (!uniform_terms || !exact)
    return unknown(width, mask,
                   because(rest ? "a remainder of what lanes differ in" : "a quotient of what lanes differ in"));
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
  return unknown(width, mask,
                 because("a division by " + std::to_string(d) + " that lanes cross at places that are not known"));
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
    return unknown(width, mask, because("conditions that lanes differ in"));
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
          std::has_single_bit(below + 1) && below < (std::uint64_t{1} << 62) && below)
        return add(other, quotient(Opcode::And, other, static_cast<std::int64_t>(below + 1), true, key, mask), -1,
                   mask);
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
    return add(fresh(key, both, above, width, mask, {}, positive ? std::optional<std::int64_t>(0) : std::nullopt, most),
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

Value Domain::extreme(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask) {
  const unsigned width = a.width;
  const bool least = opcode == Opcode::UMin || opcode == Opcode::SMin;
  auto both = owners(a);
  merge_owners(both, owners(b));
  const Value difference = add(a, b, -1, mask);
  // One of them everywhere?
  bool below = true, above = true;
  for_lanes(mask, [&](unsigned lane) {
    const auto ra = range(a, lane), rb = range(b, lane), rd = range(difference, lane);
    const bool fits =
        ra && rb && rd && (opcode == Opcode::SMin || opcode == Opcode::SMax || (ra->first >= 0 && rb->first >= 0));
    below &= fits && rd->second <= 0;
    above &= fits && rd->first >= 0;
  });
  if (below)
    return least ? a : b;
  if (above)
    return least ? b : a;
  if (warp_uniform(difference, mask)) {
    const unsigned grain = std::min<unsigned>(grain_of(difference, mask),
                                              static_cast<unsigned>(magnitude_grain(difference.at(first_lane(mask)))));
    if (warp_uniform(a, mask) &&
        (opcode == Opcode::SMin || opcode == Opcode::SMax || (not_negative(a, mask) && not_negative(b, mask)))) {
      const auto ra = range(a, first_lane(mask)), rb = range(b, first_lane(mask));
      std::optional<std::int64_t> low, high;
      if (least) {
        if (ra && rb)
          low = std::min(ra->first, rb->first);
        else if (not_negative(a, mask) && not_negative(b, mask))
          low = 0;
        if (ra)
          high = ra->second;
        if (rb)
          high = high ? std::min(*high, rb->second) : rb->second;
      } else {
        if (ra)
          low = ra->first;
        if (rb)
          low = low ? std::max(*low, rb->first) : rb->first;
        if (ra && rb)
          high = std::max(ra->second, rb->second);
      }
      const unsigned shared =
          std::min<unsigned>(grain_of(a, mask), static_cast<unsigned>(magnitude_grain(a.at(first_lane(mask)))));
      return fresh(key, both, std::min(shared, grain), width, mask, {}, low, high);
    }
    return add(b, fresh(key, both, grain, width, mask), 1, mask);
  }
  const bool is_signed = opcode == Opcode::SMin || opcode == Opcode::SMax;
  const Value smaller = compare(is_signed ? Opcode::SLt : Opcode::ULt, a, b, key + "<", mask);
  if (!(smaller.unknown & mask))
    return least ? select(smaller, a, b, key, mask) : select(smaller, b, a, key, mask);
  if (whys_[smaller.reason].kind == Why::Kind::Split)
    return make_unknown(width, mask, smaller.reason);
  return unknown(width, mask,
                 because(least ? "the smaller of two values that lanes differ in"
                               : "the larger of two values that lanes differ in"));
}

Value Domain::function(const std::vector<const Value *> &operands, unsigned width, const std::string &key,
                       LaneMask mask, const std::string &what) {
  std::vector<BlockId> all;
  for (const Value *v : operands) {
    if (v->unknown & mask)
      return make_unknown(width, mask, v->reason);
    if (!warp_uniform(*v, mask))
      return unknown(width, mask, because(what));
    merge_owners(all, owners(*v));
  }
  return width == 1 ? fresh(key, all, 0, 1, mask, {}, 0, 1) : fresh(key, all, 0, width, mask);
}

Value Domain::binary(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask) {
  if (a.width == 1 && (opcode == Opcode::And || opcode == Opcode::Or) && ((a.unknown | b.unknown) & mask)) {
    // One side alone may decide.
    LaneMask decided = 0;
    for_lanes(mask, [&](unsigned lane) {
      for (const Value *v : {&a, &b}) {
        bool plain = !(v->unknown >> lane & 1);
        for (const Term &t : v->terms)
          plain &= t.at(lane) == 0;
        if (plain && (v->at(lane) & 1) == (opcode == Opcode::Or))
          decided |= 1u << lane;
      }
    });
    Value out = *unknown_of(a, b, 1, mask);
    out.unknown &= ~decided;
    out.base[0] = opcode == Opcode::Or;
    return out;
  }
  if (auto lost = unknown_of(a, b, a.width, mask))
    return *lost;
  if (a.terms.empty() && b.terms.empty()) {
    Value out = constants_.binary(opcode, a, b, mask);
    constants_.take_division_by_zero();
    if (out.unknown & mask) {
      const LaneMask lost = out.unknown & mask;
      const Value none = unknown(a.width, lost, because("a division by zero"));
      out.reason = none.reason;
    }
    return out;
  }
  const bool constant = b.terms.empty() && same_base(b, mask);
  const std::int64_t c = constant ? b.at(first_lane(mask)) : 0;
  switch (opcode) {
  case Opcode::Add: {
    Value sum = a.width == 1 ? bitwise(Opcode::Xor, a, b, key, mask) : add(a, b, 1, mask);
    return sum;
  }
  case Opcode::Sub: return a.width == 1 ? bitwise(Opcode::Xor, a, b, key, mask) : add(a, b, -1, mask);
  case Opcode::Mul: return a.width == 1 ? bitwise(Opcode::And, a, b, key, mask) : multiply(a, b, mask);
  case Opcode::Shl:
    if (constant && c >= 0 && c < a.width)
      return multiply(
          a, make_uniform(canonical(static_cast<std::int64_t>(std::uint64_t{1} << c), a.width), a.width, mask), mask);
    break;
  case Opcode::UDiv:
  case Opcode::SDiv:
    if (constant && c > 0)
      return quotient(opcode, a, c, false, key, mask);
    break;
  case Opcode::URem:
  case Opcode::SRem:
    if (constant && c > 0)
      return quotient(opcode, a, c, true, key, mask);
    break;
  case Opcode::LShr:
  case Opcode::AShr:
    if (constant && c >= 0 && c < a.width && c < 62)
      return quotient(opcode, a, power(static_cast<unsigned>(c)), false, key, mask);
    break;
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor: return bitwise(opcode, a, b, key, mask);
  case Opcode::UMin:
  case Opcode::UMax:
  case Opcode::SMin:
  case Opcode::SMax: return extreme(opcode, a, b, key, mask);
  default: break;
  }
  if (opcode == Opcode::UDiv || opcode == Opcode::SDiv || opcode == Opcode::URem || opcode == Opcode::SRem)
    return divide_by_unknown(opcode, a, b, key, mask);
  for (const Value *v : {&a, &b})
    if (auto split = split_small(*v, a.width, mask))
      return *split;
  return function({&a, &b}, a.width, key, mask, "an operation on what lanes differ in by an amount that is not known");
}

Value Domain::compare(Opcode opcode, const Value &a, const Value &b, const std::string &key, LaneMask mask) {
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
      if (const Quantity *q = only(*v);
          q && (v == &a ? b : a).terms.empty() && q->least && q->most && *q->most - *q->least < 64) {
        Why why;
        why.kind = Why::Kind::Split;
        why.text = "a condition on a value that is not known";
        why.key = q->key;
        why.least = *q->least;
        why.most = *q->most;
        return unknown(1, mask, std::move(why));
      }
    return unknown(1, mask, because("a condition that holds in some lanes only, and in which is not known"));
  }
  Value out = make_uniform(0, 1, mask);
  out.uniform = false;
  out.base.fill(0);
  for_lanes(mask, [&](unsigned lane) { out.base[lane] = outcome[lane] == 1; });
  for (const auto &[which, number] : functions) {
    const Value condition = fresh(key + "?" + std::to_string(which), both, 0, 1, mask, {}, 0, 1);
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
  return add(b, multiply(resize(Opcode::ZeroExtend, condition, width, {}, mask), add(a, b, -1, mask), mask), 1, mask);
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
        return function({&a}, 1, key, mask, "a bit that lanes differ in");
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
      return fresh(key, owners(a), grain, width, mask, {}, zero ? 0 : -power(a.width - 1u),
                   zero ? power(a.width) - 1 : power(a.width - 1u) - 1);
    }
    return unknown(width, mask, because("a narrow value that may wrap around"));
  }
  if (!in_range && !uniform) {
    // Presumed: no index wraps around between lanes. Where they are far apart it is none.
    std::int64_t least = INT64_MAX, most = INT64_MIN;
    for_lanes(mask, [&](unsigned lane) {
      least = std::min(least, a.at(lane));
      most = std::max(most, a.at(lane));
    });
    bool near = most - least < kNearBy;
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
