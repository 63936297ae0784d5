// Sums, products, extremes.
#include "domain_parts.h"

namespace smem::pattern {

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
      Term t{*dimension, 0, std::make_shared<Lanes>(lanes)};
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
      const std::string first = name_of(a, mask), second = name_of(b, mask);
      return fresh(key, both, std::min(shared, grain), width, mask,
                   first.empty() || second.empty() ? std::string()
                                                   : std::string(least ? "min(" : "max(") + first + ", " + second + ")",
                   low, high);
    }
    return add(b, fresh(key, both, grain, width, mask), 1, mask);
  }
  const bool is_signed = opcode == Opcode::SMin || opcode == Opcode::SMax;
  const Value smaller = compare(is_signed ? Opcode::SLt : Opcode::ULt, a, b, key + "<", mask, /*may_agree=*/false);
  if (!(smaller.unknown & mask))
    return least ? select(smaller, a, b, key, mask) : select(smaller, b, a, key, mask);
  if (whys_[smaller.reason].kind == Why::Kind::Split)
    return make_unknown(width, mask, smaller.reason);
  return clamped(least, a, b, mask);
}

Value Domain::clamped(bool least, const Value &a, const Value &b, LaneMask mask) {
  Why why = because(least ? "the smaller of two values that lanes differ in"
                          : "the larger of two values that lanes differ in");
  if (warp_uniform(a, mask) == warp_uniform(b, mask))
    return unknown(a.width, mask, std::move(why));
  // `min(i, last)`: i itself, unless it exceeds the limit in some lane.
  const bool first = warp_uniform(a, mask);
  const std::string limit = name_of(first ? a : b, mask);
  Quantity beyond;
  beyond.key =
      (least ? "above " : "below ") + identity(first ? a : b, mask) + " of " + identity_by_lane(first ? b : a, mask);
  if (!limit.empty())
    beyond.name = (least ? "lanes above " : "lanes below ") + in_parentheses(limit);
  beyond.least = 0;
  beyond.most = std::popcount(mask);
  why.kind = Why::Kind::Split;
  why.key = beyond.key;
  why.ways = {{0, 0}, {0, std::popcount(mask)}};
  why.complete = false;
  const Value lanes = symbol(std::move(beyond), 32, mask);
  if (lanes.terms.empty() && lanes.at(first_lane(mask)) == 0)
    return first ? b : a;
  if (lanes.terms.empty() && lanes.at(first_lane(mask)) == std::popcount(mask))
    return first ? a : b;
  return unknown(a.width, mask, std::move(why));
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
  if ((opcode == Opcode::Shl || opcode == Opcode::LShr || opcode == Opcode::AShr) && warp_uniform(b, mask) &&
      (!warp_uniform(a, mask) || opcode == Opcode::Shl))
    return shift(opcode, a, b, key, mask);
  for (const Value *v : {&a, &b})
    if (auto split = split_small(*v, a.width, mask))
      return *split;
  return function({&a, &b}, a.width, key, mask, "an operation on what lanes differ in by an amount that is not known");
}

} // namespace smem::pattern
