// Launches that would take many times their budget are given up long before it is spent, and no others.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "program_builder.h"
#include "smem/simulate.h"

namespace smem {
namespace {

constexpr std::uint64_t kBudget = 1'000'000;
constexpr std::uint32_t kBlocks = 1 << 22;

/// a[x] in each block, where x is its index, with bits reversed where `scattered` says so.
SimulationResult simulate_blocks(const std::function<RegisterId(test::ProgramBuilder &b, RegisterId block)> &scattered,
                                 std::uint32_t blocks = kBlocks, std::uint32_t threads = 32) {
  test::ProgramBuilder b;
  b.program.parameters.push_back({"a", "float *", 8, true});
  const RegisterId block = b.special(SpecialRegister::BlockX);
  const auto load = [&](RegisterId index) {
    const RegisterId thread = b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64);
    const RegisterId row =
        b.binary(Opcode::Add, b.argument(0, 64), b.scaled(b.resize(Opcode::ZeroExtend, index, 64), 128));
    b.access(AddressSpace::Global, Operation::Load, 32, b.binary(Opcode::Add, row, b.scaled(thread, 4)));
  };
  b.branch(
      scattered(b, block),
      [&] { load(b.binary(Opcode::LShr, b.emit(Opcode::ReverseBits, 32, {block}), b.constant(4))); },
      [&] { load(block); });
  Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  ArgumentValue pointer;
  pointer.width_bits = 64;
  pointer.pointer = true;
  launch.arguments = {pointer};
  SimulationOptions options;
  options.max_steps = kBudget;
  return simulate(b.program, launch, *find_architecture("sm_90"), options);
}

RegisterId always(test::ProgramBuilder &b, RegisterId) { return b.constant(1, 1); }

TEST(FarBeyond, BlocksThatAllDifferAreNotTried) {
  for (const std::uint32_t threads : {32u, 192u}) {
    const SimulationResult result = simulate_blocks(always, kBlocks, threads);
    EXPECT_TRUE(result.exhausted());
    EXPECT_EQ(result.sites[0].verdict, Verdict::Unknown);
    EXPECT_GT(result.sites[0].counts.requests, 0u) << "of those that were";
    EXPECT_LT(result.steps, kBudget / 16);
    EXPECT_GT(result.least_budget, 4 * kBudget);
    EXPECT_LE(result.least_budget, std::uint64_t{kBlocks} * 32 * threads / 32);
  }
}

TEST(FarBeyond, OnesThatTheBudgetSufficesForAreFollowed) {
  constexpr std::uint32_t kFew = 20'000; // some 300,000 steps
  const SimulationResult result = simulate_blocks(always, kFew);
  EXPECT_FALSE(result.exhausted());
  EXPECT_EQ(result.sites[0].counts.requests, kFew);
  EXPECT_GT(result.steps, kBudget / 8);
}

/// Thousands of blocks that differ at one end say nothing of millions that do not.
TEST(FarBeyond, FewBlocksMayDiffer) {
  constexpr std::int64_t kFew = 5000;
  const auto first = [](test::ProgramBuilder &b, RegisterId block) {
    return b.compare(Opcode::ULt, block, b.constant(kFew));
  };
  const auto last = [](test::ProgramBuilder &b, RegisterId block) {
    return b.compare(Opcode::ULt, b.constant(kBlocks - kFew), block);
  };
  const auto both = [&](test::ProgramBuilder &b, RegisterId block) {
    return b.binary(Opcode::Or, first(b, block), last(b, block));
  };
  for (const auto &scattered : {std::function<RegisterId(test::ProgramBuilder &, RegisterId)>(first),
                                std::function<RegisterId(test::ProgramBuilder &, RegisterId)>(last),
                                std::function<RegisterId(test::ProgramBuilder &, RegisterId)>(both)}) {
    const SimulationResult result = simulate_blocks(scattered);
    EXPECT_FALSE(result.exhausted());
    EXPECT_EQ(result.sites[0].counts.requests + result.sites[1].counts.requests, kBlocks);
    EXPECT_GT(result.steps, kFew * 8);
  }
}

} // namespace
} // namespace smem
