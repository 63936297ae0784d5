// Counting distinct words, sectors or lines among the lanes of a warp: the inner loops of the memory model.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace smem {

/// Numbers of the units (words, sectors, lines) that N lanes touch.
template <std::size_t N> using Units = std::array<std::uint32_t, N>;

/// Units fall into buckets (banks) by their number modulo `Buckets`.
struct DistinctUnits {
  unsigned total = 0;   ///< distinct units
  unsigned deepest = 0; ///< most distinct units of one bucket
};

namespace detail {

inline constexpr auto kBit = [] {
  std::array<std::uint32_t, 32> bits{};
  for (unsigned i = 0; i < 32; ++i)
    bits[i] = std::uint32_t{1} << i;
  return bits;
}();

/// std::popcount, written so that a loop over it can be vectorised on any machine.
constexpr std::uint32_t population(std::uint32_t v) {
  v -= v >> 1 & 0x55555555u;
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  v = (v + (v >> 4)) & 0x0f0f0f0fu;
  v += v >> 8;
  v += v >> 16;
  return v & 0x3fu;
}

/// For units within 32 rows of `Buckets` units: one bit for each of them.
template <unsigned Buckets, std::size_t N> DistinctUnits tabulate_near(const Units<N> &units, std::uint32_t base) {
  std::array<std::uint32_t, Buckets> rows{};
  for (const std::uint32_t unit : units)
    rows[(unit - base) % Buckets] |= kBit[(unit - base) / Buckets];
  std::int16_t total = 0, deepest = 0;
  for (const std::uint32_t row : rows) {
    const auto n = static_cast<std::int16_t>(population(row));
    total += n;
    deepest = std::max(deepest, n);
  }
  return {static_cast<unsigned>(total), static_cast<unsigned>(deepest)};
}

/// For any units: two that are 64 rows apart share a bit, so a bit found set is checked against the lanes before.
template <unsigned Buckets, std::size_t N> DistinctUnits tabulate_far(const Units<N> &units) {
  std::array<std::uint64_t, Buckets> rows{};
  std::array<std::uint8_t, Buckets> count{};
  DistinctUnits result;
  for (std::size_t lane = 0; lane < N; ++lane) {
    const std::uint32_t unit = units[lane];
    std::uint64_t &row = rows[unit % Buckets];
    const std::uint64_t before = row;
    row |= std::uint64_t{1} << (unit / Buckets % 64);
    if (row == before && std::find(units.begin(), units.begin() + lane, unit) != units.begin() + lane)
      continue;
    ++result.total;
    result.deepest = std::max<unsigned>(result.deepest, ++count[unit % Buckets]);
  }
  return result;
}

template <unsigned Buckets, std::size_t N> DistinctUnits tabulate(const Units<N> &units) {
  const std::uint32_t base = (units[0] & ~(Buckets - 1)) - 16 * Buckets;
  std::uint32_t reach = 0;
  for (const std::uint32_t unit : units)
    reach |= unit - base;
  return reach < 32 * Buckets ? tabulate_near<Buckets>(units, base) : tabulate_far<Buckets>(units);
}

} // namespace detail

/// True if neighbouring units all differ by `stride`.
template <std::size_t N> bool has_stride(const Units<N> &units, std::uint32_t stride) {
  std::uint32_t uneven = 0;
  for (std::size_t i = 1; i < N; ++i)
    uneven |= (units[i] - units[i - 1]) ^ stride;
  return uneven == 0;
}

/// deepest_bucket() of `lanes` units with one stride: buckets in use are visited in turn.
template <unsigned Buckets> constexpr unsigned deepest_bucket_of_stride(unsigned lanes, std::uint32_t stride) {
  if (stride == 0)
    return 1;
  const unsigned buckets_in_use = Buckets >> std::min(std::countr_zero(stride), std::countr_zero(Buckets));
  return (lanes + buckets_in_use - 1) / buckets_in_use;
}

/// The most distinct units that fall into one bucket. Units are below 2^30.
template <unsigned Buckets, std::size_t N> unsigned deepest_bucket(const Units<N> &units) {
  static_assert(std::has_single_bit(Buckets));
  const std::uint32_t stride = units[1] - units[0];
  if (has_stride(units, stride))
    return deepest_bucket_of_stride<Buckets>(N, stride);
  return detail::tabulate<Buckets>(units).deepest;
}

/// How many of the units are distinct. Units are below 2^31.
template <std::size_t N> unsigned distinct(const Units<N> &units) {
  // In ascending order, the usual case, equal units are neighbours.
  std::uint32_t descents = 0;
  unsigned steps = 0;
  for (std::size_t i = 1; i < N; ++i) {
    descents |= units[i] - units[i - 1]; // top bit set: lower than its predecessor
    steps += units[i] != units[i - 1];
  }
  if (descents >> 31 == 0)
    return 1 + steps;
  return detail::tabulate<32>(units).total;
}

} // namespace smem
