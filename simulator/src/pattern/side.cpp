#include "side.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "figures.h"

namespace smem::pattern {
namespace {

constexpr std::int64_t kNearest = 260; ///< values of an unknown stride that are looked at one by one

/// Whether the quantity may be such a value, or one with that remainder.
bool as_code_says(const Quantity &q, std::int64_t modulus, std::int64_t value) {
  if (const std::int64_t rest = modulus ? value % modulus : value;
      q.power && rest != 0 && !std::has_single_bit(static_cast<std::uint64_t>(rest)))
    return false;
  const std::int64_t common = modulus ? std::gcd(q.modulus, modulus) : q.modulus;
  return (value - q.remainder) % common == 0;
}

unsigned lower_grain(unsigned grain, std::int64_t factor) {
  return std::min<unsigned>(grain, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(factor))));
}

/// How far lanes are apart: by their bases, and by one of a stride's quantity.
struct Distances {
  std::int64_t least = INT64_MAX, most = INT64_MIN; ///< of the bases
  std::int64_t closest = INT64_MAX;                 ///< of the coefficients of two lanes that differ
  unsigned grain = 63;                              ///< all coefficients are multiples of 2^grain
  bool huge = false;                                ///< a coefficient is

  std::int64_t bases() const { return distance(least, most); }
};

Distances distances(const Side &side, const Stride &stride, LaneMask lanes) {
  Distances out;
  for_lanes(lanes, [&](unsigned a) {
    out.least = std::min(out.least, side.base[a]);
    out.most = std::max(out.most, side.base[a]);
    out.huge |= std::abs(stride.by[a]) > (1 << 20);
    if (stride.by[a])
      out.grain = lower_grain(out.grain, stride.by[a]);
    for_lanes(lanes, [&](unsigned b) {
      if (const std::int64_t d = std::abs(stride.by[a] - stride.by[b]))
        out.closest = std::min(out.closest, d);
    });
  });
  return out;
}

} // namespace

std::uint64_t period_of(const Access &access) {
  if (access.operation == Operation::AsyncCopy)
    return kRepeats;
  return access.space == Space::Global ? 32 : access.matrices ? 16 : std::max(access.width_bits / 8, 4);
}

std::optional<Why> describe(const Value &address, LaneMask lanes, std::uint64_t width_bytes, std::uint64_t period,
                            const Domain &domain, Side &side) {
  if (address.unknown & lanes)
    return domain.why(address.reason);
  for_lanes(lanes, [&](unsigned lane) { side.base[lane] = address.at(lane); });
  std::vector<Term> apart;
  for (const Term &t : address.terms) {
    if (domain.quantity(t.dimension).memory == Quantity::Memory::Shared)
      continue;
    if (!uniform_over(t, lanes))
      apart.push_back(t);
    else if (const std::int64_t c = t.at(first_lane(lanes)))
      side.grain = lower_grain(side.grain, c);
  }
  Strides strides = strides_of(apart, lanes, domain, side.base);
  side.apart = std::move(strides.apart);
  for (const std::int64_t c : strides.alike)
    side.grain = lower_grain(side.grain, c);
  side.shifts.clear();
  // What lanes are apart by is a multiple of the width, too, or some of them would fault.
  for (std::uint64_t shift = 0; shift < period; shift += side.grain >= 7 ? kRepeats : std::uint64_t{1} << side.grain) {
    bool aligned = true;
    if (side.apart.empty())
      for_lanes(lanes, [&](unsigned lane) {
        aligned &= (static_cast<std::uint64_t>(side.base[lane]) + shift) % width_bytes == 0;
      });
    if (aligned)
      side.shifts.push_back(static_cast<std::uint32_t>(shift));
  }
  if (side.shifts.empty())
    return because("no address of the access is a multiple of its width");
  return std::nullopt;
}

void normalise(Side &side, LaneMask lanes, std::uint64_t period) {
  const std::int64_t whole = side.base[first_lane(lanes)] & ~static_cast<std::int64_t>(period - 1);
  for_lanes(lanes, [&](unsigned lane) { side.base[lane] -= whole; });
}

std::optional<Why> spread_of(const Side &side, const Stride &stride, LaneMask lanes, std::uint64_t repeats,
                             Spread &out) {
  out.quantity = &stride.of;
  const Quantity &q = *out.quantity;
  out.values.clear();
  if (q.has_at_most(2 * kNearest)) {
    for (std::int64_t v = *q.least; v <= *q.most; ++v)
      if (as_code_says(q, 0, v))
        out.values.push_back(v);
    out.near_count = out.values.size();
    return std::nullopt;
  }
  const Distances apart = distances(side, stride, lanes);
  if (apart.huge || apart.bases() > (1 << 24))
    return because("lanes are too far apart by an amount that is not known");
  const std::int64_t far = apart.bases() + 2 * static_cast<std::int64_t>(repeats);
  const std::int64_t near = far / apart.closest + 1;
  if (near > kNearest)
    return because("lanes are apart by an amount that is not known" + (q.name.empty() ? "" : ", `" + q.name + "`"));
  out.near = near;
  out.modulus =
      apart.grain >= 7 || (repeats >> apart.grain) == 0 ? 1 : static_cast<std::uint32_t>(repeats >> apart.grain);
  for (std::int64_t v = q.least ? std::max(*q.least, 1 - near) : 1 - near; v < near && (!q.most || v <= *q.most); ++v)
    if (as_code_says(q, 0, v))
      out.values.push_back(v);
  out.near_count = out.values.size();
  const std::int64_t whole = (near / out.modulus + 2) * out.modulus;
  if (!q.most || *q.most >= near || !q.least || *q.least <= -near)
    for (std::uint32_t r = 0; r < out.modulus; ++r)
      if (as_code_says(q, out.modulus, whole + r))
        out.values.push_back(whole + r);
  return std::nullopt;
}

} // namespace smem::pattern
