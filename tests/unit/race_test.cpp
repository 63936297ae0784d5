// Races in shared and in global memory: random kernels against an execution thread by thread with all pairs compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "long_tests.h"
#include "race_oracle.h"
#include "random_race_kernels.h"
#include "smem/race.h"
#include "smem/shared_layout.h"

namespace smem {
namespace {

using namespace test::races;

const Architecture &sm_90() { return *find_architecture("sm_90"); }

Launch launch_of(std::uint32_t blocks, std::uint32_t threads) {
  Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  for (const std::uint32_t array : {1u, 2u, 3u}) {
    ArgumentValue &pointer = launch.arguments.emplace_back();
    pointer.index = array;
    pointer.width_bits = 64;
    pointer.pointer = true;
  }
  return launch;
}

struct Tally {
  unsigned race = 0, free = 0, unknown = 0, unwritten = 0, between_blocks = 0;
};

/// Between blocks, all pairs of them.
void check_blocks(const Kernel &kernel, const Places &places, unsigned threads, unsigned blocks, const Races &races,
                  const std::vector<std::uint32_t> &numbers, bool special, unsigned seed) {
  bool race = false;
  for (const unsigned argument : {0u, 1u, 2u, 3u, 7u}) {
    std::vector<Execution> executions;
    for (unsigned block = 0; block < blocks; ++block)
      executions.emplace_back(kernel, places, threads, block, argument);
    for (unsigned a = 0; a < blocks; ++a)
      for (unsigned b = a + 1; b < blocks; ++b)
        race |= executions[a].races_with(executions[b]);
    for (const RaceWitness &witness : races.witnesses) {
      if (!witness.between_blocks)
        continue;
      ASSERT_NE(witness.block.x, witness.second_block.x) << "seed " << seed;
      ASSERT_LT(std::max(witness.block.x, witness.second_block.x), blocks) << "seed " << seed;
      const auto first = executions[witness.block.x].touches(witness.first, witness.byte, numbers);
      const auto second = executions[witness.second_block.x].touches(witness.second, witness.byte, numbers);
      ASSERT_TRUE(!first.empty() && !second.empty() && conflicting(first[0].operation, second[0].operation))
          << "seed " << seed << " argument " << argument << " blocks " << witness.block.x << " and "
          << witness.second_block.x << " byte " << witness.byte;
    }
    if (kernel.plain)
      break;
  }
  if (races.between_blocks == RaceVerdict::Free) {
    ASSERT_FALSE(race) << "seed " << seed;
  }
  if (!special) {
    ASSERT_EQ(races.between_blocks, race ? RaceVerdict::Race : RaceVerdict::Free) << "seed " << seed;
  }
}

void check_kernel(unsigned seed, RaceMemory memory, Tally &tally) {
  Generator generator(seed);
  const Kernel kernel = generator.kernel();
  constexpr unsigned kThreads[] = {64, 40, 33, 96, 32};
  const unsigned threads = kThreads[generator.below(5)], blocks = 1 + generator.below(4);
  Builder builder(memory);
  const Program program = builder.build(kernel);
  ASSERT_EQ(verify(program), "") << "seed " << seed;
  const SharedLayout layout = layout_shared(program.shared_arrays, sm_90());
  constexpr Places kApart{0, 1u << 20};
  const Places places = memory == RaceMemory::Shared ? Places{layout.offset[0], layout.offset[1]} : kApart;
  RaceOptions options;
  options.memory = memory;
  Races races = find_races(program, launch_of(blocks, threads), sm_90(), options);
  if (memory == RaceMemory::Global) {
    for (RaceWitness &witness : races.witnesses)
      witness.byte += kApart[witness.array == "a1"];
    // Where in its array is not known where an argument decides.
    std::erase_if(races.witnesses, [](const RaceWitness &witness) { return witness.array.empty(); });
  }
  bool between = false, within = false, special = !kernel.plain, unwritten = false;
  for (unsigned block = 0; block < blocks; ++block)
    for (const unsigned argument : {0u, 1u, 2u, 3u, 7u}) {
      if (kernel.plain && argument)
        continue;
      const Execution execution(kernel, places, threads, block, argument);
      special |= execution.divergent || execution.short_of || execution.part;
      between |= execution.between;
      within |= execution.within;
      unwritten |= execution.reads_unwritten();
      for (const UnwrittenRead &read : races.unwritten)
        if (read.block.x == block) {
          ASSERT_TRUE(execution.is_unwritten(read, builder.numbers))
              << "seed " << seed << " block " << block << " argument " << argument << " thread " << read.access.thread.x
              << " byte " << read.byte << "\n"
              << to_string(program);
        }
      const bool divergent = execution.divergent && kernel.accesses > 0;
      if (races.between_warps == RaceVerdict::Free) {
        ASSERT_FALSE(execution.may_between || divergent)
            << "seed " << seed << " block " << block << " argument " << argument << "\n"
            << to_string(program);
      }
      if (races.within_warp == RaceVerdict::Free) {
        ASSERT_FALSE(execution.may_within || divergent)
            << "seed " << seed << " block " << block << " argument " << argument << "\n"
            << to_string(program);
      }
      for (const RaceWitness &witness : races.witnesses) {
        if (witness.block.x != block || witness.between_blocks)
          continue;
        ASSERT_TRUE(execution.races(witness, builder.numbers))
            << "seed " << seed << " block " << block << " argument " << argument << " threads "
            << witness.first.thread.x << " and " << witness.second.thread.x << " byte " << witness.byte << "\n"
            << to_string(program);
      }
    }
  if (!special) {
    ASSERT_EQ(races.between_warps, between ? RaceVerdict::Race : RaceVerdict::Free)
        << "seed " << seed << ": " << races.reason << "\n"
        << to_string(program);
    ASSERT_EQ(races.within_warp, within ? RaceVerdict::Race : RaceVerdict::Free)
        << "seed " << seed << ": " << races.reason << "\n"
        << to_string(program);
    ASSERT_EQ(!races.unwritten.empty(), unwritten && memory == RaceMemory::Shared) << "seed " << seed << "\n"
                                                                                   << to_string(program);
  }
  if (memory == RaceMemory::Global)
    check_blocks(kernel, places, threads, blocks, races, builder.numbers, special, seed);
  if (testing::Test::HasFatalFailure())
    return;
  tally.between_blocks += races.between_blocks == RaceVerdict::Race;
  tally.unwritten += unwritten;
  const RaceVerdict verdict = races.verdict();
  if (memory == RaceMemory::Shared) {
    ASSERT_EQ(verdict == RaceVerdict::Race, !races.witnesses.empty());
  }
  ASSERT_TRUE(verdict != RaceVerdict::Unknown || !races.reason.empty());
  ++(verdict == RaceVerdict::Race ? tally.race : verdict == RaceVerdict::Free ? tally.free : tally.unknown);
}

TEST(Race, GlobalAgreesWithThreadsOneByOne) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS");
  const unsigned kernels = wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 2500;
  Tally tally;
  for (unsigned seed = 1; seed <= kernels && !HasFatalFailure(); ++seed)
    check_kernel(seed, RaceMemory::Global, tally);
  if (HasFatalFailure())
    return;
  EXPECT_GT(tally.between_blocks, kernels / 10);
  EXPECT_GT(tally.free, kernels / 20);
  EXPECT_LT(tally.unknown, kernels / 2);
}

TEST(Race, AgreesWithThreadsOneByOne) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS"); // e.g. 200000
  const unsigned kernels = wanted               ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10))
                           : test::long_tests() ? 20000
                                                : 7000;
  Tally tally;
  for (unsigned seed = 1; seed <= kernels && !HasFatalFailure(); ++seed)
    check_kernel(seed, RaceMemory::Shared, tally);
  if (HasFatalFailure())
    return;
  // The comparison says something only if all answers are given often.
  EXPECT_GT(tally.race, kernels / 10);
  EXPECT_GT(tally.free, kernels / 10);
  EXPECT_GT(tally.unknown, kernels / 200);
  EXPECT_GT(tally.unwritten, kernels / 10);
  EXPECT_LT(tally.unwritten, kernels - kernels / 10);
  RecordProperty("race", static_cast<int>(tally.race));
  RecordProperty("free", static_cast<int>(tally.free));
  RecordProperty("unknown", static_cast<int>(tally.unknown));
}

