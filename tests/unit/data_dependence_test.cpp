// Bounds and means of accesses whose addresses depend on data, against all data (where that is little) and random data.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "program_builder.h"
#include "smem/simulate.h"

namespace smem {
namespace {

using test::ProgramBuilder;

/// Lanes access `lane_step * lane + scale * (loaded value & mask)`.
struct Case {
  const char *what;
  AddressSpace space = AddressSpace::Shared;
  Operation operation = Operation::Load;
  unsigned width = 32;
  std::int64_t lane_step = 0, scale = 4, mask = 31;
  AtomicKind atomic = AtomicKind::None;
};

Program program_of(const Case &c) {
  ProgramBuilder b;
  b.shared_array(32 * 1024, 128);
  b.program.parameters = {{"data", "const int *", 8, true}, {"out", "float *", 8, true}};
  const RegisterId lane = b.special(SpecialRegister::ThreadX);
  const RegisterId lane64 = b.resize(Opcode::ZeroExtend, lane, 64);
  const RegisterId loaded = b.value_access(AddressSpace::Global, Operation::Load,
                                           b.binary(Opcode::Add, b.argument(0, 64), b.scaled(lane64, 4)));
  const RegisterId index = b.resize(Opcode::ZeroExtend, b.binary(Opcode::And, loaded, b.constant(c.mask)), 64);
  const RegisterId base = c.space == AddressSpace::Shared ? b.shared_address(0) : b.argument(1, 64);
  const RegisterId offset = b.binary(Opcode::Add, b.scaled(index, c.scale), b.scaled(lane64, c.lane_step));
  b.access(c.space, c.operation, c.width, b.binary(Opcode::Add, base, offset));
  b.program.memory_operations.back().access.atomic = b.program.sites.back().access.atomic = c.atomic;
  if (c.space == AddressSpace::Shared)
    b.program.memory_operations.back().shared_array = 0;
  return b.program;
}

SiteResult simulated(const Case &c, unsigned threads) {
  Launch launch;
  launch.block = {threads, 1, 1};
  for (std::uint32_t i = 0; i < 2; ++i) {
    ArgumentValue pointer;
    pointer.index = i;
    pointer.width_bits = 64;
    pointer.pointer = true;
    pointer.value = 0;
    launch.arguments.push_back(pointer);
  }
  return simulate(program_of(c), launch, *find_architecture("sm_90")).sites.back();
}

RequestCost cost_of(const Case &c, const std::vector<std::int64_t> &indices) {
  Request request;
  for (std::size_t lane = 0; lane < indices.size(); ++lane) {
    request.active |= 1u << lane;
    request.address[lane] =
        static_cast<std::uint64_t>(c.lane_step * static_cast<std::int64_t>(lane) + c.scale * indices[lane]);
  }
  Access access;
  access.space = c.space == AddressSpace::Shared ? Space::Shared : Space::Global;
  access.operation = c.operation;
  access.width_bits = static_cast<std::uint16_t>(c.width);
  access.atomic = c.atomic;
  return evaluate(request, access, *find_architecture("sm_90"));
}

struct Observed {
  double degree = 0, wavefronts = 0, sectors = 0, squares = 0;
  std::uint64_t count = 0;
  Span degree_span{99, 0}, wavefronts_span{999, 0}, sectors_span{999, 0};

