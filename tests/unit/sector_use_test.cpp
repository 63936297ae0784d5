// Which bytes of its sectors a warp uses, against an enumeration of all bytes.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>
#include <tuple>

#include "program_builder.h"
#include "smem/simulate.h"

namespace smem {
namespace {

using test::ProgramBuilder;

const Architecture &sm_90() { return *find_architecture("sm_90"); }

/// An access of every thread at base + thread * stride + iteration * step + offset.
struct Line {
  unsigned array = 0;
  std::int64_t stride = 4, step = 0, offset = 0;
  unsigned bytes = 4;
  Operation operation = Operation::Load;
  bool bypass = false;
  bool in_loop = true;
};

struct Kernel {
  std::vector<Line> lines;
  unsigned iterations = 1, threads = 32;
  std::uint32_t shared = 0;
};

Program program_of(const Kernel &kernel) {
  ProgramBuilder b;
  b.program.parameters.assign(4, {"p", "float *", 8, true});
  const RegisterId thread = b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64);
  if (kernel.shared)
    b.shared_array(kernel.shared);
  const auto emit = [&](const Line &line, RegisterId iteration) {
    RegisterId address = b.binary(Opcode::Add, b.argument(line.array, 64), b.scaled(thread, line.stride));
    address = b.binary(Opcode::Add, address, b.scaled(iteration, line.step));
    b.access(AddressSpace::Global, line.operation, line.bytes * 8,
             b.binary(Opcode::Add, address, b.constant(line.offset, 64)));
    b.program.memory_operations.back().access.bypass_l1 = line.bypass;
    b.program.sites.back().access.bypass_l1 = line.bypass;
  };
  const RegisterId zero = b.constant(0, 64);
  for (const Line &line : kernel.lines)
    if (!line.in_loop)
      emit(line, zero);
  b.loop(b.constant(0), b.constant(1), b.constant(kernel.iterations), [&](RegisterId i, RegisterId) {
    const RegisterId wide = b.resize(Opcode::SignExtend, i, 64);
    for (const Line &line : kernel.lines)
      if (line.in_loop)
        emit(line, wide);
  });
  return b.program;
}

Launch launch_of(const Kernel &kernel, std::uint64_t alignment = 256) {
  Launch launch;
  launch.grid = {7, 1, 1};
  launch.block = {kernel.threads, 1, 1};
  for (std::uint32_t array = 0; array < 4; ++array) {
    ArgumentValue argument;
    argument.index = array;
    argument.width_bits = 64;
    argument.pointer = true;
    argument.alignment = alignment;
    launch.arguments.push_back(argument);
  }
  return launch;
}

std::vector<std::optional<SectorUse>> use_of(const Kernel &kernel, std::uint64_t most_steps = 1'000'000,
                                             std::uint64_t alignment = 256) {
  const Program program = program_of(kernel);
  EXPECT_EQ(verify(program), "");
  const Launch launch = launch_of(kernel, alignment);
  SimulationResult result = simulate(program, launch, sm_90());
  SimulationOptions options;
  options.max_steps = most_steps;
  count_sector_use(program, launch, sm_90(), options, result);
  std::vector<std::optional<SectorUse>> use;
  for (const SiteResult &site : result.sites)
    use.push_back(site.sector_use);
  return use;
}

/// The same from a list of all bytes: a stay is a run of visits to a line between which the warp touches fewer than `lines` others.
std::vector<SectorUse> enumerate(const Kernel &kernel) {
  const std::uint64_t block_warps = (kernel.threads + 31) / 32;
  std::uint64_t blocks = std::min<std::uint64_t>(32, 2048 / (32 * block_warps)), left = 256 * 1024;
  if (kernel.shared) {
    blocks = std::min<std::uint64_t>(blocks, 228 * 1024 / (kernel.shared + 1024));
    left -= blocks * (kernel.shared + 1024);
  }
  const std::uint64_t lines = left / 128 / (blocks * block_warps);
  std::vector<SectorUse> use(kernel.lines.size());
  std::vector<std::size_t> order;
  for (std::size_t l = 0; l < kernel.lines.size(); ++l)
    if (!kernel.lines[l].in_loop)
      order.push_back(l);
  const std::size_t before = order.size();
  for (std::size_t l = 0; l < kernel.lines.size(); ++l)
    if (kernel.lines[l].in_loop)
      order.push_back(l);
  for (unsigned first = 0; first < kernel.threads; first += 32) {
    struct Visit {
      std::pair<unsigned, std::int64_t> line, sector;
      std::set<std::int64_t> bytes;
      bool store, counts;
      std::size_t site;
    };
    std::vector<Visit> visits;
    const auto request = [&](std::size_t site, std::int64_t iteration) {
      const Line &line = kernel.lines[site];
      std::vector<std::pair<std::int64_t, std::set<std::int64_t>>> sectors; // in the order of lanes
      std::set<std::int64_t> distinct;
      unsigned active = 0;
      for (unsigned thread = first; thread < std::min(first + 32, kernel.threads); ++thread, ++active) {
        const std::int64_t address = thread * line.stride + iteration * line.step + line.offset +
                                     1'000'000'000'000 * 128; // no negative quotients
        auto known =
            std::find_if(sectors.begin(), sectors.end(), [&](const auto &s) { return s.first == address / 32; });
        if (known == sectors.end())
          known = sectors.insert(known, {address / 32, {}});
        for (unsigned byte = 0; byte < line.bytes; ++byte)
          known->second.insert(address + byte);
        distinct.insert(address / 128);
      }
      const bool far = distinct.size() > (active + 3) / 4 + 1;
      for (const auto &[sector, bytes] : sectors) {
        if (line.bypass || far) {
          ++use[site].sectors;
          use[site].own_bytes += bytes.size();
          use[site].bytes += bytes.size();
        }
        if (!line.bypass)
          visits.push_back(
              {{line.array, sector / 4}, {line.array, sector}, bytes, line.operation == Operation::Store, !far, site});
      }
    };
    for (std::size_t i = 0; i < before; ++i)
      request(order[i], 0);
    for (unsigned iteration = 0; iteration < kernel.iterations; ++iteration)
      for (std::size_t i = before; i < order.size(); ++i)
        request(order[i], iteration);
    // Whether the line of visits[at] is still there when it is next visited, and where that is.
    const auto step = [&](std::size_t at, int way) -> std::optional<std::size_t> {
      std::set<std::pair<unsigned, std::int64_t>> others;
      for (std::size_t next = at + static_cast<std::size_t>(way); next < visits.size();
           next += static_cast<std::size_t>(way)) {
        if (visits[next].line == visits[at].line)
          return others.size() < lines ? std::optional(next) : std::nullopt;
        others.insert(visits[next].line);
      }
      return std::nullopt;
    };
    for (std::size_t at = 0; at < visits.size(); ++at) {
      if (!visits[at].counts)
        continue;
      std::set<std::int64_t> used = visits[at].bytes;
      for (const int way : {-1, 1})
        for (auto there = step(at, way); there; there = step(*there, way))
          if (visits[*there].sector == visits[at].sector && visits[*there].store == visits[at].store &&
              visits[*there].counts)
            used.insert(visits[*there].bytes.begin(), visits[*there].bytes.end());
      SectorUse &sum = use[visits[at].site];
      ++sum.sectors;
      sum.own_bytes += visits[at].bytes.size();
      sum.bytes += used.size();
    }
  }
  // Sites are numbered as they are emitted.
  std::vector<SectorUse> sites;
  for (const std::size_t site : order)
    sites.push_back(use[site]);
  return sites;
}

void expect_as_enumerated(const Kernel &kernel) {
  const auto use = use_of(kernel);
  const auto all = enumerate(kernel);
  ASSERT_EQ(use.size(), all.size());
  for (std::size_t site = 0; site < all.size(); ++site) {
    ASSERT_TRUE(use[site]);
    EXPECT_EQ(use[site]->sectors, all[site].sectors) << "site " << site;
    EXPECT_EQ(use[site]->own_bytes, all[site].own_bytes) << "site " << site;
    EXPECT_EQ(use[site]->bytes, all[site].bytes) << "site " << site;
  }
}

TEST(SectorUse, FieldsOfAStructureFillTheSectors) {
  const Kernel kernel{{{0, 12, 0, 0}, {0, 12, 0, 4}, {0, 12, 0, 8}}};
  for (const auto &use : use_of(kernel)) {
    ASSERT_TRUE(use);
    EXPECT_EQ(*use, (SectorUse{12, 128, 384}));
  }
  expect_as_enumerated(kernel);
}

TEST(SectorUse, WhatNobodyReadsIsNotUsed) {
  const auto one = use_of({{{0, 16, 0, 0}}});
  EXPECT_EQ(*one[0], (SectorUse{16, 128, 128}));
  const auto two = use_of({{{0, 16, 0, 0}, {0, 16, 0, 8}}});
  EXPECT_EQ(*two[0], (SectorUse{16, 128, 256}));
  EXPECT_EQ(two[0], two[1]);
}

TEST(SectorUse, TheNextIterationsCount) {
  const auto use = use_of({{{0, 16, 4, 0}}, 4});
  EXPECT_EQ(*use[0], (SectorUse{64, 512, 2048}));
}

TEST(SectorUse, LanesFarApartUseNothingOfEachOther) {
  const auto use = use_of({{{0, 4096, 4, 0}}, 64});
  EXPECT_EQ(use[0]->bytes, use[0]->own_bytes);
  EXPECT_EQ(use[0]->sectors, 64u * 32);
  const auto sector = use_of({{{0, 32, 4, 0}}, 8});
  EXPECT_EQ(*sector[0], (SectorUse{256, 1024, 8192})) << "a sector each is near enough";
}

TEST(SectorUse, ReadsAndWritesOfAPlaceAreTwoThings) {
  const auto use = use_of({{{0, 8, 0, 0}, {0, 8, 0, 4, 4, Operation::Store}}});
  EXPECT_EQ(use[0]->bytes, use[0]->own_bytes);
  EXPECT_EQ(use[1]->bytes, use[1]->own_bytes);
}

TEST(SectorUse, PastL1NothingIsShared) {
  const auto use = use_of(
      {{{0, 8, 0, 0, 4, Operation::Load, true}, {0, 8, 0, 4, 4, Operation::Load, true}, {1, 8, 0, 0}, {1, 8, 0, 4}}});
  EXPECT_EQ(use[0]->bytes, use[0]->own_bytes);
  EXPECT_EQ(use[2]->bytes, 2 * use[2]->own_bytes);
}

TEST(SectorUse, WhatComesBetweenPushesLinesOut) {
  // 64 lines for each of 32 blocks of a warp: 15 accesses of 4 lines come between at most.
  Kernel kernel{{{0, 16, 0, 0}}};
  for (int i = 0; i < 15; ++i)
    kernel.lines.push_back({1, 16, 0, 512 * i});
  kernel.lines.push_back({0, 16, 0, 4});
  EXPECT_EQ(use_of(kernel)[0]->bytes, 2 * use_of(kernel)[0]->own_bytes);
  kernel.lines.insert(kernel.lines.begin() + 1, {1, 16, 0, 512 * 15});
  EXPECT_EQ(use_of(kernel)[0]->bytes, use_of(kernel)[0]->own_bytes);
}

TEST(SectorUse, SharedMemoryLeavesLessOfL1) {
  Kernel kernel{{{0, 16, 0, 0}, {1, 16, 0, 0}, {0, 16, 0, 4}}};
  EXPECT_EQ(use_of(kernel)[0]->bytes, 256u);
  kernel.threads = 1024;
  kernel.shared = 48 * 1024; // two blocks of 49 KB leave 158 KB for 64 warps
  EXPECT_EQ(use_of(kernel)[0]->bytes, 32u * 256);
  expect_as_enumerated(kernel);
}

TEST(SectorUse, NotKnownWhereSectorsBegin) { EXPECT_FALSE(use_of({{{0, 64, 0, 0}}}, 1'000'000, 4)[0]); }

TEST(SectorUse, ABudgetThatEndsLeavesOutWhatMayYetBeUsed) {
  const Kernel kernel{{{0, 8, 256, 0}, {0, 8, 256, 4}}, 100000};
  const auto use = use_of(kernel, 20'000);
  ASSERT_TRUE(use[0]);
  EXPECT_EQ(use[0]->bytes, 2 * use[0]->own_bytes);
  EXPECT_LT(use[0]->sectors, 100000u);
  EXPECT_FALSE(use_of(kernel, 20)[0]);
}

TEST(SectorUse, OfTheBlockThatStandsForMost) {
  // Block 0 reads both halves, the others one.
  ProgramBuilder b;
  b.program.parameters.assign(4, {"p", "float *", 8, true});
  const RegisterId thread = b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64);
  const RegisterId address = b.binary(Opcode::Add, b.argument(0, 64), b.scaled(thread, 8));
  b.access(AddressSpace::Global, Operation::Load, 32, address);
  b.branch(b.compare(Opcode::Eq, b.special(SpecialRegister::BlockX), b.constant(0)), [&] {
    b.access(AddressSpace::Global, Operation::Load, 32, b.binary(Opcode::Add, address, b.constant(4, 64)));
  });
  const Launch launch = launch_of({});
  SimulationResult result = simulate(b.program, launch, sm_90());
  EXPECT_NE(result.typical_block.x, 0u);
  count_sector_use(b.program, launch, sm_90(), {}, result);
  EXPECT_EQ(*result.sites[0].sector_use, (SectorUse{8, 128, 128}));
  EXPECT_FALSE(result.sites[1].sector_use);
}

TEST(SectorUse, AsManyBytesAsAnEnumerationFinds) {
  std::mt19937 random(20240607);
  const auto pick = [&](std::initializer_list<std::int64_t> values) {
    return values.begin()[random() % values.size()];
  };
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    Kernel kernel;
    kernel.threads = static_cast<unsigned>(pick({32, 40, 64, 96}));
    kernel.iterations = static_cast<unsigned>(pick({1, 2, 3, 8, 20}));
    kernel.shared = static_cast<std::uint32_t>(pick({0, 0, 4096, 40000}));
    for (unsigned lines = 1 + random() % 6; lines; --lines) {
      Line line;
      line.array = random() % 3;
      line.bytes = static_cast<unsigned>(pick({1, 2, 4, 8, 16}));
      const auto multiple = [&](std::int64_t value) { return value / line.bytes * line.bytes; };
      line.stride = multiple(pick({0, 4, 8, 12, 16, 20, 24, 32, 36, 48, 64, 100, 128, 4096, -8, -16}));
      line.step = multiple(pick({0, 1, 4, 8, 16, 32, 128, 1024, 4096, -4}));
      line.offset = multiple(pick({0, 4, 8, 12, 16, 28, 60, 100, 512}));
      line.operation = random() % 4 ? Operation::Load : Operation::Store;
      line.bypass = random() % 8 == 0;
      line.in_loop = random() % 4 != 0;
      kernel.lines.push_back(line);
    }
    expect_as_enumerated(kernel);
    if (HasFailure())
      break;
  }
}

} // namespace
} // namespace smem
