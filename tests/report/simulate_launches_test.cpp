// What is spent on the launches of a file, on which of them, and that neither the number of threads nor their order matters.
#include "analysis/simulate_launches.h"

#include "archive/archive.h"
#include "program_builder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace smem {
namespace {

using test::ProgramBuilder;

constexpr std::uint64_t kMost = 200'000;

constexpr std::int64_t kAsTheLaunchSays = -1; ///< in its only argument

/// Each thread follows a sequence of its own for as many iterations, and stores where it ends.
Program walk(std::int64_t iterations, std::string kernel, unsigned line = 2) {
  ProgramBuilder b;
  const unsigned array = b.shared_array(4096);
  RegisterId last = kNone;
  const RegisterId seed = b.special(SpecialRegister::ThreadX);
  const ProgramBuilder::Carried carried{
      seed, [&](RegisterId x) {
        const RegisterId square = b.binary(Opcode::Mul, x, b.binary(Opcode::Add, x, b.constant(3)));
        return last = b.binary(Opcode::Xor, square, b.binary(Opcode::LShr, square, b.constant(7)));
      }};
  RegisterId now = kNone;
  if (iterations == kAsTheLaunchSays)
    b.program.parameters.assign(1, {"n", "int", 4, false});
  const RegisterId end = iterations == kAsTheLaunchSays ? b.argument(0, 32) : b.constant(iterations);
  b.loop(b.constant(0), b.constant(1), end, [&](RegisterId, RegisterId x) { now = x; }, &carried);
  const RegisterId offset = b.scaled(b.resize(Opcode::ZeroExtend, b.binary(Opcode::And, now, b.constant(1023)), 64), 4);
  b.access(AddressSpace::Shared, Operation::Store, 32, b.binary(Opcode::Add, b.shared_address(array), offset));
  b.program.kernel = std::move(kernel);
  b.program.mangled = "_Z" + b.program.kernel;
  b.program.location = {"/k.cu", line, 17};
  return b.program;
}

PlannedLaunch launch(std::uint32_t blocks, unsigned line) {
  PlannedLaunch planned;
  Launch &only = planned.candidates.emplace_back();
  only.grid = {blocks, 1, 1};
  only.block = {32, 1, 1};
  only.location = {"/k.cu", line, 3};
  return planned;
}

AnalysisOptions options() {
  AnalysisOptions some;
  some.frontend.architecture = find_architecture("sm_90");
  some.simulation.max_steps = kMost;
  return some;
}

/// All launches of all programs.
struct File {
  std::vector<Program> programs;
  std::vector<PlannedLaunch> planned;
  std::vector<SimulationJob> work;