  void add(const RequestCost &cost) {
    const auto widen = [](Span &span, std::uint32_t v) { span = {std::min(span.least, v), std::max(span.most, v)}; };
    widen(degree_span, cost.conflict_degree);
    widen(wavefronts_span, cost.wavefronts);
    widen(sectors_span, cost.sectors);
    degree += cost.conflict_degree;
    wavefronts += cost.wavefronts;
    sectors += cost.sectors;
    const double figure = cost.wavefronts + cost.sectors; // one of them is 0
    squares += figure * figure;
    ++count;
  }
  double mean(double sum) const { return sum / static_cast<double>(count); }
};

const Case kCases[] = {
    {.what = "a table of 64 words", .mask = 63},
    {.what = "a few words in few banks", .scale = 32, .mask = 7},
    {.what = "one bank", .scale = 128, .mask = 7},
    {.what = "bytes", .width = 8, .scale = 1, .mask = 255},
    {.what = "halves", .width = 16, .scale = 2, .mask = 255},
    {.what = "a store", .operation = Operation::Store, .mask = 255},
    {.what = "a wide store", .operation = Operation::Store, .width = 64, .scale = 8, .mask = 63},
    {.what = "a wider store", .operation = Operation::Store, .width = 128, .scale = 16, .mask = 15},
    {.what = "a wide load", .width = 64, .scale = 8, .mask = 255},
    {.what = "wide rows of which neighbours may meet", .width = 64, .lane_step = 128, .scale = 128, .mask = 7},
    {.what = "wide rows of which every second may meet", .width = 64, .lane_step = 64, .scale = 128, .mask = 7},
    {.what = "wider rows, neighbours of which may meet", .width = 128, .lane_step = 32, .scale = 32, .mask = 7},
    {.what = "wider rows that never meet, in few banks", .width = 128, .lane_step = 16, .scale = 64, .mask = 7},
    {.what = "counting", .operation = Operation::Atomic, .mask = 255, .atomic = AtomicKind::Increment},
    {.what = "adding", .operation = Operation::Atomic, .mask = 63, .atomic = AtomicKind::Add},
    {.what = "swapping", .operation = Operation::Atomic, .mask = 7, .atomic = AtomicKind::CompareAndSwap},
    {.what = "neighbours", .lane_step = 4, .mask = 3},
    {.what = "rows of its own", .lane_step = 256, .scale = 4, .mask = 15},
    {.what = "two lanes a bank", .lane_step = 64, .scale = 128, .mask = 3},
    {.what = "a gather", .space = AddressSpace::Global, .mask = 255},
    {.what = "a scatter of structures",
     .space = AddressSpace::Global,
     .operation = Operation::Store,
     .scale = 48,
     .mask = 15},
    {.what = "a large gather", .space = AddressSpace::Global, .mask = 65535},
    {.what = "rows in global memory", .space = AddressSpace::Global, .lane_step = 16, .mask = 15},
};

TEST(DataDependence, RandomDataStaysInBoundsAndHasTheMean) {
  std::mt19937 dice(7);
  for (const Case &c : kCases) {
    SCOPED_TRACE(c.what);
    const SiteResult site = simulated(c, 32);
    ASSERT_EQ(site.verdict, Verdict::Unknown);
    ASSERT_TRUE(site.data);
    EXPECT_EQ(site.data->requests, 1u);
    EXPECT_EQ(site.data->range, "0 to " + std::to_string(c.mask));
    Observed observed;
    for (int draw = 0; draw < 20'000; ++draw) {
      std::vector<std::int64_t> indices(32);
      for (auto &index : indices)
        index = static_cast<std::int64_t>(dice()) & c.mask;
      observed.add(cost_of(c, indices));
    }
    const bool shared = c.space == AddressSpace::Shared;
    const Span &bounds = shared ? site.data->wavefronts : site.data->sectors;
    const Span &seen = shared ? observed.wavefronts_span : observed.sectors_span;
    EXPECT_LE(bounds.least, seen.least);
    EXPECT_GE(bounds.most, seen.most);
    const auto &expected = shared ? site.data->expected_wavefronts : site.data->expected_sectors;
    if (!expected)
      continue;
    const double mean = observed.mean(shared ? observed.wavefronts : observed.sectors);
    const double deviation = std::sqrt(std::max(0.0, observed.mean(observed.squares) - mean * mean) / 20'000);
    EXPECT_NEAR(*expected, mean, 5 * deviation + 1e-6);
    if (site.data->expected_degree) {
      EXPECT_NEAR(*site.data->expected_degree, observed.mean(observed.degree), 5 * deviation + 1e-6);
    }
  }
}

TEST(DataDependence, AllDataOfThreeLanes) {
  for (Case c : kCases) {
    SCOPED_TRACE(c.what);
    c.mask = std::min<std::int64_t>(c.mask, 15);
    const SiteResult site = simulated(c, 3);
    Observed observed;
    for (std::int64_t all = 0; all < (c.mask + 1) * (c.mask + 1) * (c.mask + 1); ++all)
      observed.add(
          cost_of(c, {all % (c.mask + 1), all / (c.mask + 1) % (c.mask + 1), all / (c.mask + 1) / (c.mask + 1)}));
    const bool shared = c.space == AddressSpace::Shared;
    const Span &seen = shared ? observed.wavefronts_span : observed.sectors_span;
    if (!site.data) { // no data make a difference
      EXPECT_EQ(site.verdict, Verdict::Exact);
      EXPECT_EQ(seen.least, seen.most);
      EXPECT_EQ(shared ? site.counts.wavefronts : site.counts.sectors, seen.least);
      continue;
    }
    const Span &bounds = shared ? site.data->wavefronts : site.data->sectors;
    EXPECT_LE(bounds.least, seen.least);
    EXPECT_GE(bounds.most, seen.most);
    if (c.lane_step == 0 && !(c.operation == Operation::Load && c.width > 32)) { // all lanes alike: attained
      EXPECT_EQ(bounds, seen);
    }
    const auto &expected = shared ? site.data->expected_wavefronts : site.data->expected_sectors;
    // Wide loads that merge because neighbours agree by chance are left out of the mean.
    if (expected && !(c.operation == Operation::Load && c.width > 32)) {
      EXPECT_NEAR(*expected, observed.mean(shared ? observed.wavefronts : observed.sectors), 1e-9);
    }
  }
}

TEST(DataDependence, ABankOfItsOwnIsExact) {
  for (const Operation operation : {Operation::Load, Operation::Store, Operation::Atomic}) {
    Case c{.what = "privatised", .operation = operation, .lane_step = 4, .scale = 128, .mask = 255};
    if (operation == Operation::Atomic)
      c.atomic = AtomicKind::Add;
    const SiteResult site = simulated(c, 32);
    EXPECT_EQ(site.verdict, Verdict::Exact);
    EXPECT_FALSE(site.data);
    EXPECT_EQ(site.counts.requests, 1u);
    EXPECT_EQ(site.counts.wavefronts, cost_of(c, std::vector<std::int64_t>(32, 5)).wavefronts);
  }
}

/// Neighbours' words never are one, so that phases of a wide load stay apart.
TEST(DataDependence, WideRowsInTheirBanksAreExact) {
  std::mt19937 dice(11);
  for (const Case &c :
       {Case{.what = "64 bits", .width = 64, .lane_step = 8, .scale = 256, .mask = 15},
        Case{.what = "64 bits, two in a bank", .width = 64, .lane_step = 16, .scale = 512, .mask = 15},
        Case{.what = "128 bits", .width = 128, .lane_step = 16, .scale = 512, .mask = 7},
        Case{.what = "128 bits, four in a bank", .width = 128, .lane_step = 64, .scale = 4096, .mask = 3}}) {
    SCOPED_TRACE(c.what);
    const SiteResult site = simulated(c, 32);
    EXPECT_EQ(site.verdict, Verdict::Exact);
    for (int draw = 0; draw < 1000; ++draw) {
      std::vector<std::int64_t> indices(32);
      for (auto &index : indices)
        index = static_cast<std::int64_t>(dice()) & c.mask;
      ASSERT_EQ(site.counts.wavefronts, cost_of(c, indices).wavefronts);
    }
  }
}

/// A loaded value and an operation of a constant on it, as the index of a word.
SiteResult indexed(const std::function<RegisterId(ProgramBuilder &, RegisterId)> &index_of,
                   std::uint64_t bytes = 32 * 1024) {
  ProgramBuilder b;
  b.shared_array(bytes, 128);
  b.program.parameters = {{"data", "const int *", 8, true}};
  const RegisterId lane = b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64);
  const RegisterId loaded = b.value_access(AddressSpace::Global, Operation::Load,
                                           b.binary(Opcode::Add, b.argument(0, 64), b.scaled(lane, 4)));
  const RegisterId index = b.resize(Opcode::SignExtend, index_of(b, loaded), 64);
  b.access(AddressSpace::Shared, Operation::Load, 32, b.binary(Opcode::Add, b.shared_address(0), b.scaled(index, 4)));
  b.program.memory_operations.back().shared_array = 0;
  Launch launch;
  launch.block = {32, 1, 1};
  return simulate(b.program, launch, *find_architecture("sm_90")).sites.back();
}

TEST(DataDependence, RangesOfSignedOperations) {
  const auto with = [](Opcode opcode, std::int64_t constant, std::int64_t added = 0) {
    return [=](ProgramBuilder &b, RegisterId loaded) {
      return b.binary(Opcode::Add, b.binary(opcode, loaded, b.constant(constant)), b.constant(added));
    };
  };
  // A remainder of what may be negative has 63 values: not one for each bank.
  const SiteResult remainder = indexed(with(Opcode::SRem, 32, 31));
  EXPECT_EQ(remainder.verdict, Verdict::Unknown);
  ASSERT_TRUE(remainder.data);
  EXPECT_EQ(remainder.data->range, "-31 to 31");
  EXPECT_EQ(remainder.data->wavefronts, (Span{1, 2}));
  EXPECT_EQ(indexed(with(Opcode::URem, 32)).verdict, Verdict::Exact);
  EXPECT_EQ(indexed(with(Opcode::And, 31)).verdict, Verdict::Exact);
  EXPECT_EQ(indexed(with(Opcode::And, 63)).verdict, Verdict::Unknown);
  EXPECT_EQ(indexed(with(Opcode::AShr, 27, 16)).verdict, Verdict::Unknown);
  EXPECT_EQ(indexed(with(Opcode::LShr, 27)).verdict, Verdict::Exact);
  EXPECT_EQ(indexed(with(Opcode::SMin, 31)).verdict, Verdict::Unknown);
}

TEST(DataDependence, ThatTheArrayIsShortSettlesNothing) {
  const SiteResult site = indexed([](ProgramBuilder &, RegisterId loaded) { return loaded; }, 128);
  EXPECT_EQ(site.verdict, Verdict::Unknown);
  ASSERT_TRUE(site.data);
  EXPECT_EQ(site.data->range, "0 to 31");
  EXPECT_EQ(site.data->wavefronts, (Span{1, 1}));
}

TEST(DataDependence, NarrowerThanItsStepIsNotExact) {
  const Case c{.what = "two lanes meet or do not", .lane_step = 64, .scale = 128, .mask = 255};
  EXPECT_EQ(simulated(c, 32).verdict, Verdict::Unknown);
}

} // namespace
} // namespace smem
