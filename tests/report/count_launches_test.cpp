// What counting the arithmetic of launches may cost, and that launches that are alike share it.
#include "analysis/count_launches.h"

#include "program_builder.h"

#include <gtest/gtest.h>

#include <vector>

namespace smem {
namespace {

using test::ProgramBuilder;

constexpr std::uint64_t kMost = 32'000;

/// A loop whose piece of code runs as often as argument 0 says.
KernelArithmetic loop(std::uint64_t fp32) {
  ProgramBuilder b;
  b.program.parameters.push_back({"n", "int", 4});
  b.loop(b.constant(0), b.constant(1), b.argument(0),
         [&](RegisterId, RegisterId) { b.access(AddressSpace::Global, Operation::Load, 32, b.constant(0, 64)); });
  KernelArithmetic arithmetic;
  arithmetic.others.push_back({b.program, {{{{0, 1}}, {fp32, 0, 0}}}});
  return arithmetic;
}

Launch launch(std::int64_t iterations, unsigned line) {
  Launch some;
  some.block = {32, 1, 1};
  some.location = {"/k.cu", line, 3};
  ArgumentValue n;
  n.value = iterations;
  some.arguments = {n};
  return some;
}

AnalysisOptions options() {
  AnalysisOptions some;
  some.frontend.architecture = find_architecture("sm_90");
  some.simulation.max_steps = kMost;
  return some;
}

TEST(CountLaunches, ThoseThatAreAlikeAreCountedOnce) {
  const Program kernel;
  const KernelArithmetic floats = loop(1), same = loop(1), none, others = loop(2);
  const std::vector<Launch> launches{launch(50, 1), launch(50, 2), launch(50, 3), launch(50, 4), launch(60, 5)};
  const std::vector<CountingJob> jobs{{&kernel, &launches[0], &floats},
                                      {&kernel, &launches[1], &same},
                                      {&kernel, &launches[2], &none},
                                      {&kernel, &launches[3], &others},
                                      {&kernel, &launches[4], &floats}};
  const CountedLaunches all = count_launches(jobs, options());
  std::vector<std::uint64_t> fp32;
  for (const ArithmeticWork &work : all.work)
    fp32.push_back(work.fp32);
  EXPECT_EQ(fp32, (std::vector<std::uint64_t>{50, 50, 0, 100, 60}));
  EXPECT_EQ(all.error, "");
  const auto alone = [&](std::size_t i) { return count_launches({&jobs[i], 1}, options()).steps; };
  EXPECT_EQ(all.steps, alone(0) + alone(3) + alone(4));
}

TEST(CountLaunches, TogetherTakeASixteenthOfALaunchsBudget) {
  const Program kernel;
  const KernelArithmetic arithmetic = loop(1);
  std::vector<Launch> launches;
  for (int i = 0; i < 200; ++i)
    launches.push_back(launch(300 + i, 1));
  std::vector<CountingJob> jobs;
  for (const Launch &one : launches)
    jobs.push_back({&kernel, &one, &arithmetic});
  AnalysisOptions more = options();
  more.simulation.max_steps *= 128;
  const CountedLaunches all = count_launches(jobs, more);
  ASSERT_EQ(all.work.back().fp32, 499u);
  ASSERT_GT(all.steps, kMost / 16);
  const CountedLaunches some = count_launches(jobs, options());
  EXPECT_LE(some.steps, kMost / 16);
  EXPECT_EQ(some.work.front(), all.work.front());
  EXPECT_EQ(some.work.back(), ArithmeticWork());
  for (std::size_t i = 0; i < jobs.size(); ++i)
    EXPECT_LE(some.work[i].fp32, all.work[i].fp32);
}

} // namespace
} // namespace smem
