// What of a shared atomic's wavefronts is due to lanes on one word, against a count by hand.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "smem/architecture.h"
#include "smem/memory_model.h"

namespace smem {
namespace {

const Architecture &sm_90() { return *find_architecture("sm_90"); }

Access atomic(AtomicKind kind, unsigned width, bool used = false) {
  Access access;
  access.operation = Operation::Atomic;
  access.width_bits = static_cast<std::uint16_t>(width);
  access.atomic = kind;
  access.result_used = used;
  return access;
}

Request strided(std::uint64_t stride, std::uint64_t words) {
  Request request;
  request.active = kFullMask;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    request.address[lane] = stride * (lane % words);
  return request;
}

TEST(SerialWavefronts, LanesOfAWordGoOneAfterTheOther) {
  EXPECT_EQ(serial_wavefronts(strided(4, 8), atomic(AtomicKind::Add, 32), sm_90()), 3u);
  EXPECT_EQ(serial_wavefronts(strided(4, 1), atomic(AtomicKind::Max, 32), sm_90()), 31u);
  EXPECT_EQ(serial_wavefronts(strided(4, 32), atomic(AtomicKind::Add, 32), sm_90()), 0u);
}

TEST(SerialWavefronts, DifferentWordsOfABankAreAConflict) {
  EXPECT_EQ(serial_wavefronts(strided(128, 32), atomic(AtomicKind::Add, 32), sm_90()), 0u);
  EXPECT_EQ(serial_wavefronts(strided(128, 8), atomic(AtomicKind::Add, 32), sm_90()), 24u);
}

TEST(SerialWavefronts, ACountMergesAndALoadBroadcasts) {
  EXPECT_EQ(serial_wavefronts(strided(4, 8), atomic(AtomicKind::Increment, 32), sm_90()), 0u);
  EXPECT_EQ(serial_wavefronts(strided(4, 8), atomic(AtomicKind::Increment, 32, true), sm_90()), 3u);
  Access load;
  EXPECT_EQ(serial_wavefronts(strided(4, 8), load, sm_90()), 0u);
  Access global = atomic(AtomicKind::Add, 32);
  global.space = Space::Global;
  EXPECT_EQ(serial_wavefronts(strided(4, 8), global, sm_90()), 0u);
}

TEST(SerialWavefronts, AsCountedByBankAndWord) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const bool wide = random() % 3 == 0;
    const unsigned bytes = wide ? 8 : 4, phase = wide ? 16 : 32, passes = wide || random() % 2 ? 1 : 2;
    const Access access = atomic(passes == 2 ? AtomicKind::CompareAndSwap : AtomicKind::Exchange, bytes * 8);
    Request request;
    request.active = random() % 4 ? kFullMask : static_cast<LaneMask>(random());
    const std::uint64_t words = 1 + random() % 100;
    for (std::uint64_t &address : request.address)
      address = random() % words * bytes * (random() % 4 ? 1 : 8);
    unsigned expected = 0;
    for (unsigned first = 0; first < kWarpSize; first += phase) {
      std::map<std::uint64_t, std::multiset<std::uint64_t>> banks;
      for (unsigned lane = first; lane < first + phase; ++lane)
        if (request.active >> lane & 1)
          banks[request.address[lane] / 4 % 32].insert(request.address[lane]);
      std::size_t lanes = 0, distinct = 0;
      for (const auto &[bank, all] : banks) {
        lanes = std::max(lanes, all.size());
        distinct = std::max(distinct, std::set<std::uint64_t>(all.begin(), all.end()).size());
      }
      expected += static_cast<unsigned>(lanes - distinct) * passes;
    }
    ASSERT_EQ(serial_wavefronts(request, access, sm_90()), expected) << "round " << round;
  }
}

} // namespace
} // namespace smem
