// The fast path (classes of blocks, summarised loops) against executing everything one by one, on random programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>

#include "long_tests.h"
#include "program_builder.h"
#include "smem/simulate.h"

namespace smem {
namespace {

using test::ProgramBuilder;

/// Builds a random structured kernel: nested loops, branches, affine and non-affine index expressions.
class RandomKernel {
public:
  /// `with_memory`: indices also travel through shared, local and global memory.
  explicit RandomKernel(std::uint64_t seed, bool with_memory = false) : random_(seed), with_memory_(with_memory) {
    array_ = b_.shared_array(1 << 14);
    if (with_memory_) {
      table_ = b_.shared_array(1 << 10);
      local_ = b_.local_object(256);
    }
    values_ = {b_.special(SpecialRegister::ThreadX), b_.special(SpecialRegister::ThreadY),
               b_.special(SpecialRegister::BlockX), b_.special(SpecialRegister::BlockY)};
    body(0);
    launch_.grid = {pick(1, 9), pick(1, 4), 1};
    launch_.block = {std::vector<std::uint32_t>{32, 16, 48, 64, 8, 33}[pick(0, 5)], pick(1, 3), 1};
  }
  Program program() const { return b_.program; }
  Launch launch() const { return launch_; }

private:
  unsigned pick(unsigned low, unsigned high) { return std::uniform_int_distribution<unsigned>(low, high)(random_); }

