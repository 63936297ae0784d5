// What every layout trick of shared memory promises, checked on the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "random_requests.h"
#include "smem/architecture.h"
#include "smem/memory_model.h"

namespace smem {
namespace {

const Architecture &sm90() { return *find_architecture("sm_90"); }

Access shared(Operation operation, unsigned width_bits) {
  return {.space = Space::Shared, .operation = operation, .width_bits = static_cast<std::uint16_t>(width_bits)};
}

Access global(unsigned width_bits) {
  return {.space = Space::Global, .width_bits = static_cast<std::uint16_t>(width_bits)};
}

Request request(const std::function<std::uint64_t(unsigned)> &address, LaneMask active = kFullMask) {
  Request result;
  result.active = active;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    result.address[lane] = address(lane);
  return result;
}

unsigned wavefronts(const Request &request, Operation operation, unsigned width_bits) {
  return evaluate(request, shared(operation, width_bits), sm90()).wavefronts;
}

constexpr unsigned kWidths[] = {8, 16, 32, 64, 128};
constexpr Operation kLoadAndStore[] = {Operation::Load, Operation::Store};

TEST(MemoryModel, NoActiveLaneCostsNothing) {
  for (const unsigned width : kWidths) {
    const Request idle = request([](unsigned lane) { return lane * 1000; }, 0);
    EXPECT_EQ(evaluate(idle, shared(Operation::Load, width), sm90()), RequestCost{});
    EXPECT_EQ(evaluate(idle, global(width), sm90()), RequestCost{});
  }
}

// The strides that every course teaches: degree gcd(stride, 32) for 4-byte elements.
TEST(MemoryModel, StridesOfWords) {
  for (unsigned stride = 1; stride <= 64; ++stride)
    for (const Operation operation : kLoadAndStore) {
      const RequestCost cost =
          evaluate(request([&](unsigned lane) { return 4 * stride * lane; }), shared(operation, 32), sm90());
      EXPECT_EQ(cost.wavefronts, std::gcd(stride, 32u));
      EXPECT_EQ(cost.conflict_degree, std::gcd(stride, 32u));
      EXPECT_EQ(cost.ideal_wavefronts, 1u);
    }
}

TEST(MemoryModel, SubWordNeighboursShareWords) {
  for (const unsigned stride : {0u, 1u, 2u, 3u, 4u})
    EXPECT_EQ(wavefronts(request([&](unsigned lane) { return lane * stride; }), Operation::Load, 8), 1u);
  EXPECT_EQ(wavefronts(request([](unsigned lane) { return lane * 8; }), Operation::Load, 8), 2u);
  EXPECT_EQ(wavefronts(request([](unsigned lane) { return lane * 2; }), Operation::Store, 16), 1u);
}

// float4 rows at strides 1, 2 and 5; double at 17; all lanes on one float4: as measured.
TEST(MemoryModel, WideAccesses) {
  const auto float4_rows = [](unsigned stride) { return request([=](unsigned lane) { return 16 * stride * lane; }); };
  EXPECT_EQ(wavefronts(float4_rows(1), Operation::Load, 128), 4u);
  EXPECT_EQ(wavefronts(float4_rows(2), Operation::Load, 128), 8u);
  EXPECT_EQ(wavefronts(float4_rows(5), Operation::Load, 128), 4u);
  EXPECT_EQ(wavefronts(request([](unsigned lane) { return 8 * 17 * lane; }), Operation::Load, 64), 2u);
  const RequestCost broadcast = evaluate(request([](unsigned) { return 64; }), shared(Operation::Load, 128), sm90());
  EXPECT_EQ(broadcast.wavefronts, 2u);
  EXPECT_EQ(broadcast.ideal_wavefronts, 2u);
  EXPECT_EQ(wavefronts(request([](unsigned) { return 64; }), Operation::Store, 128), 4u);
  EXPECT_EQ(wavefronts(request([](unsigned) { return 64; }), Operation::Load, 64), 1u);
}

TEST(MemoryModel, PairsOfEqualLanesHalveWideLoads) {
  // Sixteen vectors, each wanted by two lanes whose numbers differ in one bit; eight of them in each half-warp.
  const auto pairs = [](unsigned bit) {
    return request(
        [=](unsigned lane) { return 16 * std::uint64_t{lane >> (bit + 1) << bit | (lane & ((1u << bit) - 1))}; });
  };
  for (const unsigned bit : {0u, 1u}) {
    EXPECT_EQ(wavefronts(pairs(bit), Operation::Load, 128), 2u) << bit;
    EXPECT_EQ(wavefronts(pairs(bit), Operation::Store, 128), 4u) << bit;
  }
  EXPECT_EQ(wavefronts(pairs(2), Operation::Load, 128), 4u);
  EXPECT_EQ(wavefronts(pairs(3), Operation::Load, 128), 4u);
}

// ldmatrix.x4 on 16-byte rows at pitch 64 and 80 bytes: as measured.
TEST(MemoryModel, MatrixRows) {
  const auto rows = [](std::uint64_t pitch) {
    return request([=](unsigned lane) { return lane % 8 * pitch + lane / 8 * 16; });
  };
  Access access = shared(Operation::MatrixLoad, 128);
  access.matrices = 4;
  EXPECT_EQ(evaluate(rows(64), access, sm90()).wavefronts, 16u);
  EXPECT_EQ(evaluate(rows(80), access, sm90()).wavefronts, 4u);
  EXPECT_EQ(evaluate(rows(80), access, sm90()).ideal_wavefronts, 4u);
  access.matrices = 1;
  EXPECT_EQ(evaluate(rows(64), access, sm90()).wavefronts, 4u);
}

// Four lanes on each of eight words: max serialises them, a counted increment does not, but eight words of one bank do.
TEST(MemoryModel, Atomics) {
  Access access = shared(Operation::Atomic, 32);
  access.atomic = AtomicKind::Max;
  const auto eight_words = request([](unsigned lane) { return lane % 8 * 4; });
  EXPECT_EQ(evaluate(eight_words, access, sm90()).wavefronts, 4u);
  access.atomic = AtomicKind::Increment;
  EXPECT_EQ(evaluate(eight_words, access, sm90()).wavefronts, 1u);
  EXPECT_EQ(evaluate(request([](unsigned lane) { return lane % 8 * 128; }), access, sm90()).wavefronts, 8u);
  access.result_used = true;
  EXPECT_EQ(evaluate(eight_words, access, sm90()).wavefronts, 4u);
}

TEST(MemoryModel, GlobalSectorsAndTags) {
  const RequestCost coalesced = evaluate(request([](unsigned lane) { return 4 * lane; }), global(32), sm90());
  EXPECT_EQ(coalesced, (RequestCost{.sectors = 4, .ideal_sectors = 4, .tags = 1}));
  const RequestCost shifted = evaluate(request([](unsigned lane) { return 4 * lane + 4; }), global(32), sm90());
  EXPECT_EQ(shifted, (RequestCost{.sectors = 5, .ideal_sectors = 4, .tags = 2}));
  const RequestCost column = evaluate(request([](unsigned lane) { return 4096 * lane; }), global(32), sm90());
  EXPECT_EQ(column, (RequestCost{.sectors = 32, .ideal_sectors = 4, .tags = 32}));
  const RequestCost vectors = evaluate(request([](unsigned lane) { return 16 * lane; }), global(128), sm90());
  EXPECT_EQ(vectors, (RequestCost{.sectors = 16, .ideal_sectors = 16, .tags = 4}));
  const RequestCost broadcast = evaluate(request([](unsigned) { return 16; }), global(128), sm90());
  EXPECT_EQ(broadcast, (RequestCost{.sectors = 1, .ideal_sectors = 1, .tags = 1}));
}

TEST(MemoryModel, GlobalAddressesMayBeAnywhere) {
  // A halo to the left of address 0, and lanes on two allocations far apart.
  const RequestCost halo =
      evaluate(request([](unsigned lane) { return 4 * std::uint64_t{lane} - 4; }), global(32), sm90());
  EXPECT_EQ(halo, (RequestCost{.sectors = 5, .ideal_sectors = 4, .tags = 2}));
  const RequestCost two =
      evaluate(request([](unsigned lane) { return (std::uint64_t{lane % 2} << 40) + 4 * lane; }), global(32), sm90());
  EXPECT_EQ(two, (RequestCost{.sectors = 8, .ideal_sectors = 4, .tags = 2}));
}

// A tile whose pitch is a power of two: reading a column conflicts, one word more in each row and it does not.
TEST(MemoryModelProperty, OddPaddingRemovesPowerOfTwoConflicts) {
  for (unsigned log = 1; log <= 8; ++log)
    for (unsigned padding = 1; padding < 16; padding += 2)
      for (const Operation operation : kLoadAndStore) {
        const unsigned pitch = 1u << log;
        const auto column = [&](unsigned p) {
          return request([=](unsigned lane) { return 4 * std::uint64_t{p} * lane; });
        };
        EXPECT_EQ(wavefronts(column(pitch), operation, 32), std::min(pitch, 32u));
        EXPECT_EQ(wavefronts(column(pitch + padding), operation, 32), 1u);
      }
}

TEST(MemoryModelProperty, XorSwizzleIsABijectionWithoutConflicts) {
  for (const unsigned width : {32u, 64u, 128u}) {
    const unsigned bytes = width / 8, columns = 128 / bytes, ideal = width / 32;
    const auto at = [&](unsigned row, unsigned column) {
      return std::uint64_t{row * columns + (column ^ row % columns)} * bytes;
    };
    std::set<std::uint64_t> places;
    for (unsigned row = 0; row < 32; ++row)
      for (unsigned column = 0; column < columns; ++column)
        places.insert(at(row, column));
    EXPECT_EQ(places.size(), 32u * columns);
    EXPECT_EQ(*places.rbegin(), (32u * columns - 1) * bytes);
    for (const Operation operation : kLoadAndStore) {
      for (unsigned column = 0; column < columns; ++column)
        EXPECT_EQ(wavefronts(request([&](unsigned lane) { return at(lane, column); }), operation, width), ideal);
      for (unsigned row = 0; row + width / 32 <= 32; ++row)
        EXPECT_EQ(wavefronts(request([&](unsigned lane) { return at(row + lane / columns, lane % columns); }),
                             operation, width),
                  ideal);
    }
  }
}

/// Calls check(request, access) for random requests of every shared and global access.
void for_random_requests(int rounds,
                         const std::function<void(testing::Random &, const Request &, const Access &)> &check) {
  testing::Random random(11);
  for (int round = 0; round < rounds; ++round)
    for (const unsigned width : kWidths) {
      const Request request = testing::random_request(random, width / 8, 64 * 1024);
      for (const Operation operation : kLoadAndStore)
        check(random, request, shared(operation, width));
      check(random, request, global(width));
    }
}

TEST(MemoryModelProperty, ShiftByWholeRowsChangesNothing) {
  for_random_requests(5000, [](testing::Random &random, const Request &request, const Access &access) {
    Request shifted = request;
    const std::uint64_t by = 128 * random.below(1000);
    for (std::uint64_t &address : shifted.address)
      address += by;
    ASSERT_EQ(evaluate(request, access, sm90()), evaluate(shifted, access, sm90()));
  });
}

TEST(MemoryModelProperty, WhatInactiveLanesHoldChangesNothing) {
  for_random_requests(5000, [](testing::Random &random, const Request &request, const Access &access) {
    Request other = request;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if ((request.active >> lane & 1) == 0)
        other.address[lane] = random.bits();
    ASSERT_EQ(evaluate(request, access, sm90()), evaluate(other, access, sm90()));
  });
}

// Which lane of a phase has which address does not matter to a store (a wide load may merge by neighbours).
TEST(MemoryModelProperty, PermutingThePhaseOfAStoreChangesNothing) {
  for_random_requests(5000, [](testing::Random &random, const Request &request, const Access &access) {
    if (access.operation != Operation::Store && access.width_bits > 32)
      return;
    const unsigned phase = access.width_bits <= 32 ? 32 : 1024 / access.width_bits;
    Request permuted = request;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const unsigned other = lane / phase * phase + random.below(phase);
      std::swap(permuted.address[lane], permuted.address[other]);
      const bool a = permuted.active >> lane & 1, b = permuted.active >> other & 1;
      if (a != b)
        permuted.active ^= 1u << lane | 1u << other;
    }
    ASSERT_EQ(evaluate(request, access, sm90()), evaluate(permuted, access, sm90()));
  });
}

// Switching off a lane never costs more, except that a wide load may lose the merging of its halves: that was measured too.
TEST(MemoryModelProperty, FewerLanesNeverCostMore) {
  for_random_requests(5000, [](testing::Random &random, const Request &request, const Access &access) {
    Request fewer = request;
    fewer.active &= ~(1u << random.below(32));
    const RequestCost all = evaluate(request, access, sm90()), some = evaluate(fewer, access, sm90());
    ASSERT_LE(some.sectors, all.sectors);
    ASSERT_LE(some.tags, all.tags);
    ASSERT_LE(some.ideal_sectors, all.ideal_sectors);
    if (access.operation == Operation::Load && access.width_bits > 32)
      return;
    ASSERT_LE(some.wavefronts, all.wavefronts);
    ASSERT_LE(some.conflict_degree, all.conflict_degree);
    ASSERT_LE(some.ideal_wavefronts, all.ideal_wavefronts);
  });
}

TEST(MemoryModelProperty, BoundsOfEveryCost) {
  for_random_requests(20000, [](testing::Random &, const Request &request, const Access &access) {
    const RequestCost cost = evaluate(request, access, sm90());
    const unsigned active = std::popcount(request.active);
    ASSERT_GE(cost.wavefronts, cost.ideal_wavefronts);
    ASSERT_LE(cost.wavefronts, active * std::max(1u, access.width_bits / 32u));
    ASSERT_GE(cost.wavefronts, cost.conflict_degree);
    ASSERT_GE(cost.sectors, cost.ideal_sectors);
    ASSERT_GE(cost.sectors, cost.tags);
    ASSERT_LE(cost.sectors, active);
    ASSERT_EQ(cost.conflict_degree != 0, access.space == Space::Shared && active != 0);
    if (access.operation == Operation::Load && access.space == Space::Shared) {
      Access store = access;
      store.operation = Operation::Store;
      ASSERT_LE(cost.wavefronts, evaluate(request, store, sm90()).wavefronts);
    }
  });
}

// Not a property but a fact of the record: a wide load may cost more with a lane less.
TEST(MemoryModel, SwitchingOffALaneCanUndoTheMergingOfAWideLoad) {
  const auto pairs = [](LaneMask active) { return request([](unsigned lane) { return 16 * (lane / 2 % 8); }, active); };
  EXPECT_EQ(wavefronts(pairs(kFullMask), Operation::Load, 128), 2u);
  EXPECT_EQ(wavefronts(pairs(kFullMask & ~1u), Operation::Load, 128), 3u);
}

TEST(MemoryModel, WhatWasNotMeasuredIsNotEvaluated) {
  Access atomic = shared(Operation::Atomic, 32);
  atomic.atomic = AtomicKind::FloatMinMax;
  EXPECT_NE(unsupported_reason(atomic, sm90()), "");
  EXPECT_FALSE(is_atomic_loop(atomic, sm90()));
  atomic.atomic = AtomicKind::FloatAdd;
  EXPECT_NE(unsupported_reason(atomic, sm90()), "");
  EXPECT_TRUE(is_atomic_loop(atomic, sm90()));
  atomic.space = Space::Global;
  EXPECT_EQ(unsupported_reason(atomic, sm90()), "");
  EXPECT_FALSE(is_atomic_loop(atomic, sm90()));
  atomic.width_bits = 16; // a loop over the word around it
  EXPECT_NE(unsupported_reason(atomic, sm90()), "");
  EXPECT_NE(unsupported_reason(shared(Operation::AsyncCopy, 128), sm90()), ""); // evaluate_copy() does
}

TEST(MemoryModel, InstructionsThatAnArchitectureLacksAreNamed) {
  const auto reason = [](Operation operation, const char *name) {
    return unsupported_reason(shared(operation, 128), *find_architecture(name));
  };
  EXPECT_NE(reason(Operation::MatrixLoad, "sm_70"), "");
  EXPECT_EQ(reason(Operation::MatrixLoad, "sm_75"), "");
  EXPECT_NE(reason(Operation::MatrixStore, "sm_89"), "");
  EXPECT_EQ(reason(Operation::MatrixStore, "sm_90"), "");
  EXPECT_NE(reason(Operation::AsyncCopy, "sm_75"), "");
}

} // namespace
} // namespace smem
