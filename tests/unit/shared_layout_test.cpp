#include "smem/shared_layout.h"

#include <gtest/gtest.h>

#include <random>

namespace smem {
namespace {

const Architecture &sm90() { return *find_architecture("sm_90"); }

SharedArray fixed(std::uint64_t size, std::uint64_t alignment) {
  SharedArray array;
  array.size = size;
  array.alignment = alignment;
  return array;
}

SharedArray dynamic(std::uint64_t alignment) {
  SharedArray array;
  array.alignment = alignment;
  array.dynamic = true;
  return array;
}

TEST(SharedLayout, NothingShared) {
  const SharedLayout layout = layout_shared({}, sm90());
  EXPECT_TRUE(layout.offset.empty());
  EXPECT_EQ(layout.static_bytes, 0u);
  EXPECT_EQ(layout.dynamic_offset, 0u);
}

// __shared__ char a[5]; float b[33]; double c[7]; float4 d[3]; short e[3]; extern __shared__ int dyn[];
// offsets as in the machine code of nvcc 13.0
TEST(SharedLayout, AsTheCompilerLaysOutMixedTypes) {
  const SharedLayout layout =
      layout_shared({fixed(5, 1), fixed(132, 4), fixed(56, 8), fixed(48, 16), fixed(6, 2), dynamic(4)}, sm90());
  EXPECT_EQ(layout.offset, (std::vector<std::uint64_t>{0, 8, 144, 208, 256, 272}));
  EXPECT_EQ(layout.static_bytes, 262u);
  EXPECT_EQ(layout.dynamic_offset, 272u);
}

// Likewise, with __align__: v0 of 1728 bytes at 64, v1 of 80 at 16, v2 of 2048 at 256, v3 of 64 at 8, v5 of 1024 at 256.
TEST(SharedLayout, AsTheCompilerLaysOutExplicitAlignment) {
  const SharedLayout layout = layout_shared(
      {fixed(1728, 64), fixed(80, 16), fixed(2048, 256), fixed(64, 8), fixed(138, 4), fixed(1024, 256), dynamic(1024)},
      sm90());
  EXPECT_EQ(layout.offset, (std::vector<std::uint64_t>{0, 1728, 2048, 4096, 4160, 4352, 6144}));
}

TEST(SharedLayout, AnArrayIsNotMovedToWidenItsAccesses) {
  const SharedLayout layout = layout_shared({fixed(33 * 4, 4), fixed(8 * 64 * 4, 4)}, sm90());
  EXPECT_EQ(layout.offset[1], 132u);
}

TEST(SharedLayout, ExternArraysShareOnePlaceBehindTheStaticPart) {
  const SharedLayout layout = layout_shared({dynamic(4), fixed(4, 4), dynamic(128), fixed(1, 1)}, sm90());
  EXPECT_EQ(layout.offset, (std::vector<std::uint64_t>{128, 0, 128, 4}));
  EXPECT_EQ(layout.static_bytes, 5u);
  EXPECT_EQ(layout.dynamic_offset, 128u);
}

TEST(SharedLayout, DynamicPartIsSixteenByteAlignedAtLeast) {
  EXPECT_EQ(layout_shared({fixed(4, 4), dynamic(4)}, sm90()).dynamic_offset, 16u);
  EXPECT_EQ(layout_shared({dynamic(1)}, sm90()).dynamic_offset, 0u);
}

TEST(SharedLayout, ArraysAreAlignedAndDisjointForEveryInput) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<SharedArray> arrays(random() % 9);
    for (SharedArray &array : arrays)
      array = random() % 5 == 0 ? dynamic(1u << random() % 11) : fixed(1 + random() % 5000, 1u << random() % 9);
    const SharedLayout layout = layout_shared(arrays, sm90());
    ASSERT_EQ(layout.offset.size(), arrays.size());
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      EXPECT_EQ(layout.offset[i] % arrays[i].alignment, 0u);
      if (arrays[i].dynamic) {
        EXPECT_EQ(layout.offset[i], layout.dynamic_offset);
        continue;
      }
      EXPECT_GE(layout.offset[i], end);
      EXPECT_LT(layout.offset[i], end + arrays[i].alignment);
      end = layout.offset[i] + arrays[i].size;
    }
    EXPECT_EQ(layout.static_bytes, end);
    EXPECT_GE(layout.dynamic_offset, end);
  }
}

} // namespace
} // namespace smem