bool by_argument(const std::vector<Statement> &body) {
  return std::ranges::any_of(
      body, [](const Statement &s) { return s.by_argument || by_argument(s.body) || by_argument(s.otherwise); });
}

/// Witnesses under assumed values are of a launch with these values; where addresses do not depend on them, hardly any is missing.
TEST(Race, AssumedValuesAgreeWithThreadsOneByOne) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS");
  const unsigned kernels = wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 4000;
  unsigned assumed = 0, of_data = 0, of_slopes = 0, missed = 0;
  for (unsigned seed = 1; seed <= kernels && !HasFatalFailure(); ++seed) {
    Generator generator(seed, true);
    const Kernel kernel = generator.kernel();
    const unsigned threads = generator.below(2) ? 64 : 33;
    const unsigned value = generator.below(4);
    std::optional<Slope> slope; // each other time, what memory holds grows or falls
    if (generator.below(2))
      slope = generator.below(2) ? Slope{generator.below(64), -1}
                                 : Slope{-std::int64_t{generator.below(64)}, 1 + generator.below(2)};
    Builder builder(RaceMemory::Shared, true);
    const Program program = builder.build(kernel);
    ASSERT_EQ(verify(program), "") << "seed " << seed;
    const SharedLayout layout = layout_shared(program.shared_arrays, sm_90());
    const Places places{layout.offset[0], layout.offset[1]};
    RaceOptions options;
    options.assume = slope ? AssumedInput{slope->first, 0, slope->slope, value} : AssumedInput{value, 0, 0, value};
    constexpr unsigned kBlocks = 2;
    const Races races = find_races(program, launch_of(kBlocks, threads), sm_90(), options);
    bool special = by_argument(kernel.body), between = false, within = false;
    for (unsigned block = 0; block < kBlocks; ++block) {
      const Execution execution(kernel, places, threads, block, value, slope);
      special |= execution.divergent || execution.short_of || execution.part ||
                 (execution.may_between && !execution.between) || (execution.may_within && !execution.within);
      between |= execution.between;
      within |= execution.within;
      for (const RaceWitness &witness : races.witnesses)
        if (witness.block.x == block) {
          ASSERT_TRUE(execution.races(witness, builder.numbers))
              << "seed " << seed << " block " << block << " value " << value << "\n"
              << to_string(program);
        }
    }
    const bool race = between || within;
    const bool looked_at = !slope || races.reason != "nothing that is assumed of memory decides a branch";
    ASSERT_FALSE(!special && race && races.verdict() == RaceVerdict::Free) << "seed " << seed << " value " << value;
    ASSERT_TRUE(special || race || races.witnesses.empty()) << "seed " << seed << " value " << value;
    missed += !special && race && races.witnesses.empty() && looked_at;
    of_slopes += slope && !races.witnesses.empty() && !races.assumptions.empty();
    assumed += !races.witnesses.empty() && !races.assumptions.empty();
    of_data += !races.witnesses.empty() && std::ranges::any_of(races.assumptions, [](const Assumption &assumption) {
      return assumption.text.starts_with("`data");
    });
  }
  EXPECT_GT(assumed, kernels / 10);
  EXPECT_GT(of_data, kernels / 20);
  EXPECT_GT(of_slopes, kernels / 80);
  EXPECT_LT(missed, 2 + kernels / 1000);
}

