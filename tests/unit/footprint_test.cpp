// Bounds of how many bytes a launch touches, against enumeration.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "floor/footprint.h"

namespace smem {
namespace {

using Steps = Footprint::Steps;

/// All bytes, one by one.
std::uint64_t enumerated(const std::vector<Piece> &pieces, const std::vector<Steps> &progressions) {
  std::set<std::int64_t> starts, bytes;
  starts.insert(0);
  for (const Steps &steps : progressions) {
    std::set<std::int64_t> moved;
    for (const std::int64_t start : starts)
      for (std::uint64_t i = 0; i < std::max<std::uint64_t>(steps.count, 1); ++i)
        moved.insert(start + steps.step * static_cast<std::int64_t>(i));
    starts = std::move(moved);
  }
  for (const std::int64_t start : starts)
    for (const Piece &piece : pieces)
      for (std::uint64_t i = 0; i < piece.length; ++i)
        bytes.insert(start + static_cast<std::int64_t>(piece.start + i));
  return bytes.size();
}

TEST(Footprint, IsExactWhereProgressionsNest) {
  // A row of a tile of 32 x 32 floats by one warp, its rows, and the tiles of a matrix of 256 x 256.
  const std::vector<Piece> row{{0, 128}};
  EXPECT_EQ(least_distinct_bytes(row, {{1024, 32}, {128, 8}, {32 * 1024, 8}}), 256u * 1024);
  // The same, the lanes one by one, in any order.
  std::vector<Piece> lanes;
  for (unsigned lane = 32; lane-- > 0;)
    lanes.push_back({lane * 4, 4});
  EXPECT_EQ(least_distinct_bytes(lanes, {{32 * 1024, 8}, {1024, 32}, {128, 8}}), 256u * 1024);
  // A thread for each row: lanes are far apart, and the loop fills what is between them.
  std::vector<Piece> rows;
  for (unsigned lane = 0; lane < 32; ++lane)
    rows.push_back({lane * 1024, 4});
  EXPECT_EQ(least_distinct_bytes(rows, {{4, 256}, {32 * 1024, 8}}), 256u * 1024);
  // Backwards.
  EXPECT_EQ(least_distinct_bytes(row, {{-128, 8}}), 1024u);
}

TEST(Footprint, WhatIsTouchedAgainCountsOnce) {
  const std::vector<Piece> row{{0, 128}};
  EXPECT_EQ(least_distinct_bytes(row, {{0, 1000}}), 128u);
  EXPECT_EQ(least_distinct_bytes({{0, 128}, {64, 128}, {0, 4}}, {}), 192u);
  EXPECT_EQ(least_distinct_bytes({}, {{4, 100}}), 0u);
  // A stencil's halo: tiles of 136 bytes that begin 128 bytes apart. Every second one meets no other.
  EXPECT_EQ(least_distinct_bytes({{0, 136}}, {{128, 8}}), 136u * 4);
  EXPECT_EQ(enumerated({{0, 136}}, {{128, 8}}), 1032u);
}

TEST(Footprint, LargeNumbersSaturate) {
  EXPECT_EQ(least_distinct_bytes({{0, 128}},
                                 {{128, std::uint64_t{1} << 40}, {std::int64_t{1} << 50, std::uint64_t{1} << 40}}),
            UINT64_MAX);
}

TEST(Footprint, IsNeverMoreThanEnumeration) {
  std::mt19937_64 random(1);
  const auto pick = [&](unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(random);
  };
  unsigned exact = 0, cases = 0;
  for (; cases < 3000; ++cases) {
    std::vector<Piece> pieces;
    const unsigned lanes = pick(1, 32), stride = pick(0, 3) ? 1u << pick(0, 7) : pick(1, 90), width = 1u << pick(0, 4);
    for (unsigned lane = 0; lane < lanes; ++lane)
      pieces.push_back({lane * stride + (pick(0, 30) == 0 ? pick(0, 64) : 0), width});
    std::vector<Steps> progressions;
    for (unsigned i = pick(0, 3); i > 0; --i) {
      const std::int64_t step = pick(0, 2) ? std::int64_t{1} << pick(0, 9) : pick(0, 700);
      progressions.push_back({pick(0, 5) == 0 ? -step : step, pick(1, 9)});
    }
    const std::uint64_t bound = least_distinct_bytes(pieces, progressions), truth = enumerated(pieces, progressions);
    ASSERT_LE(bound, truth) << "case " << cases;
    ASSERT_GT(bound, 0u);
    exact += bound == truth;
  }
  EXPECT_GT(exact, cases / 4);
}

} // namespace
} // namespace smem
