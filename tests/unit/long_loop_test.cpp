// Loops whose iterations all differ are given up where their number says that the steps left are far too few, and no others.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "program_builder.h"
#include "smem/race.h"
#include "smem/simulate.h"

namespace smem {
namespace {

using test::ProgramBuilder;

constexpr std::uint64_t kBudget = 1'000'000;

struct CountedLoop {
  std::int64_t from = 0, step = 1, limit = 0;
  Opcode stays = Opcode::SLt; ///< the counter and the limit
  bool swapped = false;       ///< the limit and the counter
  bool negated = false;       ///< the condition is for leaving
  bool barrier = false, leaves = false;
};

/// for (x = 1; counter; x = scattered(x)) a[x % 1024], which no line and no period is.
Program scattered(const CountedLoop &loop) {
  ProgramBuilder b;
  b.program.parameters.push_back({"a", "float *", 8, true});
  b.shared_array(4096);
  const RegisterId base = b.argument(0, 64), shared = b.shared_address(0);
  const RegisterId limit = b.constant(loop.limit);
  const ProgramBuilder::Carried mixed{b.constant(1), [&](RegisterId x) {
                                        const RegisterId y = b.scaled(x, 1664525);
                                        return b.binary(Opcode::Xor, b.binary(Opcode::Add, y, b.constant(1013904223)),
                                                        b.binary(Opcode::LShr, x, b.constant(9)));
                                      }};
  BlockId leaves = kNone;
  b.loop(
      b.constant(loop.from), b.constant(loop.step), limit,
      [&](RegisterId, RegisterId x) {
        const RegisterId offset =
            b.scaled(b.resize(Opcode::ZeroExtend, b.binary(Opcode::And, x, b.constant(1023)), 64), 4);
        b.access(AddressSpace::Global, Operation::Load, 32, b.binary(Opcode::Add, base, offset));
        if (loop.barrier)
          b.barrier();
        b.value_access(AddressSpace::Shared, Operation::Load, b.binary(Opcode::Add, shared, offset));
        if (!loop.leaves)
          return;
        leaves = b.current;
        const RegisterId now = b.compare(Opcode::Eq, x, b.constant(0));
        const BlockId on = b.new_block();
        b.program.blocks[leaves].terminator = {TerminatorKind::Branch, now, {on, on}, {}, {}};
        b.current = on;
      },
      &mixed);
  if (leaves != kNone)
    b.program.blocks[leaves].terminator.targets[0] = b.current;
  for (BasicBlock &block : b.program.blocks) {
    Terminator &end = block.terminator;
    if (end.kind != TerminatorKind::Branch || block.phis.empty())
      continue;
    block.instructions.back().opcode = loop.stays;
    if (loop.swapped)
      std::swap(block.instructions.back().operands[0], block.instructions.back().operands[1]);
    if (loop.negated)
      std::swap(end.targets[0], end.targets[1]);
  }
  return b.program;
}

Launch one_block(std::uint32_t threads) {
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {threads, 1, 1};
  ArgumentValue pointer;
  pointer.width_bits = 64;
  pointer.pointer = true;
  launch.arguments = {pointer};
  return launch;
}

SimulationResult count(const CountedLoop &loop) {
  SimulationOptions options;
  options.max_steps = kBudget;
  return simulate(scattered(loop), one_block(32), *find_architecture("sm_90"), options);
}

constexpr std::int64_t kMany = 10'000'000;

TEST(LongLoop, IsGivenUpEarly) {
  using enum Opcode;
  for (const CountedLoop &loop : {CountedLoop{0, 1, kMany, SLt},
                                  {0, 1, kMany, ULe},
                                  {0, 3, 3 * kMany, Ne},
                                  {0, 1, kMany, SLe, true, true},
                                  {0, 1, kMany, ULt, true, true}, // !(kMany <= i)
                                  {kMany, -1, 0, SLt, true},
                                  {kMany, -1, 0, ULe, true},
                                  {kMany, -1, 0, SLt, false, true},
                                  {kMany, -2, 0, Ne, true},
                                  {0, 1, kMany, Eq, false, true}}) {
    const SimulationResult result = count(loop);
    EXPECT_TRUE(result.exhausted());
    EXPECT_LT(result.steps, kBudget / 8) << to_string(scattered(loop));
    EXPECT_GT(result.least_budget, 10 * kBudget);
  }
}

TEST(LongLoop, OneThatTheBudgetSufficesForIsFollowed) {
  constexpr std::int64_t kFew = 40'000;
  const SimulationResult result = count({0, 1, kFew});
  EXPECT_FALSE(result.exhausted());
  EXPECT_GT(result.steps, kBudget / 4);
  EXPECT_EQ(result.sites[0].counts.requests, static_cast<std::uint64_t>(kFew));
}

/// Another way out may be taken at any time, and what moves away from its limit wraps around at some time.
TEST(LongLoop, OneOfWhichTheNumberIsNotKnownIsTried) {
  CountedLoop loop{0, 1, kMany};
  loop.leaves = true;
  EXPECT_GT(count(loop).steps, kBudget / 2);
  EXPECT_GT(count({1, 2, kMany, Opcode::Ne}).steps, kBudget / 2);
  EXPECT_GT(count({kMany, 1, 0, Opcode::SLt, true}).steps, kBudget / 2);
}

/// What warps do before a barrier is compared when they come to it.
TEST(LongLoop, OfASearchForRacesWhereNothingIsFoundMeanwhile) {
  RaceOptions options;
  options.max_steps = kBudget;
  CountedLoop loop{0, 1, kMany};
  const auto steps = [&] {
    return find_races(scattered(loop), one_block(64), *find_architecture("sm_90"), options).steps;
  };
  EXPECT_LT(steps(), kBudget / 8);
  loop.barrier = true;
  EXPECT_GT(steps(), kBudget / 2);
}

} // namespace
} // namespace smem
