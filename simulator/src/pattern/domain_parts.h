// What the files of the domain share: bounds, and small questions about values.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "domain.h"

namespace smem::pattern {

/// As an operand.
inline std::string in_parentheses(const std::string &name) {
  return name.find(' ') == std::string::npos ? name : "(" + name + ")";
}

inline constexpr std::size_t kMostTerms = 24;
inline constexpr std::int64_t kMostScale = 1 << 16; ///< by which a quantity is told as a multiple
inline constexpr unsigned kMostFunctions = 6;       ///< of one comparison: groups of lanes that go the same way
inline constexpr std::int64_t kNearBy = 1 << 24;    ///< lanes of one index are closer than that, or it is none

inline std::int64_t magnitude_grain(std::int64_t value) {
  return value ? std::countr_zero(static_cast<std::uint64_t>(value)) : 63;
}

inline Value without_terms(const Value &v) {
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

inline bool same_base(const Value &v, LaneMask mask) {
  if (v.uniform)
    return true;
  bool same = true;
  for_lanes(mask, [&](unsigned lane) { same &= v.base[lane] == v.base[first_lane(mask)]; });
  return same;
}

inline std::int64_t power(unsigned grain) { return std::int64_t{1} << std::min(grain, 62u); }

inline void merge_owners(std::vector<BlockId> &into, const std::vector<BlockId> &from) {
  into.insert(into.end(), from.begin(), from.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

/// Bits needed to tell the lanes' bases apart, from the lowest: floor(base / 2^bits) is the same in all of them.
inline unsigned span_bits(const Value &v, LaneMask mask) {
  for (unsigned bits = 0; bits < 62; ++bits)
    if (same_base(each(v, mask, [&](std::int64_t b) { return floor_of(b, power(bits)); }), mask))
      return bits;
  return 62;
}

} // namespace smem::pattern