  File(std::vector<Program> kernels, std::vector<PlannedLaunch> launches)
      : programs(std::move(kernels)), planned(std::move(launches)) {
    for (std::size_t i = 0; i < programs.size(); ++i)
      for (const PlannedLaunch &one : planned)
        work.push_back({i, &one});
  }
  SimulatedLaunches simulate(const AnalysisOptions &with = options()) const {
    return simulate_launches(programs, work, with);
  }
};

std::string bytes_of(const SimulatedLaunches &simulated) {
  RunPart part;
  part.files.emplace_back();
  for (const SimulatedLaunch &one : simulated.launches)
    part.files[0].launches.push_back(one.analysis.value_or(LaunchAnalysis()));
  return write_archive(part);
}

TEST(SimulateLaunches, WhatIsAlikeIsExecutedOnce) {
  const File one({walk(50, "walk<int>")}, {launch(4, 10)});
  // Instantiations that differ in their names, launched twice from different places.
  const File many({walk(50, "walk<int>"), walk(50, "walk<unsigned>"), walk(50, "walk<long>")},
                  {launch(4, 10), launch(4, 11)});
  const SimulatedLaunches single = one.simulate(), all = many.simulate();
  EXPECT_EQ(single.executed, 1u);
  EXPECT_EQ(all.executed, 1u);
  EXPECT_EQ(all.steps, single.steps);
  ASSERT_EQ(all.launches.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    ASSERT_TRUE(all.launches[i].analysis);
    const LaunchAnalysis &analysis = *all.launches[i].analysis;
    EXPECT_EQ(analysis.program, i / 2);
    EXPECT_EQ(analysis.launch.location.line, 10 + i % 2);
    EXPECT_EQ(analysis.result.sites[0].verdict, Verdict::Exact);
    EXPECT_EQ(analysis.result.sites[0].counts, single.launches[0].analysis->result.sites[0].counts);
  }
}

/// A launch with two pointers, so many bytes into their allocations.
PlannedLaunch with_pointers(std::pair<std::uint32_t, std::int64_t> first, std::pair<std::uint32_t, std::int64_t> second,
                            std::uint64_t alignment = 256) {
  PlannedLaunch planned = launch(4, 10);
  std::uint32_t index = 0;
  for (const auto &[allocation, place] : {first, second}) {
    ArgumentValue &pointer = planned.candidates[0].arguments.emplace_back();
    pointer.index = index++;
    pointer.width_bits = 64;
    pointer.pointer = true;
    pointer.value = place;
    pointer.alignment = alignment;
    pointer.origin = {allocation, static_cast<std::uint64_t>(place), 1 << 20};
  }
  return planned;
}

TEST(SimulateLaunches, WherePointersLeadIsAlikeIfTheyAreAsFarApart) {
  Program program = walk(50, "walk<int>");
  program.parameters = {{"a", "int *", 8, true}, {"b", "int *", 8, true}};
  const auto executed = [&](const PlannedLaunch &one, const PlannedLaunch &other) {
    const SimulatedLaunches simulated = File({program}, {one, other}).simulate();
    for (std::size_t i = 0; i < 2; ++i) // each remains the launch that it is
      EXPECT_EQ(simulated.launches[i].analysis->launch, (i == 0 ? one : other).candidates[0]);
    return simulated.executed;
  };
  const PlannedLaunch apart = with_pointers({1, 0}, {2, 0}), together = with_pointers({1, 0}, {1, 1024});
  EXPECT_EQ(executed(apart, with_pointers({1, 512}, {2, 8192})), 1u);
  EXPECT_EQ(executed(apart, with_pointers({2, 0}, {1, 0})), 1u); // buffers that take turns
  EXPECT_EQ(executed(together, with_pointers({1, 4096}, {1, 5120})), 1u);
  EXPECT_EQ(executed(apart, together), 2u);
  EXPECT_EQ(executed(together, with_pointers({1, 0}, {1, 2048})), 2u);
  EXPECT_EQ(executed(apart, with_pointers({1, 32}, {2, 0})), 2u); // another line
  EXPECT_EQ(executed(with_pointers({1, 0}, {2, 0}, 1024), with_pointers({1, 512}, {2, 0}, 1024)), 2u);
}

TEST(SimulateLaunches, WhatDiffersIsNot) {
  Program other = walk(50, "walk<unsigned>");
  other.blocks[0].instructions[1].immediate += 1;
  Program elsewhere = walk(50, "walk");
  elsewhere.location.line = 40;
  EXPECT_EQ(File({walk(50, "walk<int>"), other, elsewhere}, {launch(4, 10)}).simulate().executed, 3u);
  EXPECT_EQ(File({walk(50, "walk<int>")}, {launch(4, 10), launch(5, 10)}).simulate().executed, 2u);
  PlannedLaunch assumed = launch(4, 10);
  assumed.candidates[0].assumptions.push_back({"block", {}});
  EXPECT_EQ(File({walk(50, "walk<int>")}, {launch(4, 10), assumed}).simulate().executed, 2u);
}

TEST(SimulateLaunches, AProblemOfALaunchIsWhereThatIs) {
  PlannedLaunch first = launch(4, 10), second = launch(4, 11);
  for (PlannedLaunch *planned : {&first, &second})
    planned->candidates[0].block = {2048, 1, 1};
  const SimulatedLaunches simulated = File({walk(50, "walk")}, {first, second}).simulate();
  EXPECT_EQ(simulated.executed, 1u);
  for (unsigned i = 0; i < 2; ++i) {
    ASSERT_FALSE(simulated.launches[i].analysis->result.problems.empty());
    EXPECT_EQ(simulated.launches[i].analysis->result.problems[0].location.line, 10 + i);
  }
}

TEST(SimulateLaunches, ManyThatExhaustTheirBudgetDoNotAddUp) {
  std::vector<PlannedLaunch> launches;
  for (unsigned i = 0; i < 406; ++i)
    launches.push_back(launch(1 + i, 10 + i));
  const SimulatedLaunches simulated = File({walk(10'000'000, "walk")}, launches).simulate();
  EXPECT_EQ(simulated.executed, 406u);
  EXPECT_LE(simulated.steps, kMost + kMost / 8);
  for (const SimulatedLaunch &one : simulated.launches)
    EXPECT_EQ(one.analysis->result.sites[0].verdict, Verdict::Unknown);
}

TEST(SimulateLaunches, OneThatNeedsLittleIsKnownAmongManyThatNeedTooMuch) {
  std::vector<PlannedLaunch> launches;
  for (unsigned i = 0; i < 100; ++i) {
    PlannedLaunch &one = launches.emplace_back(launch(1, 10 + i));
    ArgumentValue n;
    n.width_bits = 32;
    n.value = i == 40 || i == 90 ? 10 : 10'000'000 + i;
    n.index = 0;
    one.candidates[0].arguments = {n};
  }
  const SimulatedLaunches simulated = File({walk(kAsTheLaunchSays, "walk")}, launches).simulate();
  for (unsigned i = 0; i < 100; ++i)
    EXPECT_EQ(simulated.launches[i].analysis->result.sites[0].verdict == Verdict::Exact, i == 40 || i == 90) << i;
}

TEST(SimulateLaunches, WhatOthersLeaveIsUsed) {
  // Of sixteen kernels one needs more than its share.
  std::vector<Program> programs;
  for (unsigned i = 0; i < 16; ++i)
    programs.push_back(walk(i == 5 ? 6'000 : 10, "k" + std::to_string(i), 10 + i));
  for (const SimulatedLaunch &one : File(programs, {launch(1, 99)}).simulate().launches)
    EXPECT_EQ(one.analysis->result.sites[0].verdict, Verdict::Exact);
}

TEST(SimulateLaunches, ThreadsDoNotMatter) {
  std::vector<Program> programs;
  for (unsigned i = 0; i < 40; ++i)
    programs.push_back(walk(i % 3 == 0 ? 1'000'000 : 10 + i, "k" + std::to_string(i), 10 + i % 7));
  const File file(programs, {launch(1, 90), launch(3, 91)});
  const std::string alone = bytes_of(file.simulate());
  for (const bool backwards : {false, true}) {
    AnalysisOptions with = options();
    with.parallel_for = [&](std::size_t count, const std::function<void(std::size_t)> &body) {
      std::atomic<std::size_t> next = 0;
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
          for (std::size_t i = next++; i < count; i = next++)
            body(backwards ? count - 1 - i : i);
        });
      for (std::thread &thread : threads)
        thread.join();
    };
    EXPECT_EQ(bytes_of(file.simulate(with)), alone);
  }
}

TEST(SimulateLaunches, LookingAtSectorsIsPaidFor) {
  ProgramBuilder b;
  b.program.parameters.assign(1, {"p", "float *", 8, true});
  const RegisterId thread = b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64);
  b.access(AddressSpace::Global, Operation::Load, 32, b.binary(Opcode::Add, b.argument(0, 64), b.scaled(thread, 64)));
  Launch launch;
  launch.block = {128, 1, 1};
  ArgumentValue pointer;
  pointer.width_bits = 64;
  pointer.pointer = true;
  launch.arguments = {pointer};
  const SimulationResult counted = simulate(b.program, launch, *find_architecture("sm_90"), {});
  const SimulationResult all = simulate_launch(b.program, launch, {}, *find_architecture("sm_90"), {}, kMost);
  ASSERT_TRUE(all.sites[0].sector_use);
  EXPECT_GT(all.steps, counted.steps);
}

