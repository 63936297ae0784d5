// Conflicts of an interval, against all pairs of lanes of accesses that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <vector>

#include "race/interval.h"

namespace smem::race {
namespace {

constexpr std::uint64_t kBytes = 256, kGranule = 4;

class AccessGenerator {
public:
  explicit AccessGenerator(unsigned seed) : random_(seed) {}

  /// Of some warps, in the order in which check() takes them.
  std::vector<WarpAccess> accesses() {
    std::vector<WarpAccess> all;
    for (std::uint32_t warp = 0; warp < 1 + below(3); ++warp)
      for (unsigned i = below(4); i > 0; --i) {
        WarpAccess access;
        access.operation = static_cast<std::uint32_t>(all.size());
        access.warp = warp;
        access.active = below(3) ? kFullMask >> below(32) : LaneMask{1} << below(32);
        access.kind = std::array{Kind::Read, Kind::Read, Kind::Write, Kind::Atomic}[below(4)];
        choose_places(access);
        all.push_back(access);
      }
    return all;
  }

private:
  static constexpr LaneMask kFullMask = 0xffffffff;
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void choose_places(WarpAccess &access) {
    const std::uint64_t words = kBytes / kGranule, first = below(words - 1);
    if (below(2) == 0) { // some word of an array
      access.anywhere = true;
      access.address.fill(first * kGranule);
      access.bytes = (1 + below(static_cast<unsigned>(words - first))) * kGranule;
    } else if (below(2) == 0) { // every so many words of it
      access.anywhere = true;
      access.stride = (1 + below(5)) * kGranule;
      access.end = kBytes;
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        access.address[lane] = std::min((first + lane) * kGranule, kBytes - kGranule);
    } else {
      const unsigned step = below(3);
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        access.address[lane] = (first + lane * step) % words * kGranule;
    }
  }

  std::mt19937 random_;
};

/// The words that a lane may touch: a bit for each.
std::uint64_t words_of(const WarpAccess &access, unsigned lane) {
  std::uint64_t words = 0;
  const auto add = [&](std::uint64_t begin, std::uint64_t bytes) {
    for (std::uint64_t at = begin; at < begin + bytes; at += kGranule)
      words |= std::uint64_t{1} << at / kGranule;
  };
  if (access.stride)
    for (std::uint64_t at = access.address[lane]; at + access.bytes <= access.end; at += access.stride)
      add(at, access.bytes);
  else
    add(access.address[access.anywhere ? 0 : lane], access.bytes);
  return words;
}

struct Conflicts {
  bool between_warps = false, within_warp = false, certain = false;
  bool operator==(const Conflicts &) const = default;
};

/// Of every two lanes.
Conflicts by_pairs(const std::vector<WarpAccess> &accesses) {
  Conflicts all;
  for (std::size_t i = 0; i < accesses.size(); ++i)
    for (std::size_t j = i; j < accesses.size(); ++j)
      for (unsigned a = 0; a < kWarpSize; ++a)
        for (unsigned b = 0; b < kWarpSize; ++b) {
          const WarpAccess &first = accesses[i], &second = accesses[j];
          const bool within = first.warp == second.warp;
          if (!(first.active >> a & 1) || !(second.active >> b & 1) || (within && a == b) ||
              !conflict(first.kind, second.kind) || !(words_of(first, a) & words_of(second, b)))
            continue;
          (within ? all.within_warp : all.between_warps) = true;
          all.certain |= !within && !first.anywhere && !second.anywhere;
        }
  return all;
}

TEST(IntervalChecker, FindsWhatPairsOfLanesFind) {
  unsigned with_conflict = 0, without = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    AccessGenerator generator(seed);
    IntervalChecker checker(kBytes, kGranule);
    // One interval after the other: what the one before has left behind is nothing to the next.
    for (int interval = 0; interval < 3; ++interval) {
      const std::vector<WarpAccess> accesses = generator.accesses();
      Conflicts found;
      std::uint64_t touched = 0;
      for (const WarpAccess &access : accesses) {
        unsigned lanes = 0;
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          if ((access.active >> lane & 1) && (!access.anywhere || access.stride || ++lanes <= 2))
            touched += static_cast<unsigned>(std::popcount(words_of(access, lane)));
      }
      const std::uint64_t compared = checker.check(accesses, std::vector<WarpOrder>(3), [&](const Conflict &conflict) {
        (conflict.within_warp ? found.within_warp : found.between_warps) = true;
        found.certain |= conflict.certain && !conflict.within_warp;
        EXPECT_TRUE(words_of(*conflict.first, conflict.first_lane) >> conflict.byte / kGranule & 1);
        EXPECT_TRUE(words_of(*conflict.second, conflict.second_lane) >> conflict.byte / kGranule & 1);
      });
      EXPECT_EQ(compared, touched) << "seed " << seed;
      ASSERT_EQ(found, by_pairs(accesses)) << "seed " << seed << ", interval " << interval;
      ++(found.between_warps ? with_conflict : without);
    }
  }
  EXPECT_GT(with_conflict, 100u);
  EXPECT_GT(without, 100u);
}

} // namespace
} // namespace smem::race
