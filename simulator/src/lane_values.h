// What the operations on lane values share.
#pragma once

#include "value.h"

namespace smem {

/// A value of which the lanes of `mask` are still to be filled.
inline Value blank(unsigned width, LaneMask mask) {
  Value v;
  v.width = static_cast<std::uint8_t>(width);
  v.defined = mask;
  return v;
}

/// f(lane) for every lane, or once where both operands are the same everywhere.
template <typename F> void fill(Value &out, bool uniform, LaneMask mask, F &&f) {
  if (uniform) {
    out.uniform = true;
    out.base[0] = canonical(f(first_lane(mask)), out.width);
    return;
  }
  out.uniform = false;
  out.base.fill(0);
  for_lanes(mask, [&](unsigned lane) { out.base[lane] = canonical(f(lane), out.width); });
}

/// `wanted` is the base in all lanes of `mask`.
inline bool all_lanes_equal(const Value &v, std::int64_t wanted, LaneMask mask) {
  if (v.uniform)
    return v.base[0] == wanted;
  bool same = true;
  for_lanes(mask, [&](unsigned lane) { same &= v.base[lane] == wanted; });
  return same;
}

} // namespace smem