TEST(SimulateLaunches, AnEndLeavesWhatIsKnown) {
  std::vector<Program> programs;
  for (unsigned i = 0; i < 20; ++i)
    programs.push_back(walk(10 + i, "k" + std::to_string(i), 10 + i));
  std::stop_source end;
  AnalysisOptions with = options();
  with.simulation.stop = end.get_token();
  with.progress = [&](const AnalysisProgress &now) {
    EXPECT_EQ(now.total, 20u);
    if (now.number == 4)
      end.request_stop();
  };
  const SimulatedLaunches simulated = File(programs, {launch(1, 90)}).simulate(with);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_EQ(simulated.launches[i].analysis.has_value(), i < 3) << i;
}

TEST(StepBudget, IsBoundedHoweverManyLaunches) {
  for (const std::size_t launches : {1u, 2u, 8u, 9u, 100u, 1000u, 100'000u}) {
    StepBudget budget(kMost);
    std::uint64_t spent = 0;
    unsigned exhausted = 0;
    for (std::size_t next = 0; next < launches; next += StepBudget::kBatch) {
      const std::size_t batch = std::min(StepBudget::kBatch, launches - next);
      const std::uint64_t share = budget.share(batch, launches - next, exhausted);
      ASSERT_GE(share, 1u);
      ASSERT_LE(share, kMost);
      for (std::size_t i = 0; i < batch; ++i, ++exhausted)
        budget.spend(share), spent += share;
    }
    EXPECT_LE(spent, kMost + launches * (kMost / 1024)) << launches;
  }
  EXPECT_EQ(StepBudget(kMost).share(1, 1, 0), kMost);
}

TEST(StepBudget, WhatSufficesOnceGivesTheNextMore) {
  const StepBudget budget(kMost);
  unsigned exhausted = 0;
  std::uint64_t together = 0;
  for (unsigned i = 0; i < 1000; ++i, exhausted = StepBudget::exhausted_after(exhausted, true))
    together += budget.share(1, 1000, exhausted);
  EXPECT_EQ(exhausted, 1000u);
  EXPECT_LE(together, kMost / 8);
  EXPECT_EQ(budget.share(1, 1000, StepBudget::exhausted_after(exhausted, false)),
            budget.share(1, 1000, StepBudget::kMostHalvings));
  EXPECT_EQ(StepBudget::exhausted_after(3, false), 3u);
}

TEST(StepBudget, ForWhatIsAssumedGoesByTheSource) {
  constexpr std::uint64_t kDefault = 10'000'000;
  EXPECT_LT(steps_for_assumed(kDefault, 8'000'000), kDefault / 2);
  EXPECT_LT(steps_for_assumed(kDefault, 8'000'000), steps_for_assumed(kDefault, 16'000'000));
  EXPECT_LT(steps_for_assumed(kDefault, 8'000'000), steps_for_assumed(10 * kDefault, 8'000'000));
  EXPECT_EQ(steps_for_assumed(kDefault, UINT64_MAX), kDefault);
  EXPECT_GE(steps_for_assumed(1, 0), 1u);
  EXPECT_EQ(StepBudget(kMost, kMost / 4).share(1, 1, 0), kMost / 4);
  EXPECT_EQ(StepBudget(kMost, UINT64_MAX).left(), StepBudget(kMost).left());
}

TEST(SimulateLaunches, WhatIsAssumedTakesNothingFromWhatIsKnown) {
  PlannedLaunch assumed = launch(1, 11);
  assumed.candidates[0].grid_known = false;
  const std::vector<Program> programs{walk(400, "a", 1), walk(401, "b", 2), walk(402, "c", 3)};
  const File both(programs, {assumed, launch(1, 10)});
  constexpr std::uint64_t kSourceBytes = 100'000; // enough for next to nothing
  const SimulatedLaunches little = simulate_launches(both.programs, both.work, options(), kSourceBytes),
                          all = both.simulate();
  for (std::size_t i = 0; i < both.work.size(); ++i) {
    const bool known = both.work[i].planned == &both.planned[1];
    ASSERT_TRUE(little.launches[i].analysis && all.launches[i].analysis);
    EXPECT_EQ(little.launches[i].analysis->result.exhausted(), !known) << i;
    EXPECT_FALSE(all.launches[i].analysis->result.exhausted()) << i;
  }
}

constexpr const char *kFourKernels = R"(
template <int kStride> __global__ void strided(float *out) {
  __shared__ float tile[32 * 33];
  tile[threadIdx.x * kStride] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void other(float *out) { out[threadIdx.x] = 1; }
void run(float *out) {
  strided<1><<<1, 32>>>(out);
  strided<2><<<1, 32>>>(out);
  strided<2><<<2, 32>>>(out);
  strided<4><<<1, 32>>>(out);
  other<<<1, 32>>>(out);
}
)";

/// The analysis of kFourKernels with an end as the predicate says.
FileAnalysis analysis_until(const std::function<bool(const AnalysisProgress &)> &ends) {
  std::stop_source end;
  AnalysisOptions with = options();
  with.frontend.file = "k.cu";
  with.frontend.contents = kFourKernels;
  with.frontend.stop = with.simulation.stop = end.get_token();
  with.stop_reason = "time limit of 7 s (--timeout)";
  with.progress = [&](const AnalysisProgress &now) {
    if (ends(now))
      end.request_stop();
  };
  return analyze_file(with);
}

std::vector<std::string> incomplete(const FileAnalysis &analysis) {
  std::vector<std::string> messages;
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.incomplete && diagnostic.severity == Diagnostic::Severity::Error)
      messages.push_back(std::to_string(diagnostic.location.line) + ": " + diagnostic.message);
  return messages;
}

