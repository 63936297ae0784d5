// The fast path (classes of blocks, summarised loops) against executing everything one by one, on random programs.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>

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
    values_ = {b_.special(SpecialRegister::ThreadX), b_.special(SpecialRegister::ThreadY), b_.special(SpecialRegister::BlockX), b_.special(SpecialRegister::BlockY)};
    body(0);
    launch_.grid = {pick(1, 9), pick(1, 4), 1};
    launch_.block = {std::vector<std::uint32_t>{32, 16, 48, 64, 8, 33}[pick(0, 5)], pick(1, 3), 1};
  }
  Program program() const { return b_.program; }
  Launch launch() const { return launch_; }

private:
  unsigned pick(unsigned low, unsigned high) { return std::uniform_int_distribution<unsigned>(low, high)(random_); }

  RegisterId expression(unsigned depth) {
    if (depth == 0 || pick(0, 4) == 0) return pick(0, 3) == 0 ? b_.constant(pick(0, 70)) : values_[pick(0, static_cast<unsigned>(values_.size()) - 1)];
    const RegisterId a = expression(depth - 1);
    switch (pick(0, 13)) {
    case 0: case 1: case 2: return b_.binary(Opcode::Add, a, expression(depth - 1));
    case 3: return b_.binary(Opcode::Sub, a, expression(depth - 1));
    case 4: case 5: return b_.binary(Opcode::Mul, a, b_.constant(pick(1, 40)));
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
      b_.value_access(AddressSpace::Shared, Operation::Store, b_.binary(Opcode::Add, b_.shared_address(table_), masked(values_[0], 255)), expression(2));
      b_.barrier();
      values_.push_back(b_.value_access(AddressSpace::Shared, Operation::Load, b_.binary(Opcode::Add, b_.shared_address(table_), masked(expression(1), 255))));
      b_.barrier();
      break;
    case 1: { // a local array
      b_.value_access(AddressSpace::Local, Operation::Store, b_.binary(Opcode::Add, b_.local_address(local_), masked(expression(1), 63)), expression(2), false);
      values_.push_back(b_.value_access(AddressSpace::Local, Operation::Load, b_.binary(Opcode::Add, b_.local_address(local_), masked(expression(1), 63)), kNone, false));
      break;
    }
    case 2: // what comes from global memory is not known
      values_.push_back(b_.value_access(AddressSpace::Global, Operation::Load, b_.binary(Opcode::Add, b_.constant(1 << 30, 64), masked(pick(0, 1) ? expression(1) : b_.constant(5), 255))));
      break;
    default: // a shuffle
      values_.push_back(b_.emit(Opcode::Shuffle, 32, {expression(1), b_.constant(pick(0, 31)), b_.constant(31)}, static_cast<std::int64_t>(pick(0, 1) ? ShuffleMode::Index : ShuffleMode::Butterfly)));
    }
  }
  void body(unsigned depth) {
    const unsigned statements = pick(1, 3);
    const std::size_t outside = values_.size();
    if (with_memory_ && pick(0, 1)) travel();
    for (unsigned s = 0; s < statements; ++s) {
      const std::size_t known = values_.size();
      switch (depth < 3 ? pick(0, 3) : 0) {
      case 0: case 1: memory(); break;
      case 2: {
        const RegisterId from = pick(0, 2) ? b_.constant(pick(0, 3)) : expression(1);
        const RegisterId end = pick(0, 2) ? b_.constant(pick(1, 45)) : b_.binary(Opcode::And, expression(1), b_.constant(31));
        const auto inside = [&](RegisterId i, RegisterId extra) {
          values_.push_back(i);
          if (extra != kNone) values_.push_back(extra);
          body(depth + 1);
        };
        // Half of the loops also carry a buffer index, a halving stride, or the previous value of an expression.
        const unsigned kind = pick(0, 9);
        ProgramBuilder::Carried carried{kind < 5 ? b_.constant(kind < 3 ? 0 : 64) : kNone, [&](RegisterId now) {
                                          switch (kind) {
                                          case 0: return b_.binary(Opcode::Xor, now, b_.constant(1));
                                          case 1: return b_.binary(Opcode::Sub, b_.constant(1), now);
                                          case 2: return b_.binary(Opcode::URem, b_.binary(Opcode::Add, now, b_.constant(1)), b_.constant(3));
                                          case 3: return b_.binary(Opcode::LShr, now, b_.constant(1));
                                          default: return expression(2);
                                          }
                                        }};
        b_.loop(from, b_.constant(pick(1, 5)), end, inside, kind < 5 ? &carried : nullptr);
        break;
      }
      default:
        if (pick(0, 1)) b_.branch(condition(), [&] { body(depth + 1); });
        else b_.branch(condition(), [&] { body(depth + 1); values_.resize(known); }, [&] { body(depth + 1); });
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

std::string describe(const Counts &c) {
  std::ostringstream out;
  out << c.requests << " requests, " << c.wavefronts << "/" << c.ideal_wavefronts << " wavefronts, degree " << c.conflict_degree << ", " << c.sectors << "/" << c.ideal_sectors << " sectors, " << c.tags << " tags";
  return out.str();
}

/// What is known where steps are few, by quotients as symbols perhaps, is what is known anyway; how many such sites there are. Whether
/// an address that nobody knows is aligned is another matter.
unsigned expect_the_same_with_few_steps(const Program &program, const Launch &launch, const SimulationResult &reference, std::uint64_t seed) {
  unsigned known = 0;
  for (const std::uint64_t steps : {200, 1'000, 4'000, 16'000, 64'000}) {
    SimulationOptions few;
    few.max_steps = steps;
    const SimulationResult result = simulate(program, launch, *find_architecture("sm_90"), few);
    for (std::size_t s = 0; s < program.sites.size(); ++s) {
      if (result.sites[s].verdict == Verdict::Unknown || reference.sites[s].reason == "misaligned address") continue;
      ++known;
      EXPECT_NE(reference.sites[s].verdict, Verdict::Unknown) << "seed " << seed << " site " << s << " steps " << steps << ": " << reference.sites[s].reason;
      EXPECT_EQ(result.sites[s].counts, reference.sites[s].counts)
          << "seed " << seed << " site " << s << " steps " << steps << "\n few: " << describe(result.sites[s].counts) << "\n all: " << describe(reference.sites[s].counts) << "\n"
          << to_string(program);
    }
  }
  return known;
}

TEST(SimulateClasses, EqualsOneByOneExecution) {
  const Architecture &sm90 = *find_architecture("sm_90");
  unsigned compared = 0, summarised = 0, known_with_few_steps = 0;
  // SMEM_LINT_SEEDS=first:last runs a longer campaign.
  std::uint64_t first_seed = 1, last_seed = 500;
  if (const char *wish = std::getenv("SMEM_LINT_SEEDS")) std::sscanf(wish, "%lu:%lu", &first_seed, &last_seed);
  for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
    const RandomKernel kernel(seed);
    const Program program = kernel.program();
    ASSERT_EQ(verify(program), "") << "seed " << seed;
    SimulationOptions slow;
    slow.classes = false;
    slow.max_steps = 3'000'000;
    const SimulationResult reference = simulate(program, kernel.launch(), sm90, slow);
    bool complete = true;
    for (const Problem &p : reference.problems) complete &= p.kind != Problem::Kind::Budget;
    if (!complete) continue;
    const SimulationResult fast = simulate(program, kernel.launch(), sm90, {});
    ++compared;
    summarised += fast.steps < reference.steps;
    known_with_few_steps += expect_the_same_with_few_steps(program, kernel.launch(), reference, seed);
    ASSERT_FALSE(HasFailure());
    for (std::size_t s = 0; s < program.sites.size(); ++s) {
      ASSERT_EQ(fast.sites[s].verdict, reference.sites[s].verdict) << "seed " << seed << " site " << s << " fast: " << fast.sites[s].reason << " reference: " << reference.sites[s].reason;
      ASSERT_EQ(fast.sites[s].executed, reference.sites[s].executed) << "seed " << seed << " site " << s;
      if (reference.sites[s].verdict == Verdict::Unknown) continue; // misaligned by chance: counting stops there
      ASSERT_EQ(fast.sites[s].counts, reference.sites[s].counts)
          << "seed " << seed << " site " << s << "\n fast: " << describe(fast.sites[s].counts) << "\n slow: " << describe(reference.sites[s].counts) << "\n"
          << to_string(program);
    }
  }
  // The comparison means something only if most kernels are compared and most of them take the fast path.
  EXPECT_GT(compared, (last_seed - first_seed) / 2);
  EXPECT_GT(summarised, compared / 2);
  EXPECT_GT(known_with_few_steps, compared);
}

/// With values in memory and values that nobody knows, the fast path may give up more often, but never claims anything else.
TEST(SimulateClasses, ClaimsNothingElseWithValuesInMemory) {
  const Architecture &sm90 = *find_architecture("sm_90");
  std::uint64_t first_seed = 1, last_seed = 500;
  if (const char *wish = std::getenv("SMEM_LINT_SEEDS")) std::sscanf(wish, "%lu:%lu", &first_seed, &last_seed);
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
    for (const Problem &p : reference.problems) complete &= p.kind != Problem::Kind::Budget;
    if (!complete) continue;
    const SimulationResult fast = simulate(program, kernel.launch(), sm90, {});
    expect_the_same_with_few_steps(program, kernel.launch(), reference, seed);
    ASSERT_FALSE(HasFailure());
    for (std::size_t s = 0; s < program.sites.size(); ++s) {
      if (fast.sites[s].verdict == Verdict::Unknown) {
        given_up += reference.sites[s].verdict != Verdict::Unknown;
        continue;
      }
      ++known;
      ASSERT_NE(reference.sites[s].verdict, Verdict::Unknown) << "seed " << seed << " site " << s << ": " << reference.sites[s].reason << "\n" << to_string(program);
      ASSERT_EQ(fast.sites[s].counts, reference.sites[s].counts)
          << "seed " << seed << " site " << s << "\n fast: " << describe(fast.sites[s].counts) << "\n slow: " << describe(reference.sites[s].counts) << "\n" << to_string(program);
    }
  }
  EXPECT_GT(known, last_seed - first_seed);
  EXPECT_LT(given_up, known / 10);
}

} // namespace
} // namespace smem