  RegisterId expression(unsigned depth) {
    if (depth == 0 || pick(0, 4) == 0)
      return pick(0, 3) == 0 ? b_.constant(pick(0, 70)) : values_[pick(0, static_cast<unsigned>(values_.size()) - 1)];
    const RegisterId a = expression(depth - 1);
    switch (pick(0, 13)) {
    case 0:
    case 1:
    case 2: return b_.binary(Opcode::Add, a, expression(depth - 1));
    case 3: return b_.binary(Opcode::Sub, a, expression(depth - 1));
    case 4:
    case 5: return b_.binary(Opcode::Mul, a, b_.constant(pick(1, 40)));
    case 6: return b_.binary(Opcode::And, a, b_.constant(std::vector<int>{1, 3, 7, 31, 12, -2, 96, -32}[pick(0, 7)]));
    case 7: return b_.binary(Opcode::Xor, a, expression(depth - 1));
    case 8: return b_.binary(Opcode::LShr, a, b_.constant(pick(0, 5)));
    case 9: return b_.binary(pick(0, 1) ? Opcode::UDiv : Opcode::URem, a, b_.constant(pick(1, 33)));
    case 10: return b_.binary(pick(0, 1) ? Opcode::SDiv : Opcode::SRem, a, b_.constant(pick(1, 33)));
    case 11: return b_.binary(Opcode::SMin, a, expression(depth - 1));
    case 12: return b_.binary(Opcode::Shl, a, b_.constant(pick(0, 4)));
    default: return b_.select(condition(), a, expression(depth - 1));
    }
  }
  RegisterId condition() {
    static constexpr Opcode kinds[] = {Opcode::SLt, Opcode::SLt, Opcode::ULt, Opcode::SLe, Opcode::Eq, Opcode::Ne};
    return b_.compare(kinds[pick(0, 5)], expression(2), pick(0, 1) ? b_.constant(pick(0, 60)) : expression(1));
  }
  void memory() {
    const bool shared = pick(0, 2) != 0;
    const unsigned bytes = 1u << pick(0, 4);
    const RegisterId index = expression(3);
    const RegisterId wide = b_.resize(pick(0, 1) ? Opcode::SignExtend : Opcode::ZeroExtend, index, 64);
    RegisterId offset = b_.scaled(wide, bytes);
    const Operation operation = pick(0, 1) ? Operation::Load : Operation::Store;
    if (shared) {
      offset = b_.binary(Opcode::And, offset, b_.constant((1 << 14) - bytes, 64));
      b_.access(AddressSpace::Shared, operation, bytes * 8, b_.binary(Opcode::Add, b_.shared_address(array_), offset));
    } else {
      b_.access(AddressSpace::Global, operation, bytes * 8, b_.binary(Opcode::Add, b_.constant(1 << 30, 64), offset));
    }
  }
  /// An index goes through memory and comes back as a value for later expressions.
  void travel() {
    const auto masked = [&](RegisterId index, int mask) {
      return b_.scaled(b_.resize(Opcode::ZeroExtend, b_.binary(Opcode::And, index, b_.constant(mask)), 64), 4);
    };
    switch (pick(0, 3)) {
    case 0: // every thread's own word of shared memory
      b_.value_access(AddressSpace::Shared, Operation::Store,
                      b_.binary(Opcode::Add, b_.shared_address(table_), masked(values_[0], 255)), expression(2));
      b_.barrier();
      values_.push_back(b_.value_access(AddressSpace::Shared, Operation::Load,
                                        b_.binary(Opcode::Add, b_.shared_address(table_), masked(expression(1), 255))));
      b_.barrier();
      break;
    case 1: { // a local array
      b_.value_access(AddressSpace::Local, Operation::Store,
                      b_.binary(Opcode::Add, b_.local_address(local_), masked(expression(1), 63)), expression(2),
                      false);
      values_.push_back(b_.value_access(AddressSpace::Local, Operation::Load,
                                        b_.binary(Opcode::Add, b_.local_address(local_), masked(expression(1), 63)),
                                        kNone, false));
      break;
    }
    case 2: // what comes from global memory is not known
      values_.push_back(b_.value_access(
          AddressSpace::Global, Operation::Load,
          b_.binary(Opcode::Add, b_.constant(1 << 30, 64), masked(pick(0, 1) ? expression(1) : b_.constant(5), 255))));
      break;
    default: // a shuffle
      values_.push_back(b_.emit(Opcode::Shuffle, 32, {expression(1), b_.constant(pick(0, 31)), b_.constant(31)},
                                static_cast<std::int64_t>(pick(0, 1) ? ShuffleMode::Index : ShuffleMode::Butterfly)));
    }
  }
  void body(unsigned depth) {
    const unsigned statements = pick(1, 3);
    const std::size_t outside = values_.size();
    if (with_memory_ && pick(0, 1))
      travel();
    for (unsigned s = 0; s < statements; ++s) {
      const std::size_t known = values_.size();
      switch (depth < 3 ? pick(0, 3) : 0) {
      case 0:
      case 1: memory(); break;
      case 2: {
        const RegisterId from = pick(0, 2) ? b_.constant(pick(0, 3)) : expression(1);
        const RegisterId end =
            pick(0, 2) ? b_.constant(pick(1, 45)) : b_.binary(Opcode::And, expression(1), b_.constant(31));
        const auto inside = [&](RegisterId i, RegisterId extra) {
          values_.push_back(i);
          if (extra != kNone)
            values_.push_back(extra);
          body(depth + 1);
        };
        // Half of the loops also carry a buffer index, a halving stride, or the previous value of an expression.
        const unsigned kind = pick(0, 9);
        ProgramBuilder::Carried carried{kind < 5 ? b_.constant(kind < 3 ? 0 : 64) : kNone, [&](RegisterId now) {
                                          switch (kind) {
                                          case 0: return b_.binary(Opcode::Xor, now, b_.constant(1));
                                          case 1: return b_.binary(Opcode::Sub, b_.constant(1), now);
                                          case 2:
                                            return b_.binary(Opcode::URem, b_.binary(Opcode::Add, now, b_.constant(1)),
                                                             b_.constant(3));
                                          case 3: return b_.binary(Opcode::LShr, now, b_.constant(1));
                                          default: return expression(2);
                                          }
                                        }};
        b_.loop(from, b_.constant(pick(1, 5)), end, inside, kind < 5 ? &carried : nullptr);
        break;
      }
      default:
        if (pick(0, 1))
          b_.branch(condition(), [&] { body(depth + 1); });
        else
          b_.branch(
              condition(),
              [&] {
                body(depth + 1);
                values_.resize(known);
              },
              [&] { body(depth + 1); });
      }
      values_.resize(known);
    }
    values_.resize(outside);
  }