TEST(TimeLimit, NamesWhatIsMissing) {
  using Phase = AnalysisProgress::Phase;
  const FileAnalysis complete = analysis_until([](const AnalysisProgress &) { return false; });
  EXPECT_FALSE(complete.stopped);
  EXPECT_EQ(complete.launches.size(), 5u);
  EXPECT_EQ(incomplete(complete), std::vector<std::string>{});

  const FileAnalysis partial =
      analysis_until([](const AnalysisProgress &now) { return now.phase == Phase::Simulation && now.number == 3; });
  EXPECT_TRUE(partial.stopped && partial.parsed);
  ASSERT_EQ(partial.launches.size(), 2u);
  EXPECT_EQ(
      incomplete(partial),
      (std::vector<std::string>{
          "2: 2 of 3 launches of strided<2> and 1 other instantiation not analysed: time limit of 7 s (--timeout)",
          "8: other not analysed: time limit of 7 s (--timeout)"}));
  for (const Phase phase : {Phase::FrontEnd, Phase::Lowering}) {
    const FileAnalysis nothing = analysis_until([&](const AnalysisProgress &now) { return now.phase == phase; });
    EXPECT_TRUE(nothing.stopped);
    EXPECT_TRUE(nothing.launches.empty());
    EXPECT_EQ(incomplete(nothing), std::vector<std::string>{"0: not analysed: time limit of 7 s (--timeout)"});
  }
}

