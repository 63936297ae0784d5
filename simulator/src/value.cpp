#include "value.h"

#include <algorithm>

namespace smem {

Value make_uniform(std::int64_t value, unsigned width, LaneMask mask) {
  Value v;
  v.width = static_cast<std::uint8_t>(width);
  v.base[0] = canonical(value, width);
  v.defined = mask;
  return v;
}

Value make_unknown(unsigned width, LaneMask mask, std::uint32_t reason) {
  Value v;
  v.width = static_cast<std::uint8_t>(width);
  v.defined = mask;
  v.unknown = mask;
  v.reason = reason;
  return v;
}

bool uniform_over(const Term &term, LaneMask mask) {
  if (!term.lanes || !mask)
    return true;
  const std::int64_t first = term.at(first_lane(mask));
  bool same = true;
  for_lanes(mask, [&](unsigned lane) { same &= term.at(lane) == first; });
  return same;
}

bool warp_uniform(const Value &value, LaneMask mask) {
  if (value.unknown & mask)
    return false;
  if (!mask)
    return true;
  if (!value.uniform) {
    const std::int64_t first = value.base[first_lane(mask)];
    bool same = true;
    for_lanes(mask, [&](unsigned lane) { same &= value.base[lane] == first; });
    if (!same)
      return false;
  }
  return std::all_of(value.terms.begin(), value.terms.end(), [&](const Term &t) { return uniform_over(t, mask); });
}

void spread(Value &value) {
  if (!value.uniform)
    return;
  value.base.fill(value.base[0]);
  value.uniform = false;
}

void compact(Value &value, LaneMask mask) {
  if (!mask)
    return;
  const unsigned first = first_lane(mask);
  if (!value.uniform) {
    bool same = true;
    for_lanes(mask, [&](unsigned lane) { same &= value.base[lane] == value.base[first]; });
    if (same) {
      value.base[0] = value.base[first];
      value.uniform = true;
    }
  }
  for (Term &term : value.terms)
    if (term.lanes && uniform_over(term, mask)) {
      term.uniform = term.at(first);
      term.lanes.reset();
    }
  std::erase_if(value.terms, [](const Term &t) { return !t.lanes && t.uniform == 0; });
}

namespace {

/// a + factor * b for the coefficients of one dimension.
Term combine(const Term *a, const Term *b, std::int64_t factor, unsigned width, LaneMask mask) {
  Term out;
  out.dimension = a ? a->dimension : b->dimension;
  auto coefficient = [&](unsigned lane) {
    const std::uint64_t x = a ? static_cast<std::uint64_t>(a->at(lane)) : 0;
    const std::uint64_t y = b ? static_cast<std::uint64_t>(b->at(lane)) * static_cast<std::uint64_t>(factor) : 0;
    return canonical(static_cast<std::int64_t>(x + y), width);
  };
  if ((!a || !a->lanes) && (!b || !b->lanes)) {
    out.uniform = coefficient(0);
    return out;
  }
  auto lanes = std::make_shared<Lanes>();
  lanes->fill(0);
  for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = coefficient(lane); });
  out.lanes = std::move(lanes);
  if (mask && uniform_over(out, mask)) {
    out.uniform = out.at(first_lane(mask));
    out.lanes.reset();
  }
  return out;
}

} // namespace

void add_terms(Value &value, const Value &other, std::int64_t factor, LaneMask mask) {
  if (other.terms.empty())
    return;
  std::vector<Term> sum;
  sum.reserve(value.terms.size() + other.terms.size());
  auto a = value.terms.begin();
  auto b = other.terms.begin();
  while (a != value.terms.end() || b != other.terms.end()) {
    const bool take_a = b == other.terms.end() || (a != value.terms.end() && a->dimension <= b->dimension);
    const bool take_b = a == value.terms.end() || (b != other.terms.end() && b->dimension <= a->dimension);
    Term term = combine(take_a ? &*a : nullptr, take_b ? &*b : nullptr, factor, value.width, mask);
    if (term.lanes || term.uniform != 0)
      sum.push_back(std::move(term));
    if (take_a)
      ++a;
    if (take_b)
      ++b;
  }
  value.terms = std::move(sum);
}