  std::mt19937_64 random_;
  ProgramBuilder b_;
  bool with_memory_ = false;
  unsigned array_ = 0, table_ = 0, local_ = 0;
  std::vector<RegisterId> values_;
  Launch launch_;
};

/// Builds nests of loops of which the inner ones are as long as the outer ones, the block or the warp say.
class TriangularKernel {
public:
  explicit TriangularKernel(std::uint64_t seed) : random_(seed) {
    array_ = b_.shared_array(1 << 13);
    thread_ = b_.special(SpecialRegister::ThreadX);
    warp_ = b_.special(SpecialRegister::WarpInBlock);
    outer_ = {b_.special(SpecialRegister::BlockX), b_.special(SpecialRegister::BlockY)};
    nest(0);
    launch_.grid = {pick(0, 2) ? pick(1, 24) : 1, pick(1, 2), 1};
    launch_.block = {std::vector<std::uint32_t>{32, 32, 64, 48, 1}[pick(0, 4)], 1, 1};
  }
  Program program() const { return b_.program; }
  Launch launch() const { return launch_; }

private:
  unsigned pick(unsigned low, unsigned high) { return std::uniform_int_distribution<unsigned>(low, high)(random_); }
  RegisterId any_outer() { return outer_[pick(0, static_cast<unsigned>(outer_.size()) - 1)]; }

  void memory() {
    RegisterId index = pick(0, 3) ? thread_ : warp_;
    for (const RegisterId r : outer_)
      if (pick(0, 3))
        index = b_.binary(pick(0, 5) ? Opcode::Add : Opcode::Sub, index,
                          b_.scaled(r, std::vector<int>{1, 2, 3, 5, 8, 16, 31, 32, 33, 64, 128, 1024}[pick(0, 11)]));
    const unsigned bytes = 1u << pick(0, 4);
    RegisterId offset = b_.scaled(b_.resize(Opcode::SignExtend, index, 64), bytes);
    const Operation operation = pick(0, 1) ? Operation::Load : Operation::Store;
    if (pick(0, 3) == 0) {
      // Without a mask now and then: some addresses are then outside the array.
      if (pick(0, 4))
        offset = b_.binary(Opcode::And, offset, b_.constant((1 << 13) - static_cast<int>(bytes), 64));
      b_.access(AddressSpace::Shared, operation, bytes * 8, b_.binary(Opcode::Add, b_.shared_address(array_), offset));
    } else {
      b_.access(AddressSpace::Global, operation, bytes * 8, b_.binary(Opcode::Add, b_.constant(1 << 30, 64), offset));
    }
  }
  /// Something that the counters of the loops around decide.
  RegisterId length() {
    RegisterId end = any_outer();
    switch (pick(0, 9)) {
    case 0:
    case 1: break;
    case 2: end = b_.scaled(end, pick(2, 4)); break;
    case 3: end = b_.binary(Opcode::Add, end, any_outer()); break;
    case 4: end = b_.binary(Opcode::Sub, b_.constant(pick(10, 40)), end); break;
    case 5: end = b_.binary(Opcode::LShr, end, b_.constant(pick(1, 3))); break;
    case 6: end = b_.binary(Opcode::SMin, end, b_.constant(pick(5, 40))); break;
    case 7: end = b_.binary(Opcode::Sub, end, any_outer()); break;
    case 8: end = b_.binary(Opcode::Add, end, b_.binary(Opcode::And, thread_, b_.constant(pick(1, 7)))); break;
    default: end = b_.binary(Opcode::Add, end, b_.scaled(warp_, pick(1, 9))); break;
    }
    return b_.binary(Opcode::Add, end, b_.constant(static_cast<int>(pick(0, 4)) - 1));
  }
  void inside(RegisterId i, unsigned depth) {
    outer_.push_back(i);
    if (pick(0, 1))
      memory();
    if (depth < 3 && pick(0, 3))
      nest(depth);
    else
      memory();
    if (pick(0, 3) == 0)
      memory();
    outer_.pop_back();
  }
  void nest(unsigned depth) {
    if (depth == 0) {
      const RegisterId from = pick(0, 3) == 0 ? any_outer() : b_.constant(pick(0, 3));
      const RegisterId end =
          pick(0, 2) ? b_.constant(pick(10, 40)) : b_.binary(Opcode::Sub, b_.constant(pick(24, 50)), outer_[0]);
      b_.loop(from, b_.constant(pick(0, 2) ? 1 : pick(1, 4)), end, [&](RegisterId i, RegisterId) {
        outer_.push_back(i);
        nest(1);
        if (pick(0, 1))
          memory();
        if (pick(0, 3) == 0)
          nest(1);
        outer_.pop_back();
      });
      return;
    }
    const RegisterId end = length();
    const auto body = [&](RegisterId i, RegisterId) { inside(i, depth + 1); };
    switch (pick(0, 5)) {
    case 0: // several at a time, and what remains
      if (const int few = static_cast<int>(std::vector<unsigned>{2, 4, 8}[pick(0, 2)]); true) {
        const RegisterId whole = b_.binary(Opcode::And, end, b_.constant(-few));
        b_.loop(b_.constant(0), b_.constant(few), whole, [&](RegisterId i, RegisterId) {
          outer_.push_back(i);
          memory();
          memory();
          outer_.pop_back();
        });
        b_.loop(whole, b_.constant(1), end, [&](RegisterId i, RegisterId) {
          outer_.push_back(i);
          memory();
          outer_.pop_back();
        });
      }
      break;
    case 1: b_.loop(thread_, b_.constant(32), end, body); break;
    case 2: b_.loop(any_outer(), b_.constant(pick(1, 2)), b_.constant(pick(10, 40)), body); break;
    default: b_.loop(b_.constant(pick(0, 2)), b_.constant(pick(0, 2) ? 1 : pick(1, 5)), end, body);
    }
  }

