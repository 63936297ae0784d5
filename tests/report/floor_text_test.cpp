#include "report/launch_floor.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

TEST(FloorText, TimesAreRoundedDown) {
  EXPECT_EQ(duration_text(0), "0.00 us");
  EXPECT_EQ(duration_text(1'999), "1.99 us");
  EXPECT_EQ(duration_text(9'999), "9.99 us");
  EXPECT_EQ(duration_text(10'000), "10.0 us");
  EXPECT_EQ(duration_text(99'999), "99.9 us");
  EXPECT_EQ(duration_text(100'000), "100 us");
  EXPECT_EQ(duration_text(1'134'999), "1,134 us");
  EXPECT_EQ(duration_text(99'999'999), "99,999 us");
  EXPECT_EQ(duration_text(1'234'567'890), "1,234 ms");
}

/// A launch whose shared memory takes 200 us of an H200 and whose tags take 50.
LaunchFloor sample() {
  LaunchFloor launch;
  launch.gpu = find_gpu("h200");
  launch.work.blocks = 1320;
  launch.work.total.shared_wavefronts = 132ull * 200 * 1980;
  launch.work.total.tags = 132ull * 50 * 1980 * 4;
  launch.floor = floor_of(launch.work, *launch.gpu);
  launch.residency.warps_at_once = 64;
  return launch;
}

Finding avoidable(Unit unit, std::uint64_t excess) {
  Finding finding;
  finding.traffic = Traffic{unit, 1000, excess + 1000, 1000, excess + 1000, false, false};
  finding.counts.requests = 1000;
  finding.counts.tags = excess + 1000;
  return finding;
}

TEST(FloorText, SaysWhatFindingsAreWorth) {
  LaunchFloor launch = sample();
  const Finding some = avoidable(Unit::Wavefronts, 132ull * 100 * 1980), tags = avoidable(Unit::Sectors, 132ull * 1980),
                all = avoidable(Unit::Wavefronts, 132ull * 180 * 1980), none = avoidable(Unit::Wavefronts, 0);
  const auto worth = [&](std::vector<const Finding *> findings) { return worth_text(launch, findings); };
  EXPECT_EQ(worth({&some}), "200 us on an H200 (shared memory); 100 us without it (2x)");
  EXPECT_EQ(worth({&all}), "200 us on an H200 (shared memory); 50.0 us without it (4x), then bound by L1 tags");
  EXPECT_EQ(worth({&some, &tags}), "200 us on an H200 (shared memory); 100 us without them (2x)");
  EXPECT_EQ(worth({&tags}), "200 us on an H200 (shared memory), and the same without it");
  EXPECT_EQ(worth({&none}), "");
  launch.floor.at_least = launch.work.at_least = true;
  EXPECT_EQ(worth({&some}), ">=200 us on an H200 (shared memory, of what is counted); >=100 us without it (2x)");
  launch.residency.warps_at_once = 2;
  EXPECT_EQ(worth({&some}),
            "not bound by throughput on an H200: 1,320 blocks on 132 SMs, 2 warps an SM, >=200 us of shared memory");
  launch.assumed_launch = true;
  EXPECT_EQ(worth({&some}), "");
}

TEST(FloorText, GpusHaveTheirArticle) {
  LaunchFloor launch = sample();
  for (const auto &[name, text] : {std::pair("a100", "on an A100 80 GB"),
                                   {"t4", "on a T4"},
                                   {"l40s", "on an L40S"},
                                   {"rtx4090", "on an RTX 4090"},
                                   {"b200", "on a B200"},
                                   {"v100", "on a V100"}}) {
    launch.gpu = find_gpu(name);
    EXPECT_NE(floor_text(launch).find(text), std::string::npos) << floor_text(launch);
  }
}

} // namespace
} // namespace smem
