// Whether a request is one that a pattern speaks of, and costs what it says.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <optional>

#include "smem/launch.h"
#include "smem/pattern.h"

namespace smem::test {

/// The value of the argument that a condition names; nullopt: it is not known
/// here.
using ArgumentOf = std::function<std::optional<std::int64_t>(const PatternCondition &)>;

inline bool holds(const PatternCondition &c, const Dim3 &block, const ArgumentOf &argument, const Request &request,
                  const Request *source) {
  const auto listed = [&](std::uint64_t r) {
    return std::find(c.remainders.begin(), c.remainders.end(), r) != c.remainders.end();
  };
  const auto remainder_of = [&](const Request &r) {
    return r.active ? r.address[static_cast<unsigned>(std::countr_zero(r.active))] % c.modulus : 0;
  };
  switch (c.kind) {
  case PatternCondition::Kind::Shape: return c.shapes >> static_cast<unsigned>(shape_of(block.x, block.y, block.z)) & 1;
  case PatternCondition::Kind::Lanes: return request.active == c.lanes;
  case PatternCondition::Kind::FewerLanes: return (request.active & ~c.lanes) == 0 && request.active != c.lanes;
  case PatternCondition::Kind::Address: return listed(remainder_of(request));
  case PatternCondition::Kind::Source: return !source || listed(remainder_of(*source));
  case PatternCondition::Kind::Argument: {
    auto value = argument(c);
    if (!value)
      return true;
    *value = *value / c.divisor + c.plus;
    const std::int64_t modulus = c.modulus;
    const bool in = std::find(c.values.begin(), c.values.end(), *value) != c.values.end() ||
                    (!c.remainders.empty() && std::abs(*value) >= c.near &&
                     listed(static_cast<std::uint64_t>((*value % modulus + modulus) % modulus)));
    return in != c.none;
  }
  case PatternCondition::Kind::Quantity: return true; // nothing shows which it is
  }
  return false;
}

inline bool agrees(const PatternCase &claim, const PatternCase &cost) {
  const auto right = [&](std::uint32_t claimed, std::uint32_t is) {
    return claim.at_most ? claimed >= is : claimed == is;
  };
  return right(claim.wavefronts, cost.wavefronts) && right(claim.ideal_wavefronts, cost.ideal_wavefronts) &&
         right(claim.conflict_degree, cost.conflict_degree) && right(claim.sectors, cost.sectors) &&
         right(claim.ideal_sectors, cost.ideal_sectors);
}

/// Some case whose conditions hold has this cost.
inline bool is_claimed(const Pattern &pattern, const PatternCase &cost, const Dim3 &block, const ArgumentOf &argument,
                       const Request &request, const Request *source = nullptr) {
  return std::any_of(pattern.cases.begin(), pattern.cases.end(), [&](const PatternCase &c) {
    return agrees(c, cost) && std::all_of(c.when.begin(), c.when.end(), [&](const PatternCondition &w) {
             return holds(w, block, argument, request, source);
           });
  });
}

} // namespace smem::test