  std::mt19937_64 random_;
  ProgramBuilder b_;
  unsigned array_ = 0;
  RegisterId thread_ = 0, warp_ = 0;
  std::vector<RegisterId> outer_; ///< counters of the loops around, and the block
  Launch launch_;
};

/// Without what is a lower bound only: of addresses whose place in a line is not known, cycles of the tag stage are not counted.
Counts figures_of(Counts counts) {
  counts.line_cycles = 0;
  return counts;
}

std::string describe(const Counts &c) {
  std::ostringstream out;
  out << c.requests << " requests, " << c.wavefronts << "/" << c.ideal_wavefronts << " wavefronts, degree "
      << c.conflict_degree << ", " << c.sectors << "/" << c.ideal_sectors << " sectors, " << c.tags << " tags";
  return out.str();
}

/// What is known where steps are few, by quotients as symbols perhaps, is what is known anyway; how many such sites there are. Whether
/// an address that nobody knows is aligned is another matter.
unsigned expect_the_same_with_few_steps(const Program &program, const Launch &launch, const SimulationResult &reference,
                                        std::uint64_t seed) {
  unsigned known = 0;
  for (const std::uint64_t steps : {200, 1'000, 4'000, 16'000, 64'000}) {
    SimulationOptions few;
    few.max_steps = steps;
    const SimulationResult result = simulate(program, launch, *find_architecture("sm_90"), few);
    for (std::size_t s = 0; s < program.sites.size(); ++s) {
      if (result.sites[s].verdict == Verdict::Unknown || reference.sites[s].reason == "misaligned address")
        continue;
      ++known;
      EXPECT_NE(reference.sites[s].verdict, Verdict::Unknown)
          << "seed " << seed << " site " << s << " steps " << steps << ": " << reference.sites[s].reason;
      EXPECT_LE(result.sites[s].counts.line_cycles, reference.sites[s].counts.line_cycles);
      EXPECT_EQ(figures_of(result.sites[s].counts), figures_of(reference.sites[s].counts))
          << "seed " << seed << " site " << s << " steps " << steps << "\n few: " << describe(result.sites[s].counts)
          << "\n all: " << describe(reference.sites[s].counts) << "\n"
          << to_string(program);
    }
  }
  return known;
}

/// Executed one by one, bytes are a union and the least block is looked for: what the fast path has is no more. Whether it is half at least.
bool expect_lower_bounds(const SimulationResult &fast, const SimulationResult &reference, std::uint64_t seed) {
  constexpr std::uint64_t kAllPlacesKept = 4'000; // steps: no event stands for more of them than are kept
  if (std::ranges::any_of(reference.sites, [](const SiteResult &site) { return site.verdict == Verdict::Unknown; }))
    return false;
  const LeastWork &least = fast.least, &all = reference.least;
  EXPECT_LE(least.block.shared_wavefronts, all.block.shared_wavefronts) << "seed " << seed;
  EXPECT_LE(least.block.global_wavefronts, all.block.global_wavefronts) << "seed " << seed;
  EXPECT_LE(least.block.tags, all.block.tags) << "seed " << seed;
  if (reference.steps > kAllPlacesKept)
    return false;
  EXPECT_LE(least.read_bytes, all.read_bytes) << "seed " << seed;
  EXPECT_LE(least.written_bytes, all.written_bytes) << "seed " << seed;
  return 2 * (least.read_bytes + least.written_bytes) > all.read_bytes + all.written_bytes;
}

/// SMEM_LINT_SEEDS=first:last runs a longer campaign.
std::pair<std::uint64_t, std::uint64_t> seeds() {
  std::uint64_t first = 1, last = test::long_tests() ? 500 : 200;
  if (const char *wish = std::getenv("SMEM_LINT_SEEDS"))
    std::sscanf(wish, "%lu:%lu", &first, &last);
  return {first, last};
}

template <typename Kernel> void expect_same_as_one_by_one(std::uint64_t max_steps) {
  const Architecture &sm90 = *find_architecture("sm_90");
  unsigned compared = 0, summarised = 0, known_with_few_steps = 0, bounds_that_say_something = 0;
  const auto [first_seed, last_seed] = seeds();
  for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
    const Kernel kernel(seed);
    const Program program = kernel.program();
    ASSERT_EQ(verify(program), "") << "seed " << seed;
    SimulationOptions slow;
    slow.classes = false;
    slow.max_steps = max_steps;
    const SimulationResult reference = simulate(program, kernel.launch(), sm90, slow);
    const auto has = [](const SimulationResult &result, Problem::Kind kind) {
      return std::any_of(result.problems.begin(), result.problems.end(),
                         [&](const Problem &p) { return p.kind == kind; });
    };
    if (has(reference, Problem::Kind::Budget))
      continue;
    const SimulationResult fast = simulate(program, kernel.launch(), sm90, {});
    ++compared;
    summarised += fast.steps < reference.steps;
    ASSERT_EQ(has(fast, Problem::Kind::OutOfBounds), has(reference, Problem::Kind::OutOfBounds))
        << "seed " << seed << "\n"
        << to_string(program);
    for (std::size_t s = 0; s < program.sites.size(); ++s) {
      ASSERT_EQ(fast.sites[s].verdict, reference.sites[s].verdict)
          << "seed " << seed << " site " << s << " fast: " << fast.sites[s].reason
          << " reference: " << reference.sites[s].reason;
      ASSERT_EQ(fast.sites[s].executed, reference.sites[s].executed) << "seed " << seed << " site " << s;
      if (reference.sites[s].verdict == Verdict::Unknown)
        continue; // misaligned by chance: counting stops there
      ASSERT_LE(fast.sites[s].counts.line_cycles, reference.sites[s].counts.line_cycles);
      ASSERT_EQ(figures_of(fast.sites[s].counts), figures_of(reference.sites[s].counts))
          << "seed " << seed << " site " << s << "\n fast: " << describe(fast.sites[s].counts)
          << "\n slow: " << describe(reference.sites[s].counts) << "\n"
          << to_string(program);
    }
    bounds_that_say_something += expect_lower_bounds(fast, reference, seed);
    known_with_few_steps += expect_the_same_with_few_steps(program, kernel.launch(), reference, seed);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  // The comparison means something only if most kernels are compared and most of them take the fast path.
  EXPECT_GT(compared, (last_seed - first_seed) / 2);
  EXPECT_GT(summarised, compared / 2);
  EXPECT_GT(known_with_few_steps, compared);
  EXPECT_GT(bounds_that_say_something, compared / 20);
}

TEST(SimulateClasses, EqualsOneByOneExecution) { expect_same_as_one_by_one<RandomKernel>(3'000'000); }
TEST(SimulateClasses, EqualsOneByOneExecutionInTriangles) { expect_same_as_one_by_one<TriangularKernel>(1'000'000); }

/// Which round through its array an access is in changes no cost and is not always known; no round is outside.
TEST(SimulateClasses, WhatGoesRoundAnArrayIsInside) {
  ProgramBuilder b;
  const unsigned array = b.shared_array(1 << 13);
  const RegisterId one = b.constant(1), warp = b.special(SpecialRegister::WarpInBlock),
                   block = b.special(SpecialRegister::BlockX);
  b.loop(one, one, b.constant(28), [&](RegisterId i, RegisterId) {
    b.loop(b.constant(2), one, b.binary(Opcode::Sub, b.constant(35), i), [&](RegisterId j, RegisterId) {
      const RegisterId up = b.binary(Opcode::Add, warp, b.scaled(block, 16)),
                       down = b.binary(Opcode::Add, b.scaled(i, 16), b.scaled(j, 128));
      const RegisterId bytes = b.scaled(b.resize(Opcode::SignExtend, b.binary(Opcode::Sub, up, down), 64), 8);
      b.access(AddressSpace::Shared, Operation::Store, 64,
               b.binary(Opcode::Add, b.shared_address(array), b.binary(Opcode::And, bytes, b.constant(8184, 64))));
    });
  });
  Launch launch;
  launch.grid = {13, 1, 1};
  launch.block = {48, 1, 1};
  for (const std::uint64_t steps : {200, 1'000, 4'000, 16'000, 64'000}) {
    SimulationOptions few;
    few.max_steps = steps;
    for (const Problem &problem : simulate(b.program, launch, *find_architecture("sm_90"), few).problems)
      EXPECT_NE(problem.kind, Problem::Kind::OutOfBounds) << steps << ": " << problem.message;
  }
}

/// for (i < n) for (j <= i): as many steps for a large n as for a small one.
TEST(SimulateClasses, TrianglesAreFlat) {
  const auto steps = [](unsigned n) {
    ProgramBuilder b;
    const RegisterId zero = b.constant(0), one = b.constant(1), thread = b.special(SpecialRegister::ThreadX);
    b.loop(zero, one, b.constant(n), [&](RegisterId i, RegisterId) {
      b.loop(zero, one, b.binary(Opcode::Add, i, one), [&](RegisterId j, RegisterId) {
        const RegisterId index = b.binary(Opcode::Add, thread, b.binary(Opcode::Add, j, b.scaled(i, 2)));
        b.access(AddressSpace::Global, Operation::Load, 32,
                 b.binary(Opcode::Add, b.constant(1 << 30, 64), b.scaled(b.resize(Opcode::ZeroExtend, index, 64), 4)));
      });
    });
    Launch launch;
    launch.block = {32, 1, 1};
    const SimulationResult result = simulate(b.program, launch, *find_architecture("sm_90"), {});
    EXPECT_EQ(result.sites[0].verdict, Verdict::Exact);
    EXPECT_EQ(result.sites[0].counts.requests, std::uint64_t{n} * (n + 1) / 2);
    // The first lane is at word j + 2 * i of a line of 32: five sectors instead of four unless that is a multiple of 8.
    std::uint64_t sectors = 0;
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j <= i; ++j)
        sectors += (j + 2 * i) % 8 ? 5 : 4;
    EXPECT_EQ(result.sites[0].counts.sectors, sectors);
    return result.steps;
  };
  EXPECT_EQ(steps(100), steps(3000));
}

/// With values in memory and values that nobody knows, the fast path may give up more often, but never claims anything else.
TEST(SimulateClasses, ClaimsNothingElseWithValuesInMemory) {
  const Architecture &sm90 = *find_architecture("sm_90");
  const auto [first_seed, last_seed] = seeds();
  unsigned known = 0, given_up = 0;
  for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
    const RandomKernel kernel(seed, true);
    const Program program = kernel.program();
    ASSERT_EQ(verify(program), "") << "seed " << seed;
    SimulationOptions slow;
    slow.classes = false;
    slow.max_steps = 3'000'000;
    const SimulationResult reference = simulate(program, kernel.launch(), sm90, slow);
    bool complete = true;
    for (const Problem &p : reference.problems)
      complete &= p.kind != Problem::Kind::Budget;
    if (!complete)
      continue;
    const SimulationResult fast = simulate(program, kernel.launch(), sm90, {});
    for (std::size_t s = 0; s < program.sites.size(); ++s) {
      if (fast.sites[s].verdict == Verdict::Unknown) {
        given_up += reference.sites[s].verdict != Verdict::Unknown;
        continue;
      }
      ++known;
      ASSERT_NE(reference.sites[s].verdict, Verdict::Unknown)
          << "seed " << seed << " site " << s << ": " << reference.sites[s].reason << "\n"
          << to_string(program);
      ASSERT_LE(fast.sites[s].counts.line_cycles, reference.sites[s].counts.line_cycles);
      ASSERT_EQ(figures_of(fast.sites[s].counts), figures_of(reference.sites[s].counts))
          << "seed " << seed << " site " << s << "\n fast: " << describe(fast.sites[s].counts)
          << "\n slow: " << describe(reference.sites[s].counts) << "\n"
          << to_string(program);
    }
    expect_the_same_with_few_steps(program, kernel.launch(), reference, seed);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  EXPECT_GT(known, last_seed - first_seed);
  EXPECT_LT(given_up, known / 10);
}

} // namespace
} // namespace smem