constexpr const char *kLoopWithoutAccesses = R"(#define __global__ __attribute__((global))
__global__ void power(float *out, float x) {
  float y = x;
#pragma unroll 1
  for (int i = 0; i < 100; ++i)
    y = y * x + 1;
  *out = y;
}
)";

/// The analysis of kLoopWithoutAccesses that ends when work is handed out for the `last` time; the number of times.
std::pair<FileAnalysis, unsigned> analysis_of_loop(unsigned last) {
  std::stop_source end;
  unsigned calls = 0;
  AnalysisOptions with = options();
  with.frontend.file = "k.cu";
  with.frontend.contents = kLoopWithoutAccesses;
  with.frontend.stop = with.simulation.stop = end.get_token();
  with.stop_reason = "time limit of 7 s (--timeout)";
  with.parallel_for = [&](std::size_t count, const std::function<void(std::size_t)> &body) {
    if (++calls == last)
      end.request_stop();
    for (std::size_t i = 0; i < count; ++i)
      body(i);
  };
  FileAnalysis analysis = analyze_file(with);
  return {std::move(analysis), calls};
}

TEST(TimeLimit, IsNotedWhereOnlyArithmeticIsLeft) {
  const auto [complete, calls] = analysis_of_loop(0);
  EXPECT_FALSE(complete.stopped);
  ASSERT_EQ(complete.launches.size(), 1u);
  EXPECT_GE(complete.launches[0].arithmetic.fp32, 100u);
  EXPECT_EQ(incomplete(complete), std::vector<std::string>{});

  const FileAnalysis cut = analysis_of_loop(calls).first;
  EXPECT_TRUE(cut.stopped);
  ASSERT_EQ(cut.launches.size(), 1u);
  EXPECT_LT(cut.launches[0].arithmetic.fp32, 100u);
  EXPECT_EQ(incomplete(cut), std::vector<std::string>{"0: not analysed to the end: time limit of 7 s (--timeout)"});
}

} // namespace
} // namespace smem
