// The memory model against the oracle on random requests: no difference is allowed.
#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>

#include "long_tests.h"
#include "oracle.h"
#include "random_requests.h"
#include "smem/architecture.h"
#include "smem/memory_model.h"

namespace smem {
namespace {

// A million for every access in a release build each week, as in a campaign; less for each change, and where assertions and
// sanitizers make each of them ten times as slow.
#ifdef NDEBUG
const int kRounds = test::long_tests() ? 1'000'000 : 200'000;
#else
constexpr int kRounds = 30'000;
#endif

struct Case {
  std::string name;
  Access access;
};
/// Else the test's name has the bytes, pointers among them.
void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

std::string describe(const RequestCost &cost) {
  std::ostringstream text;
  text << "wavefronts " << cost.wavefronts << " ideal " << cost.ideal_wavefronts << " degree " << cost.conflict_degree
       << " sectors " << cost.sectors << " ideal " << cost.ideal_sectors << " tags " << cost.tags;
  return text.str();
}

std::string describe(const Request &request) {
  std::ostringstream text;
  text << std::hex << "active " << request.active << std::dec << " addresses";
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if ((request.active >> lane & 1) != 0)
      text << ' ' << request.address[lane];
  return text.str();
}

class MemoryModelOracle : public ::testing::TestWithParam<Case> {};

TEST_P(MemoryModelOracle, Agrees) {
  const Access &access = GetParam().access;
  const Architecture &architecture = *find_architecture("sm_90");
  ASSERT_EQ(unsupported_reason(access, architecture), "");
  testing::Random random(0x5eed + access.width_bits);
  const bool shared = access.space == Space::Shared;
  for (int round = 0; round < kRounds; ++round) {
    // Shared windows up to 228 KB; now and then addresses far beyond any memory, which must not upset the counting either.
    const std::uint64_t window = random.one_in(64) ? ~std::uint64_t{0} : shared ? 228 * 1024 : std::uint64_t{1} << 34;
    Request request = testing::random_request(random, access.width_bits / 8, window);
    if (access.operation == Operation::MatrixLoad || access.operation == Operation::MatrixStore)
      request.active = request.active == 0 ? 0 : kFullMask; // such instructions are executed by whole warps
    const RequestCost expected = testing::oracle(request, access), actual = evaluate(request, access, architecture);
    ASSERT_EQ(actual, expected) << "round " << round << "\n  model:  " << describe(actual)
                                << "\n  oracle: " << describe(expected) << "\n  " << describe(request);
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](std::string name, Access access) {
    cases.push_back({name + "_" + std::to_string(access.width_bits), access});
  };
  for (const Space space : {Space::Shared, Space::Global}) {
    const std::string prefix = space == Space::Shared ? "Shared" : "Global";
    for (const std::uint16_t width : {8, 16, 32, 64, 128}) {
      add(prefix + "Load", {.space = space, .operation = Operation::Load, .width_bits = width});
      add(prefix + "Store", {.space = space, .operation = Operation::Store, .width_bits = width});
      if (width >= 32 && space == Space::Global)
        add(prefix + "AsyncCopy", {.space = space, .operation = Operation::AsyncCopy, .width_bits = width});
    }
  }
  const auto atomic = [](Space space, std::uint16_t width, AtomicKind kind, bool used) {
    return Access{
        .space = space, .operation = Operation::Atomic, .width_bits = width, .atomic = kind, .result_used = used};
  };
  add("SharedAtomicMax", atomic(Space::Shared, 32, AtomicKind::Max, false));
  add("SharedIncrement", atomic(Space::Shared, 32, AtomicKind::Increment, false));
  add("SharedIncrementUsed", atomic(Space::Shared, 32, AtomicKind::Increment, true));
  add("SharedCompareAndSwap", atomic(Space::Shared, 32, AtomicKind::CompareAndSwap, true));
  add("SharedCompareAndSwap", atomic(Space::Shared, 64, AtomicKind::CompareAndSwap, true));
  add("SharedExchange", atomic(Space::Shared, 64, AtomicKind::Exchange, true));
  add("GlobalAtomicAdd", atomic(Space::Global, 32, AtomicKind::Add, false));
  add("GlobalAtomicAdd", atomic(Space::Global, 64, AtomicKind::Add, true));
  for (const std::uint8_t matrices : {1, 2, 4}) {
    const std::string suffix = "X" + std::to_string(matrices);
    add("MatrixLoad" + suffix, {.operation = Operation::MatrixLoad, .width_bits = 128, .matrices = matrices});
    add("MatrixStore" + suffix, {.operation = Operation::MatrixStore, .width_bits = 128, .matrices = matrices});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, MemoryModelOracle, ::testing::ValuesIn(all_cases()),
                         [](const auto &info) { return info.param.name; });

class AsyncCopyOracle : public ::testing::TestWithParam<unsigned> {};

TEST_P(AsyncCopyOracle, Agrees) {
  const unsigned width = GetParam();
  const Architecture &architecture = *find_architecture("sm_90");
  const Access access{
      .space = Space::Shared, .operation = Operation::AsyncCopy, .width_bits = static_cast<std::uint16_t>(8 * width)};
  testing::Random random(0xc0b7 + width);
  for (int round = 0; round < kRounds; ++round) {
    const Request destination = testing::random_request(random, width, 228 * 1024);
    Request source = testing::random_request(random, width, std::uint64_t{1} << 34);
    source.active = random.one_in(2) ? destination.active : destination.active & source.active;
    const RequestCost expected = testing::oracle_copy(destination, source, width);
    const CopyCost actual = evaluate_copy(destination, source, access, architecture);
    ASSERT_EQ(actual.shared_unknown, "");
    ASSERT_EQ(actual.global_unknown, "");
    ASSERT_EQ(actual.cost, expected) << "round " << round << "\n  model:  " << describe(actual.cost)
                                     << "\n  oracle: " << describe(expected) << "\n  to " << describe(destination)
                                     << "\n  from " << describe(source);
  }
}

// Copies as kernels make them (rows to rows, shifted, swizzled) and any others.
TEST(BypassCopyOracle, Agrees) {
  const Architecture &architecture = *find_architecture("sm_90");
  Access access{.operation = Operation::AsyncCopy, .width_bits = 128, .bypass_l1 = true};
  testing::Random random(0xc9);
  for (int round = 0; round < kRounds; ++round) {
    const Request destination = testing::random_request(random, 16, random.one_in(2) ? 1024 : 228 * 1024);
    Request source = testing::random_request(random, 16, random.one_in(2) ? 2048 : std::uint64_t{1} << 34);
    source.active = destination.active;
    access.plain_copy = true;
    const RequestCost expected = testing::oracle_bypass_copy(destination, source);
    const CopyCost actual = evaluate_copy(destination, source, access, architecture);
    ASSERT_EQ(actual.shared_unknown, "");
    ASSERT_EQ(actual.global_unknown, "");
    ASSERT_EQ(actual.cost, expected) << "round " << round << "\n  model:  " << describe(actual.cost)
                                     << "\n  oracle: " << describe(expected) << "\n  to " << describe(destination)
                                     << "\n  from " << describe(source);

    access.plain_copy = false;
    const CopyCost predicated = evaluate_copy(destination, source, access, architecture);
    ASSERT_NE(predicated.shared_unknown, "");
    ASSERT_NE(predicated.global_unknown, "");
    ASSERT_EQ(predicated.cost.tags, expected.tags);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AsyncCopyOracle, ::testing::Values(4u, 8u, 16u), ::testing::PrintToStringParamName());

class AtomicLoopOracle : public ::testing::TestWithParam<unsigned> {};

TEST_P(AtomicLoopOracle, Agrees) {
  const unsigned width = GetParam();
  const Architecture &architecture = *find_architecture("sm_90");
  const Access access{.space = Space::Shared,
                      .operation = Operation::Atomic,
                      .width_bits = static_cast<std::uint16_t>(8 * width),
                      .atomic = AtomicKind::FloatAdd};
  ASSERT_TRUE(is_atomic_loop(access, architecture));
  testing::Random random(0x100b + width);
  for (int round = 0; round < kRounds / 5; ++round) { // a request is a dozen of others
    const Request request = testing::random_request(random, width, 228 * 1024);
    const AtomicLoopCost expected = testing::oracle_atomic_loop(request, width),
                         actual = evaluate_atomic_loop(request, access, architecture);
    ASSERT_EQ(actual.trips, expected.trips) << round << describe(request);
    ASSERT_EQ(actual.load, expected.load) << round << describe(request);
    ASSERT_EQ(actual.swap, expected.swap) << round << describe(request);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AtomicLoopOracle, ::testing::Values(4u, 8u), ::testing::PrintToStringParamName());

} // namespace
} // namespace smem