void assign(Value &to, const Value &from, LaneMask mask) {
  const LaneMask kept = to.defined & ~mask;
  if (!kept) {
    to = from;
    to.defined = mask;
    to.unknown &= mask;
    if (!to.unknown)
      to.choice.reset();
    return;
  }
  to.choice.reset();
  if (!(to.uniform && from.uniform && to.base[0] == from.base[0])) {
    spread(to);
    for_lanes(mask, [&](unsigned lane) { to.base[lane] = from.at(lane); });
  }
  if (!to.terms.empty() || !from.terms.empty()) {
    std::vector<Term> blended;
    auto a = to.terms.begin();
    auto b = from.terms.begin();
    while (a != to.terms.end() || b != from.terms.end()) {
      const bool take_a = b == from.terms.end() || (a != to.terms.end() && a->dimension <= b->dimension);
      const bool take_b = a == to.terms.end() || (b != from.terms.end() && b->dimension <= a->dimension);
      Term term;
      term.dimension = take_a ? a->dimension : b->dimension;
      const bool same = take_a && take_b && !a->lanes && !b->lanes && a->uniform == b->uniform;
      if (same) {
        term.uniform = a->uniform;
      } else {
        std::shared_ptr<Lanes> lanes;
        if (take_a && a->lanes.use_count() == 1 && &to != &from) { // of nothing else: changed where it is
          lanes = std::const_pointer_cast<Lanes>(std::move(a->lanes));
          for_lanes(~kept, [&](unsigned lane) { (*lanes)[lane] = 0; });
        } else {
          lanes = std::make_shared<Lanes>();
          lanes->fill(0);
          if (take_a)
            for_lanes(kept, [&](unsigned lane) { (*lanes)[lane] = a->at(lane); });
        }
        if (take_b)
          for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = b->at(lane); });
        term.lanes = std::move(lanes);
        if (uniform_over(term, kept | mask)) {
          term.uniform = term.at(first_lane(kept | mask));
          term.lanes.reset();
        }
      }
      if (term.lanes || term.uniform != 0)
        blended.push_back(std::move(term));
      if (take_a)
        ++a;
      if (take_b)
        ++b;
    }
    to.terms = std::move(blended);
  }
  to.width = from.width;
  to.unknown = (to.unknown & kept) | (from.unknown & mask);
  if (from.unknown & mask)
    to.reason = from.reason;
  to.defined = kept | mask;
}

bool equal(const Value &a, const Value &b, LaneMask mask) {
  if ((a.unknown | b.unknown) & mask)
    return false;
  bool same = true;
  if (a.uniform && b.uniform)
    same = a.base[0] == b.base[0];
  else
    for_lanes(mask, [&](unsigned lane) { same &= a.at(lane) == b.at(lane); });
  if (!same)
    return false;
  Value difference = a;
  add_terms(difference, b, -1, mask);
  for (const Term &term : difference.terms) {
    bool zero = true;
    for_lanes(mask, [&](unsigned lane) { zero &= term.at(lane) == 0; });
    if (!zero)
      return false;
  }
  return true;
}

void substitute(Value &value, DimensionId dimension, std::int64_t count) {
  const auto term =
      std::find_if(value.terms.begin(), value.terms.end(), [&](const Term &t) { return t.dimension == dimension; });
  if (term == value.terms.end())
    return;
  auto moved = [&](std::int64_t base, std::int64_t coefficient) {
    return canonical(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(base) +
                                  static_cast<std::uint64_t>(coefficient) * static_cast<std::uint64_t>(count)),
        value.width);
  };
  if (value.uniform && !term->lanes) {
    value.base[0] = moved(value.base[0], term->uniform);
  } else {
    spread(value);
    for_lanes(value.defined, [&](unsigned lane) { value.base[lane] = moved(value.base[lane], term->at(lane)); });
  }
  value.terms.erase(term);
}

} // namespace smem
