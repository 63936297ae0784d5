// The lane -> index patterns that the micro-benchmark runs.  Indices are in units of the operation's access width, so
// that every pattern is naturally aligned for every operation; the byte offset of a lane is index * width.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace smem_lint::microbench {

constexpr int kLanes = 32;
constexpr std::uint32_t kFull = 0xffffffffu;

struct Pattern {
  std::string family;
  std::uint32_t mask = kFull;
  std::array<std::uint32_t, kLanes> index{};
};

// The same seed gives the same list on every machine: only std::mt19937's raw output is used, never a distribution,
// whose algorithm the standard leaves open.
class Random {
public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
  std::uint32_t below(std::uint32_t limit) { return limit ? bits() % limit : 0; }

private:
  std::mt19937 engine_;
};

template <class Index> Pattern make_pattern(std::string family, std::uint32_t mask, Index index) {
  Pattern pattern{std::move(family), mask, {}};
  for (int lane = 0; lane < kLanes; ++lane)
    pattern.index[lane] = static_cast<std::uint32_t>(index(lane));
  return pattern;
}

inline std::array<std::uint32_t, kLanes> random_permutation(Random &random) {
  std::array<std::uint32_t, kLanes> order{};
  for (int i = 0; i < kLanes; ++i)
    order[i] = i;
  for (int i = kLanes - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

// A mask with a random density: dense, half, sparse, whole groups, or two or three lanes.
inline std::uint32_t random_mask(Random &random) {
  switch (random.below(6)) {
  case 0: return random.bits() | random.bits() | random.bits();
  case 1: return random.bits();
  case 2: return random.bits() & random.bits() & random.bits();
  case 3: {
    std::uint32_t mask = 0;
    for (int group = 0; group < 8; ++group)
      if (random.below(2))
        mask |= 0xfu << (4 * group);
    return mask;
  }
  case 4: return (1u << random.below(32)) | (1u << random.below(32)) | (1u << random.below(32));
  default: {
    const std::uint32_t n = 1 + random.below(32);
    return (n == 32 ? kFull : (1u << n) - 1) << random.below(33 - n);
  }
  }
}

// How the eight lanes of one quarter-warp relate; the unit in which wide accesses are split and merged.
enum class Relation { distinct, pair1, pair2, pair4, quad, equal, near };

inline std::uint32_t representative(Relation relation, std::uint32_t lane) {
  switch (relation) {
  case Relation::pair1: return lane & ~1u;
  case Relation::pair2: return lane & ~2u;
  case Relation::pair4: return lane & ~4u;
  case Relation::quad: return lane & ~3u;
  case Relation::equal: return lane & ~7u;
  default: return lane;
  }
}

inline Pattern quarter_pattern(Random &random, std::uint32_t mask) {
  static constexpr std::uint32_t windows[] = {4, 8, 16, 32, 64, 256, 1024};
  const std::uint32_t window = windows[random.below(7)];
  const bool same_relation = random.below(2) == 0;
  std::array<std::uint32_t, kLanes> value{};
  for (auto &v : value)
    v = random.below(window);
  if (random.below(3) == 0) // conflict-free inside a quarter unless the relation says otherwise
    for (int lane = 0; lane < kLanes; ++lane)
      value[lane] = (lane % 8) + 8 * random.below(window / 8 + 1);
  Pattern pattern{"quarter-relations", mask, {}};
  Relation relation = static_cast<Relation>(random.below(6));
  for (int quarter = 0; quarter < 4; ++quarter) {
    if (!same_relation)
      relation = static_cast<Relation>(random.below(6));
    for (std::uint32_t lane = 8 * quarter; lane < 8u * quarter + 8; ++lane)
      pattern.index[lane] = value[representative(relation, lane)];
  }
  // Now and then break a single lane, or make two quarters alike, to see where a merge rule is evaluated.
  const std::uint32_t twist = random.below(6);
  if (twist == 0)
    pattern.index[random.below(32)] = random.below(window);
  if (twist == 1)
    for (int lane = 0; lane < 8; ++lane)
      pattern.index[8 + lane] = pattern.index[lane];
  if (twist == 2)
    for (int lane = 0; lane < 16; ++lane)
      pattern.index[16 + lane] = pattern.index[lane];
  return pattern;
}

inline std::vector<Pattern> make_patterns(std::uint32_t seed) {
  Random random(seed);
  std::vector<Pattern> all;
  const auto add = [&](Pattern p) { all.push_back(std::move(p)); };

  // Every stride, then wide ones.
  for (int s = 0; s <= 34; ++s)
    add(make_pattern("stride", kFull, [&](int l) { return l * s; }));
  for (int s : {40, 48, 56, 63, 64, 65, 72, 80, 96, 127, 128, 129, 132, 160, 192, 256, 257})
    add(make_pattern("stride", kFull, [&](int l) { return l * s; }));
  // Bases within and beyond a 128-byte line.
  for (int b = 1; b <= 33; ++b)
    add(make_pattern("base", kFull, [&](int l) { return l + b; }));
  for (int b = 1; b <= 9; ++b)
    add(make_pattern("base-stride2", kFull, [&](int l) { return 2 * l + b; }));
  // Permutations of one row.
  for (int m = 1; m < 32; ++m)
    add(make_pattern("xor", kFull, [&](int l) { return l ^ m; }));
  add(make_pattern("reverse", kFull, [](int l) { return 31 - l; }));
  // Two-level affine: low lanes with one stride, high lanes with another.
  for (int q : {2, 4, 8, 16})
    for (int low : {0, 1, 2, 3, 4, 8, 16, 17, 32, 33})
      for (int high : {0, 1, 2, 4, 5, 8, 16, 17, 32, 33, 64})
        add(make_pattern("two-level", kFull, [&](int l) { return (l % q) * low + (l / q) * high; }));
  // Xor swizzles of a row-major tile read by columns.
  for (int pitch : {8, 16, 32, 64})
    for (int m : {1, 3, 7, 15, 31})
      add(make_pattern("swizzle", kFull, [&](int l) { return l * pitch + ((l & m) % pitch); }));

  // No lane, one lane, the first n lanes, every other lane, groups.
  const auto stride1 = [](int l) { return l; };
  const auto stride2 = [](int l) { return 2 * l; };
  const auto column = [](int l) { return 32 * l; };
  const auto broadcast = [](int) { return 5; };
  const auto halves = [](int l) { return l / 2; };
  std::vector<std::uint32_t> masks{0,           0x55555555u, 0xaaaaaaaau, 0x33333333u, 0xccccccccu, 0x0f0f0f0fu,
                                   0xf0f0f0f0u, 0x00ff00ffu, 0xff00ff00u, 0x0000ffffu, 0xffff0000u, 0x11111111u,
                                   0x01010101u, 0x00010001u, 0x80000001u, 0x000000ffu, 0x0000ff00u, 0x00ff0000u,
                                   0xff000000u, 0x00ffff00u, 0xff0000ffu, 0x0000000fu, 0xf000000fu};
  for (int n = 1; n < 32; ++n)
    masks.push_back((1u << n) - 1);
  for (std::uint32_t mask : masks) {
    add(make_pattern("mask-stride1", mask, stride1));
    add(make_pattern("mask-stride2", mask, stride2));
    add(make_pattern("mask-column", mask, column));
    add(make_pattern("mask-broadcast", mask, broadcast));
    add(make_pattern("mask-halves", mask, halves));
  }
  for (int lane = 0; lane < 32; lane += 3)
    add(make_pattern("mask-single", 1u << lane, stride1));
  for (int i = 0; i < 60; ++i)
    add(make_pattern("mask-random-stride1", random_mask(random), stride1));

  // Random permutations of a row, and of rows with another row for some lanes.
  for (int i = 0; i < 20; ++i) {
    const auto order = random_permutation(random);
    add(make_pattern("permutation", kFull, [&](int l) { return order[l]; }));
    const std::uint32_t far = 32 * (1 + random.below(8));
    const std::uint32_t some = random.bits();
    add(make_pattern("permutation-rows", kFull, [&](int l) { return order[l] + ((some >> l & 1) ? far : 0); }));
    add(make_pattern("permutation-mask", random_mask(random), [&](int l) { return order[l]; }));
  }
  // Random words of a window: small windows make many lanes share a word.
  for (std::uint32_t window :
       {2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u, 48u, 64u, 100u, 128u, 256u, 512u, 1000u, 4000u, 8000u})
    for (int i = 0; i < 10; ++i) {
      const std::uint32_t mask = i % 2 ? random_mask(random) : kFull;
      add(make_pattern("window", mask, [&](int) { return random.below(window); }));
    }
  // Random words of few banks.
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t banks = 1u << random.below(4), rows = 1 + random.below(12);
    const std::uint32_t unit = 1u << (2 + random.below(4));
    const std::uint32_t mask = i % 3 == 2 ? random_mask(random) : kFull;
    add(make_pattern("few-banks", mask, [&](int) { return random.below(banks) + unit * random.below(rows); }));
  }
  // What the wide accesses hinge on.
  for (int i = 0; i < 260; ++i)
    add(quarter_pattern(random, kFull));
  for (int i = 0; i < 200; ++i)
    add(quarter_pattern(random, random_mask(random)));
  return all;
}

// Patterns for the wide shared accesses only: which lanes may share a wavefront.  Most of them stay inside one window of
// 128 bytes, where no bank conflict is possible, so that what is counted is the grouping of lanes alone.
inline std::vector<Pattern> make_wide_patterns(std::uint32_t seed) {
  Random random(seed + 7);
  std::vector<Pattern> all;
  const auto add = [&](Pattern p) { all.push_back(std::move(p)); };
  // Two lanes: the same vector, two vectors without conflict, two vectors in the same banks.
  for (int i = 0; i < 32; ++i)
    for (int j = i + 1; j < 32; ++j) {
      const int kind = static_cast<int>(random.below(8));
      const std::uint32_t other = kind == 0 ? 16 : kind < 4 ? 0 : 3;
      add(make_pattern("wide-two-lanes", (1u << i) | (1u << j), [&](int l) { return l == j ? other : 0; }));
    }
  // A few lanes in one window.
  for (int n = 3; n <= 16; ++n)
    for (int i = 0; i < 60; ++i) {
      std::uint32_t mask = 0;
      while (std::popcount(mask) < n)
        mask |= 1u << random.below(32);
      const std::uint32_t window = i % 3 == 0 ? 8 : 1 + random.below(8);
      add(make_pattern("wide-few-lanes", mask, [&](int) { return random.below(window); }));
    }
  // Any mask, one window, of a few vectors.
  for (int i = 0; i < 500; ++i) {
    const std::uint32_t mask = i % 2 ? random_mask(random) : kFull;
    const std::uint32_t window = 1 + random.below(8);
    add(make_pattern("wide-window", mask, [&](int) { return random.below(window); }));
  }
  // Pairs that agree, with and without a lane that does not.
  for (int i = 0; i < 400; ++i) {
    const std::uint32_t mask = i % 2 ? random_mask(random) : kFull;
    const int flip = 1 << random.below(5);
    std::array<std::uint32_t, kLanes> value{};
    for (auto &v : value)
      v = random.below(i % 3 ? 8 : 24);
    const int odd = random.below(3) ? -1 : static_cast<int>(random.below(32));
    add(make_pattern("wide-pairs", mask, [&](int l) { return l == odd ? value[l] : value[l & ~flip]; }));
  }
  return all;
}

} // namespace smem_lint::microbench
