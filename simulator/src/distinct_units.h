// Counting distinct words, sectors or lines among the lanes of a warp: the inner loops of the memory model.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace smem {

/// Numbers of the units (words, sectors, lines) that N lanes touch. They are below 2^31.
template <std::size_t N> using Units = std::array<std::uint32_t, N>;

namespace detail {

inline constexpr unsigned kRows = 64; ///< bits of a table entry below

/// A load is cheaper than a shift by a variable amount.
inline constexpr auto kBit = [] {
  std::array<std::uint64_t, kRows> bits{};
  for (unsigned row = 0; row < kRows; ++row)
    bits[row] = std::uint64_t{1} << row;
  return bits;
}();

/// True only if no two units are in rows that differ by a multiple of kRows.
template <unsigned Buckets, std::size_t N> bool within_one_table(const Units<N> &units) {
  std::uint32_t differing = 0;
  for (const std::uint32_t unit : units)
    differing |= unit ^ units[0];
  return differing < kRows * Buckets;
}

/// A bit for each row of each bucket (a unit's number modulo `Buckets`). Rows kRows apart share a bit, so unless all units are
/// `Close`, a bit that is found set is checked against the units before.
template <bool Close, unsigned Buckets> class Table {
public:
  Table() {
    for (unsigned bucket = 0; bucket < Buckets; bucket += 8) // in pieces, lest it becomes a slow call of memset
      std::fill_n(rows_.begin() + bucket, 8, std::uint64_t{0});
  }

  /// True if the unit of `lane` differs from those of all lanes before, which have been inserted.
  template <std::size_t N> bool insert(const Units<N> &units, std::size_t lane) {
    const std::uint32_t unit = units[lane];
    std::uint64_t &rows = rows_[unit % Buckets];
    const std::uint64_t before = rows, after = before | kBit[unit / Buckets % kRows];
    rows = after;
    if (Close || after != before)
      return after != before;
    return std::find(units.begin(), units.begin() + lane, unit) == units.begin() + lane;
  }

private:
  std::array<std::uint64_t, Buckets> rows_;
};

template <bool Close, unsigned Buckets, std::size_t N> unsigned deepest_bucket(const Units<N> &units) {
  Table<Close, Buckets> table;
  std::array<std::uint8_t, Buckets> count{};
  unsigned deepest = 0;
  for (std::size_t lane = 0; lane < N; ++lane) {
    std::uint8_t &n = count[units[lane] % Buckets];
    const unsigned now = n + (table.insert(units, lane) ? 1u : 0u);
    n = static_cast<std::uint8_t>(now);
    deepest = std::max(deepest, now);
  }
  return deepest;
}

template <bool Close, std::size_t N> unsigned count_distinct(const Units<N> &units) {
  Table<Close, 32> table;
  unsigned total = 0;
  for (std::size_t lane = 0; lane < N; ++lane)
    total += table.insert(units, lane) ? 1 : 0;
  return total;
}

/// True if every bucket in use is wanted for one unit only: rows, permutations, swizzles, padded columns, broadcasts.
template <unsigned Buckets, std::size_t N> bool one_unit_a_bucket(const Units<N> &units) {
  std::array<std::uint32_t, Buckets> last_of_bucket;
  for (const std::uint32_t unit : units)
    last_of_bucket[unit % Buckets] = unit;
  std::uint32_t differing = 0;
  for (const std::uint32_t unit : units)
    differing |= last_of_bucket[unit % Buckets] ^ unit;
  return differing == 0;
}

} // namespace detail

/// True if neighbouring units all differ by `stride`.
template <std::size_t N> bool has_stride(const Units<N> &units, std::uint32_t stride) {
  if (units[N - 1] - units[0] != (N - 1) * stride)
    return false;
  std::uint32_t uneven = 0;
  for (std::size_t i = 1; i < N; ++i)
    uneven |= (units[i] - units[i - 1]) ^ stride;
  return uneven == 0;
}

/// deepest_bucket() of `lanes` units with one stride: the buckets in use are visited in turn.
template <unsigned Buckets> constexpr unsigned deepest_bucket_of_stride(unsigned lanes, std::uint32_t stride) {
  if (stride == 0)
    return 1;
  const unsigned buckets_in_use = Buckets >> std::min(std::countr_zero(stride), std::countr_zero(Buckets));
  return (lanes + buckets_in_use - 1) / buckets_in_use;
}

/// The most distinct units that fall into one bucket, the bank of a word: a unit's number modulo `Buckets`.
template <unsigned Buckets, std::size_t N> unsigned deepest_bucket(const Units<N> &units) {
  static_assert(std::has_single_bit(Buckets));
  const std::uint32_t stride = units[1] - units[0];
  if (has_stride(units, stride))
    return deepest_bucket_of_stride<Buckets>(N, stride);
  if (detail::one_unit_a_bucket<Buckets>(units))
    return 1;
  return detail::within_one_table<Buckets>(units) ? detail::deepest_bucket<true, Buckets>(units)
                                                  : detail::deepest_bucket<false, Buckets>(units);
}

/// How many of the units are distinct, and how many groups of `Together` of them, a power of two, they lie in.
struct DistinctUnits {
  unsigned units = 0, groups = 0;
};
template <std::uint32_t Together, std::size_t N> DistinctUnits count_distinct(const Units<N> &units) {
  static_assert(std::has_single_bit(Together));
  // In ascending or descending order, the usual cases, equal units are neighbours.
  std::uint32_t descents = 0, ascents = 0;
  unsigned steps = 0, group_steps = 0;
  for (std::size_t i = 1; i < N; ++i) {
    descents |= units[i] - units[i - 1]; // top bit set: lower than its predecessor
    ascents |= units[i - 1] - units[i];
    steps += units[i] != units[i - 1];
    group_steps += units[i] / Together != units[i - 1] / Together;
  }
  if ((descents & ascents) >> 31 == 0)
    return {1 + steps, 1 + group_steps};
  Units<N> groups;
  for (std::size_t i = 0; i < N; ++i)
    groups[i] = units[i] / Together;
  const auto count = [](const Units<N> &of) {
    return detail::within_one_table<32>(of) ? detail::count_distinct<true>(of) : detail::count_distinct<false>(of);
  };
  return {count(units), count(groups)};
}

} // namespace smem