/// What is free in every launch is free in those that are tried.
TEST(Race, FreeInEveryLaunchAgreesWithThreadsOneByOne) {
  const char *wanted = std::getenv("SMEM_RACE_KERNELS");
  const unsigned kernels = wanted               ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10))
                           : test::long_tests() ? 4000
                                                : 2000;
  unsigned free = 0, complete = 0, races = 0, missed = 0;
  for (unsigned seed = 1; seed <= kernels && !HasFatalFailure(); ++seed) {
    Generator generator(seed, true);
    const Kernel kernel = generator.kernel();
    constexpr unsigned kThreads[] = {64, 40, 33, 96, 32};
    const unsigned threads = kThreads[generator.below(5)];
    Builder builder(RaceMemory::Shared);
    const Program program = builder.build(kernel);
    const SharedLayout layout = layout_shared(program.shared_arrays, sm_90());
    const Places places{layout.offset[0], layout.offset[1]};
    const EveryLaunch every = free_in_every_launch(program, launch_of(1, threads), sm_90());
    bool race = false;
    for (unsigned block = 0; block < 3; ++block)
      for (const unsigned argument : {0u, 1u, 2u, 3u, 5u}) {
        const Execution execution(kernel, places, threads, block, argument);
        const bool wrong = execution.may_between || execution.may_within || (execution.divergent && kernel.accesses);
        race |= wrong;
        ASSERT_FALSE(every.free && wrong) << "seed " << seed << " block " << block << " argument " << argument << "\n"
                                          << to_string(program);
        ASSERT_FALSE(every.complete && execution.reads_unwritten())
            << "seed " << seed << " block " << block << " argument " << argument << "\n"
            << to_string(program);
      }
    ASSERT_TRUE(every.free || !every.complete);
    free += every.free;
    complete += every.complete;
    races += race;
    missed += !race && !every.free && kernel.accesses > 1;
  }
  if (HasFatalFailure())
    return;
  EXPECT_GT(free, kernels / 10);
  EXPECT_GT(complete, kernels / 20);
  EXPECT_GT(races, kernels / 10);
  RecordProperty("free", static_cast<int>(free));
  RecordProperty("complete", static_cast<int>(complete));
  RecordProperty("races", static_cast<int>(races));
  RecordProperty("missed", static_cast<int>(missed));
}

} // namespace
} // namespace smem
