#include "strides.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "domain_parts.h"

namespace smem::pattern {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 40; ///< of coefficients that are put together
constexpr std::int64_t kFewValues = 520;                 ///< of a quantity that are looked at one by one

bool is_moderate(std::int64_t number) { return number <= kLargest && number >= -kLargest; }

/// A term as factor * by[lane], `by` without a common divisor and its first number, but for zeros, positive.
struct Factored {
  Lanes by{};
  std::int64_t factor = 1;
};

Factored factored(const Lanes &coefficients, LaneMask lanes) {
  Factored out{coefficients, 0};
  bool large = false;
  std::int64_t first = 0;
  for_lanes(lanes, [&](unsigned lane) {
    large |= !is_moderate(coefficients[lane]);
    out.factor = large ? 1 : std::gcd(out.factor, coefficients[lane]);
    first = first ? first : coefficients[lane];
  });
  if (out.factor == 0 || large)
    return {coefficients, 1};
  if (first < 0)
    out.factor = -out.factor;
  for_lanes(lanes, [&](unsigned lane) { out.by[lane] /= out.factor; });
  return out;
}

struct Group {
  Lanes by{};
  std::vector<std::pair<DimensionId, std::int64_t>> terms; ///< and how many times the quantity is meant
};

/// `alike`: without what all lanes multiply by the same, which goes there.
std::vector<Group> group(const std::vector<Term> &terms, LaneMask lanes, std::vector<std::int64_t> *alike) {
  std::vector<Group> groups;
  for (const Term &t : terms) {
    Lanes coefficients{};
    const std::int64_t common = alike ? t.at(first_lane(lanes)) : 0;
    for_lanes(lanes, [&](unsigned lane) { coefficients[lane] = t.at(lane) - common; });
    if (common)
      alike->push_back(common);
    const Factored own = factored(coefficients, lanes);
    const auto known = std::ranges::find_if(groups, [&](const Group &g) {
      bool same = true;
      for_lanes(lanes, [&](unsigned lane) { same &= g.by[lane] == own.by[lane]; });
      return same;
    });
    Group &in = known == groups.end() ? groups.emplace_back(Group{own.by, {}}) : *known;
    in.terms.emplace_back(t.dimension, own.factor);
  }
  return groups;
}

Value sum_of(const Group &group, std::int64_t plus, LaneMask lanes) {
  Value sum = make_uniform(plus, 64, lanes);
  for (const auto &[dimension, times] : group.terms)
    sum.terms.push_back({dimension, times, nullptr});
  std::ranges::sort(sum.terms, {}, &Term::dimension);
  return sum;
}

/// How many times `by` all bases have beside what is the same in all lanes.
std::optional<std::int64_t> multiple_in(const Lanes &base, const Lanes &by, LaneMask lanes) {
  const unsigned first = first_lane(lanes);
  std::optional<std::int64_t> times;
  bool exact = true;
  for_lanes(lanes, [&](unsigned lane) { exact &= is_moderate(base[lane]) && is_moderate(by[lane]); });
  if (!exact)
    return std::nullopt;
  for_lanes(lanes, [&](unsigned lane) {
    const std::int64_t far = by[lane] - by[first], apart = base[lane] - base[first];
    if (far == 0 || !exact) {
      exact &= apart == 0;
      return;
    }
    exact = apart % far == 0 && (!times || *times == apart / far);
    times = apart / far;
  });
  constexpr std::int64_t kMostTimes = 1 << 20;
  return exact && times && std::abs(*times) <= kMostTimes ? times : std::nullopt;
}

bool has_few_values(const Quantity &q) { return q.has_at_most(kFewValues); }

/// The quantity with a number added.
Quantity moved(Quantity q, std::int64_t plus, const Domain &domain, const Value &sum, LaneMask lanes) {
  q.key += "+" + std::to_string(plus);
  q.plus += plus;
  q.remainder += plus;
  if (q.least)
    *q.least += plus;
  if (q.most)
    *q.most += plus;
  if (q.scale == 1)
    q.name = domain.name_of(sum, lanes);
  else if (!q.piece.empty())
    q.piece += (plus < 0 ? " - " : " + ") + std::to_string(std::abs(plus) * q.scale);
  return q;
}

/// Several quantities as one.
Quantity joined(const Group &group, std::int64_t plus, const Domain &domain, const Value &sum, LaneMask lanes) {
  Quantity out;
  out.name = domain.name_of(sum, lanes);
  out.modulus = 0;
  out.remainder = plus;
  for (const auto &[dimension, times] : group.terms) {
    const Quantity &q = domain.quantity(dimension);
    out.key += std::to_string(times) + "*" + q.key + "+";
    merge_owners(out.owners, q.owners);
    out.modulus = std::gcd(out.modulus, times * q.modulus);
    out.remainder += times * q.remainder;
  }
  out.key += std::to_string(plus);
  if (const auto bounds = domain.range(sum, first_lane(lanes))) {
    out.least = bounds->first;
    out.most = bounds->second;
  }
  return out;
}

Stride stride_of(Group group, LaneMask lanes, const Domain &domain, Lanes *base) {
  std::int64_t common = 0;
  for (const auto &[dimension, times] : group.terms)
    common = std::gcd(common, times);
  if (group.terms.size() == 1)
    common = group.terms[0].second;
  for_lanes(lanes, [&](unsigned lane) { group.by[lane] *= common; });
  for (auto &[dimension, times] : group.terms)
    times /= common;
  const bool few = group.terms.size() == 1 && has_few_values(domain.quantity(group.terms[0].first));
  std::int64_t plus = 0;
  if (const auto times = base && !few ? multiple_in(*base, group.by, lanes) : std::nullopt) {
    plus = *times;
    for_lanes(lanes, [&](unsigned lane) { (*base)[lane] -= plus * group.by[lane]; });
  }
  Stride out{group.by, {}};
  const Value sum = sum_of(group, plus, lanes);
  if (group.terms.size() > 1)
    out.of = joined(group, plus, domain, sum, lanes);
  else if (out.of = domain.quantity(group.terms[0].first); plus)
    out.of = moved(std::move(out.of), plus, domain, sum, lanes);
  return out;
}

} // namespace

Strides strides_of(const std::vector<Term> &terms, LaneMask lanes, const Domain &domain, Lanes &base) {
  Strides out;
  std::vector<Group> groups = group(terms, lanes, nullptr);
  if (groups.size() > 1) { // x * n + (x + 1) * m: x * (n + m), and m in all lanes
    std::vector<std::int64_t> alike;
    if (std::vector<Group> fewer = group(terms, lanes, &alike); fewer.size() == 1) {
      groups = std::move(fewer);
      out.alike = std::move(alike);
    }
  }
  for (Group &one : groups)
    out.apart.push_back(stride_of(std::move(one), lanes, domain, groups.size() == 1 ? &base : nullptr));
  return out;
}

} // namespace smem::pattern
