// What requests cost in all launches: single patterns, and random programs
// against executing them lane by lane.
#include <gtest/gtest.h>

#include <random>

#include "pattern_claims.h"
#include "program_builder.h"
#include "smem/architecture.h"
#include "smem/pattern.h"

namespace smem {
namespace {

using test::ProgramBuilder;

const Architecture &sm_90() { return *find_architecture("sm_90"); }

/// The pattern of a 32-bit access to shared memory at `array[index]`.
Pattern shared_pattern(const std::function<RegisterId(ProgramBuilder &)> &index,
                       Operation operation = Operation::Load) {
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(1 << 16, 128));
  const RegisterId offset = b.scaled(b.resize(Opcode::SignExtend, index(b), 64), 4);
  b.access(AddressSpace::Shared, operation, 32, b.binary(Opcode::Add, array, offset));
  return find_patterns(b.program, sm_90()).at(0);
}

Pattern global_pattern(const std::function<RegisterId(ProgramBuilder &)> &index) {
  ProgramBuilder b;
  const RegisterId pointer = b.argument(0, 64);
  const RegisterId offset = b.scaled(b.resize(Opcode::SignExtend, index(b), 64), 4);
  b.access(AddressSpace::Global, Operation::Load, 32, b.binary(Opcode::Add, pointer, offset));
  return find_patterns(b.program, sm_90()).at(0);
}

/// The cases of blocks whose rows are whole warps.
std::vector<PatternCase> of_whole_warps(const Pattern &pattern) {
  std::vector<PatternCase> cases = pattern.cases;
  std::erase_if(cases, [](const PatternCase &c) {
    return std::any_of(c.when.begin(), c.when.end(), [](const PatternCondition &w) {
      return w.kind == PatternCondition::Kind::Shape && !(w.shapes & 1);
    });
  });
  return cases;
}

RegisterId thread(ProgramBuilder &b) { return b.special(SpecialRegister::ThreadX); }

TEST(Pattern, ABroadcastIsFreeOfConflictsAlways) {
  const Pattern p = shared_pattern([](ProgramBuilder &b) { return b.argument(1); });
  EXPECT_EQ(p.verdict, PatternVerdict::Always);
  ASSERT_EQ(p.cases.size(), 1u);
  EXPECT_EQ(p.cases[0].wavefronts, 1u);
  EXPECT_TRUE(p.cases[0].when.empty());
}

TEST(Pattern, ARowIsFreeOfConflictsWhateverRowItIs) {
  const Pattern p =
      shared_pattern([](ProgramBuilder &b) { return b.binary(Opcode::Add, thread(b), b.scaled(b.argument(1), 17)); });
  const auto cases = of_whole_warps(p);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].wavefronts, 1u);
  EXPECT_FALSE(cases[0].at_most);
}

TEST(Pattern, AColumnOf32IsA32WayConflict) {
  const Pattern p =
      shared_pattern([](ProgramBuilder &b) { return b.binary(Opcode::Add, b.scaled(thread(b), 32), b.argument(1)); });
  const auto cases = of_whole_warps(p);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].conflict_degree, 32u);
}

TEST(Pattern, AnUnknownStrideIsASetOfCases) {
  const Pattern p = shared_pattern([](ProgramBuilder &b) { return b.binary(Opcode::Mul, thread(b), b.argument(1)); });
  const auto cases = of_whole_warps(p);
  ASSERT_EQ(cases.size(), 6u) << "1, 2, 4, 8, 16 and 32 ways";
  for (const PatternCase &c : cases)
    for (const PatternCondition &w : c.when)
      if (w.kind == PatternCondition::Kind::Argument) {
        const bool zero = std::find(w.values.begin(), w.values.end(), 0) != w.values.end();
        const bool odd = std::find(w.remainders.begin(), w.remainders.end(), 5u) != w.remainders.end();
        const bool whole = std::find(w.remainders.begin(), w.remainders.end(), 0u) != w.remainders.end();
        if (zero || odd) {
          EXPECT_EQ(c.wavefronts, 1u);
        }
        if (whole) {
          EXPECT_EQ(c.wavefronts, 32u);
        }
      }
}

TEST(Pattern, GlobalRowsDependOnTheAlignmentOfTheirFirstAddress) {
  const auto cases = of_whole_warps(global_pattern(thread));
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].sectors, 4u);
  EXPECT_EQ(cases[1].sectors, 5u);
  EXPECT_EQ(to_string(cases[0].when).find("address % 32 == 0") == std::string::npos, false);
}

TEST(Pattern, WhatIsLoadedIsNotClaimed) {
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(1 << 16, 128));
  const RegisterId own = b.scaled(b.resize(Opcode::ZeroExtend, thread(b), 64), 4);
  const RegisterId index =
      b.value_access(AddressSpace::Global, Operation::Load, b.binary(Opcode::Add, b.argument(0, 64), own));
  const SiteId site = b.access(AddressSpace::Shared, Operation::Load, 32,
                               b.binary(Opcode::Add, array, b.resize(Opcode::ZeroExtend, b.scaled(index, 4), 64)));
  const Pattern p = find_patterns(b.program, sm_90()).at(site);
  EXPECT_EQ(p.verdict, PatternVerdict::Data);
  EXPECT_TRUE(p.cases.empty());
  EXPECT_NE(p.reason, "");
}

TEST(Pattern, AUniformLoadIsLikeAnArgument) {
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(1 << 16, 128));
  const RegisterId row = b.value_access(AddressSpace::Global, Operation::Load, b.argument(0, 64));
  const RegisterId index = b.binary(Opcode::Add, b.scaled(row, 32), thread(b));
  const SiteId site = b.access(AddressSpace::Shared, Operation::Load, 32,
                               b.binary(Opcode::Add, array, b.resize(Opcode::ZeroExtend, b.scaled(index, 4), 64)));
  const auto cases = of_whole_warps(find_patterns(b.program, sm_90()).at(site));
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].wavefronts, 1u);
}

TEST(Pattern, ALoopOfUnknownLengthIsNoObstacle) {
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(1 << 16, 128));
  const RegisterId own = thread(b);
  b.loop(b.constant(0), b.constant(1), b.argument(1), [&](RegisterId i, RegisterId) {
    const RegisterId index = b.binary(Opcode::Add, b.scaled(i, 33), own);
    b.access(AddressSpace::Shared, Operation::Load, 32,
             b.binary(Opcode::Add, array, b.resize(Opcode::ZeroExtend, b.scaled(index, 4), 64)));
  });
  const auto cases = of_whole_warps(find_patterns(b.program, sm_90()).at(0));
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].wavefronts, 1u);
}

TEST(Pattern, WhatLanesCarryOutOfALoopAtDifferentTimesIsNotOneNumber) {
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(1 << 16, 128));
  RegisterId last = kNone;
  b.loop(b.constant(0), b.constant(1), b.binary(Opcode::And, thread(b), b.constant(7)),
         [&](RegisterId i, RegisterId) { last = i; });
  const SiteId site = b.access(AddressSpace::Shared, Operation::Load, 32,
                               b.binary(Opcode::Add, array, b.resize(Opcode::ZeroExtend, b.scaled(last, 128), 64)));
  for (const PatternCase &c : of_whole_warps(find_patterns(b.program, sm_90()).at(site)))
    EXPECT_TRUE(c.at_most);
}

/// Compares the claims with all values of argument 1 from `least` to `most`, of which `least_exact` at least have to have more than a bound.
void expect_quotients(const Pattern &pattern, const std::function<std::uint32_t(std::uint32_t, std::uint32_t)> &index,
                      std::uint32_t least, std::uint32_t most, unsigned least_exact) {
  const std::vector<PatternCase> cases = of_whole_warps(pattern);
  const Access access{.space = Space::Shared, .operation = Operation::Load, .width_bits = 32};
  unsigned exact = 0;
  for (std::uint32_t value = least; value <= most; ++value)
    for (std::uint32_t warp = 0; warp < 4; ++warp) {
      Request request;
      request.active = kFullMask;
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        request.address[lane] = 4ull * index(warp * 32 + lane, value);
      const RequestCost cost = evaluate(request, access, sm_90());
      unsigned apply = 0;
      for (const PatternCase &c : cases) {
        const auto argument = [&](const PatternCondition &) { return std::optional<std::int64_t>(value); };
        if (!std::all_of(c.when.begin(), c.when.end(), [&](const PatternCondition &w) {
              return test::holds(w, {128, 1, 1}, argument, request, nullptr);
            }))
          continue;
        ++apply;
        EXPECT_TRUE(c.at_most ? cost.wavefronts <= c.wavefronts : cost.wavefronts == c.wavefronts)
            << value << ": " << cost.wavefronts << " wavefronts, claimed " << c.wavefronts << " when "
            << to_string(c.when);
        exact += !c.at_most && warp == 0;
      }
      EXPECT_EQ(apply, 1u) << value << ": conditions exclude each other and leave nothing out";
    }
  EXPECT_GE(exact, least_exact);
}

TEST(Pattern, AQuotientByAnArgumentIsKnownForMultiplesOfTheLanesAndForSmallPowers) {
  const Pattern p = shared_pattern([](ProgramBuilder &b) {
    const RegisterId row = b.binary(Opcode::UDiv, thread(b), b.argument(1)),
                     column = b.binary(Opcode::URem, thread(b), b.argument(1));
    return b.binary(Opcode::Add, b.scaled(row, 36), column);
  });
  EXPECT_EQ(p.verdict, PatternVerdict::Cases);
  expect_quotients(p, [](std::uint32_t t, std::uint32_t n) { return t / n * 36 + t % n; }, 1, 300, 300 / 32 + 5);
}

TEST(Pattern, AnArgumentHalvedKeepsItsName) {
  const Pattern p = shared_pattern([](ProgramBuilder &b) {
    const RegisterId half = b.binary(Opcode::SDiv, b.argument(1), b.constant(2));
    return b.scaled(b.binary(Opcode::SRem, thread(b), half), 32);
  });
  EXPECT_EQ(p.verdict, PatternVerdict::Cases);
  expect_quotients(p, [](std::uint32_t t, std::uint32_t n) { return t % (n / 2) * 32; }, 2, 300, 2 * (300 / 64) + 5);
}

TEST(Pattern, AStrideOfHalfAnArgument) {
  const Pattern p = shared_pattern([](ProgramBuilder &b) {
    return b.binary(Opcode::Mul, thread(b), b.binary(Opcode::SDiv, b.argument(1), b.constant(2)));
  });
  EXPECT_EQ(p.verdict, PatternVerdict::Cases);
  expect_quotients(p, [](std::uint32_t t, std::uint32_t n) { return t * (n / 2); }, 1, 300, 300);
}

TEST(Pattern, TheTripCountOfAnUnrolledLoopIsTheSameInAllLanesWhereRowsAreWholeWarps) {
  // ((max(n, t + 32) + ~t) >> 5) & 3, as compilers have it
  const auto index = [](std::uint32_t t, std::uint32_t n) { return ((std::max(n, t + 32) + ~t) >> 5) & 3; };
  const Pattern p = shared_pattern([](ProgramBuilder &b) {
    const RegisterId t = b.special(SpecialRegister::Lane);
    const RegisterId most = b.binary(Opcode::SMax, b.argument(1), b.binary(Opcode::Add, t, b.constant(32)));
    const RegisterId rest = b.binary(Opcode::Add, most, b.binary(Opcode::Xor, t, b.constant(-1)));
    return b.scaled(b.binary(Opcode::And, b.binary(Opcode::LShr, rest, b.constant(5)), b.constant(3)), 32);
  });
  EXPECT_EQ(p.verdict, PatternVerdict::Cases);
  expect_quotients(p, [&](std::uint32_t t, std::uint32_t n) { return index(t % 32, n) * 32; }, 1, 300, 300 / 32);
}

TEST(Pattern, NoBoundIsPutOnAnAddressWhoseMemoryIsNotKnown) {
  ProgramBuilder b;
  const RegisterId offset = b.scaled(b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64), 4);
  b.access(AddressSpace::Generic, Operation::Load, 32, b.binary(Opcode::Add, b.argument(2, 64), offset));
  const Pattern p = find_patterns(b.program, sm_90()).at(0);
  EXPECT_EQ(p.verdict, PatternVerdict::Unknown) << "the space would be a guess";
  EXPECT_TRUE(p.cases.empty());
}

TEST(Pattern, NamesTheArgumentsThatItsAddressAndItsLanesAreMadeOf) {
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(1 << 16, 128));
  b.argument(4); // read, and of no account
  const RegisterId stride = b.binary(Opcode::And, b.argument(1), b.constant(3));
  b.loop(b.constant(0), b.constant(1), b.argument(2), [&](RegisterId i, RegisterId) {
    const RegisterId index = b.binary(Opcode::Add, b.binary(Opcode::Mul, thread(b), stride), i);
    b.access(AddressSpace::Shared, Operation::Load, 32,
             b.binary(Opcode::Add, array, b.resize(Opcode::ZeroExtend, b.scaled(index, 4), 64)));
  });
  const PatternInputs inputs = find_patterns(b.program, sm_90()).at(0).inputs;
  ASSERT_EQ(inputs.address.size(), 1u);
  EXPECT_EQ(inputs.address[0].argument, 1u);
  ASSERT_EQ(inputs.guards.size(), 1u);
  EXPECT_EQ(inputs.guards[0].argument, 2u);
  EXPECT_FALSE(inputs.grid_in_address || inputs.grid_in_guards);
}

TEST(Pattern, EitherOfTwoInstructions) {
  const Pattern row = shared_pattern([](ProgramBuilder &b) { return b.argument(1); });
  const Pattern column =
      shared_pattern([](ProgramBuilder &b) { return b.scaled(b.special(SpecialRegister::Lane), 32); });
  EXPECT_EQ(either(row, row), row);
  const Pattern both = either(row, column);
  EXPECT_EQ(both.verdict, PatternVerdict::Cases);
  EXPECT_EQ(both.cases.size(), row.cases.size() + column.cases.size());
  EXPECT_TRUE(std::ranges::all_of(both.cases, [](const PatternCase &c) {
    return std::ranges::count_if(c.when, is_of_some_copies) == 1;
  })) << "what the one costs the other does not";
  EXPECT_EQ(either(both, column), both);
  EXPECT_EQ(either(row, both), both);
  Pattern never;
  never.reached = false;
  EXPECT_EQ(either(never, row), row);
  EXPECT_EQ(either(row, never), row);
  Pattern data;
  data.verdict = PatternVerdict::Data;
  EXPECT_EQ(either(row, data).verdict, PatternVerdict::Data);
}

TEST(Pattern, EitherIsKnownWhereBothAre) {
  PatternCondition whole, line;
  whole.shapes = 1;
  line.shapes = 2;
  PatternCase one;
  one.wavefronts = one.ideal_wavefronts = one.conflict_degree = 1;
  Pattern everywhere, whole_only;
  everywhere.verdict = whole_only.verdict = PatternVerdict::Cases;
  everywhere.cases = {one};
  one.when = {whole};
  whole_only.cases = {one};
  whole_only.reason = "of other blocks it is not known";
  const Pattern both = either(everywhere, whole_only);
  EXPECT_EQ(both.cases, whole_only.cases);
  EXPECT_EQ(both.reason, whole_only.reason);
  EXPECT_EQ(either(whole_only, everywhere), both);
  Pattern line_only = whole_only;
  line_only.cases[0].when = {line};
  EXPECT_EQ(either(whole_only, line_only).verdict, PatternVerdict::Unknown);
}

TEST(Pattern, ShapesOfBlocks) {
  EXPECT_EQ(shape_of(64, 3, 1), BlockShape::WholeWarps);
  EXPECT_EQ(shape_of(48, 1, 1), BlockShape::Line);
  EXPECT_EQ(shape_of(16, 1, 1), BlockShape::Line);
  EXPECT_EQ(shape_of(16, 16, 1), BlockShape::Rows16);
  EXPECT_EQ(shape_of(8, 8, 2), BlockShape::Rows8);
  EXPECT_EQ(shape_of(8, 3, 1), BlockShape::Other);
  EXPECT_EQ(shape_of(16, 1, 2), BlockShape::Other) << "lane 16 is in the next plane";
  EXPECT_EQ(shape_of(48, 2, 1), BlockShape::Other);
}

/// A random expression over the thread, a uniform value and constants, as a
/// program and as a function of them.
class RandomIndex {
public:
  RandomIndex(std::mt19937 &random, ProgramBuilder &b) : random_(random), b_(b) {}

  using Function = std::function<std::uint32_t(std::uint32_t thread, std::uint32_t uniform)>;
  std::pair<RegisterId, Function> make(unsigned depth) {
    if (depth == 0) {
      switch (random_() % 4) {
      case 0: return {b_.special(SpecialRegister::ThreadX), [](std::uint32_t t, std::uint32_t) { return t; }};
      case 1: return {b_.argument(1), [](std::uint32_t, std::uint32_t u) { return u; }};
      case 2: return {b_.special(SpecialRegister::Lane), [](std::uint32_t t, std::uint32_t) { return t % 32; }};
      default: {
        const std::uint32_t c = random_() % 40;
        return {b_.constant(c), [c](std::uint32_t, std::uint32_t) { return c; }};
      }
      }
    }
    const auto [left, f] = make(depth - 1);
    const auto with_constant =
        [&](Opcode opcode, std::uint32_t c,
            std::uint32_t (*g)(std::uint32_t, std::uint32_t)) -> std::pair<RegisterId, Function> {
      return {b_.binary(opcode, left, b_.constant(static_cast<std::int32_t>(c))),
              [f = f, c, g](std::uint32_t t, std::uint32_t u) { return g(f(t, u), c); }};
    };
    switch (random_() % 13) {
    case 0:
      return with_constant(Opcode::Mul, 1 + random_() % 40, [](std::uint32_t x, std::uint32_t c) { return x * c; });
    case 1:
      return with_constant(Opcode::And, (2u << random_() % 6) - 1,
                           [](std::uint32_t x, std::uint32_t c) { return x & c; });
    case 2: return with_constant(Opcode::And, random_() % 64, [](std::uint32_t x, std::uint32_t c) { return x & c; });
    case 3: return with_constant(Opcode::LShr, random_() % 6, [](std::uint32_t x, std::uint32_t c) { return x >> c; });
    case 4: return with_constant(Opcode::Shl, random_() % 6, [](std::uint32_t x, std::uint32_t c) { return x << c; });
    case 5:
      return with_constant(Opcode::URem, 1 + random_() % 40, [](std::uint32_t x, std::uint32_t c) { return x % c; });
    case 6:
      return with_constant(Opcode::UDiv, 1 + random_() % 40, [](std::uint32_t x, std::uint32_t c) { return x / c; });
    case 7:
      return with_constant(Opcode::UMin, random_() % 64,
                           [](std::uint32_t x, std::uint32_t c) { return std::min(x, c); });
    default: break;
    }
    if (random_() % 6 == 0) {
      divides_ = true;
      const bool rest = random_() % 2;
      return {b_.binary(rest ? Opcode::URem : Opcode::UDiv, left, b_.argument(1)),
              [f = f, rest](std::uint32_t t, std::uint32_t u) { return rest ? f(t, u) % u : f(t, u) / u; }};
    }
    const auto [right, g] = make(depth - 1);
    switch (random_() % 7) {
    case 6:
      return {b_.binary(Opcode::UMax, left, right),
              [f = f, g = g](std::uint32_t t, std::uint32_t u) { return std::max(f(t, u), g(t, u)); }};
    case 0:
      return {b_.binary(Opcode::Xor, left, right),
              [f = f, g = g](std::uint32_t t, std::uint32_t u) { return f(t, u) ^ g(t, u); }};
    case 1:
      return {b_.binary(Opcode::Or, left, right),
              [f = f, g = g](std::uint32_t t, std::uint32_t u) { return f(t, u) | g(t, u); }};
    case 2:
      return {b_.binary(Opcode::Mul, left, right),
              [f = f, g = g](std::uint32_t t, std::uint32_t u) { return f(t, u) * g(t, u); }};
    case 3:
      return {b_.select(b_.compare(Opcode::ULt, left, right), left, right),
              [f = f, g = g](std::uint32_t t, std::uint32_t u) { return std::min(f(t, u), g(t, u)); }};
    case 4:
      return {b_.select(b_.compare(Opcode::Eq, left, right), right, left),
              [f = f](std::uint32_t t, std::uint32_t u) { return f(t, u); }};
    default:
      return {b_.binary(Opcode::Add, left, right),
              [f = f, g = g](std::uint32_t t, std::uint32_t u) { return f(t, u) + g(t, u); }};
    }
  }

  /// By the uniform value, which must not be zero then.
  bool divides() const { return divides_; }

private:
  std::mt19937 &random_;
  ProgramBuilder &b_;
  bool divides_ = false;
};

TEST(Pattern, RandomIndicesCostWhatIsClaimed) {
  std::mt19937 random(20);
  std::uint64_t claims = 0, exact = 0;
  for (unsigned round = 0; round < 2500; ++round) {
    ProgramBuilder b;
    const bool global = random() % 2;
    RandomIndex indices(random, b);
    const auto [index, f] = indices.make(1 + random() % 3);
    const std::uint32_t width = 32u << random() % 3, bytes = width / 8;
    const RegisterId base = global ? b.argument(0, 64) : b.shared_address(b.shared_array(1 << 16, 128));
    const RegisterId few = b.binary(Opcode::And, index, b.constant(1023));
    const bool limited = random() % 3 == 0;
    const RegisterId offset = b.scaled(b.resize(Opcode::ZeroExtend, limited ? few : index, 64), bytes);
    const Operation operation = random() % 2 ? Operation::Load : Operation::Store;
    const SiteId site = b.access(global ? AddressSpace::Global : AddressSpace::Shared, operation, width,
                                 b.binary(Opcode::Add, base, offset));
    const Access access = b.program.sites[site].access;
    const Pattern pattern = find_patterns(b.program, sm_90()).at(site);
    if (pattern.cases.empty())
      continue;
    for (unsigned launch = 0; launch < 12; ++launch) {
      static constexpr std::uint32_t kBlocks[][2] = {{32, 1}, {128, 2}, {16, 4}, {8, 8},
                                                     {4, 16}, {48, 1},  {20, 3}, {7, 9}};
      const auto &shape = kBlocks[random() % std::size(kBlocks)];
      const Dim3 block{shape[0], shape[1], 1};
      const std::uint32_t uniform = random() % 2 ? random() % 70 : random() % 3000;
      if (indices.divides() && uniform == 0)
        continue;
      const std::uint64_t from = global ? std::uint64_t{bytes} * (random() % 64) : 0;
      const std::uint32_t warp = random() % static_cast<std::uint32_t>((block.count() + 31) / 32);
      Request request;
      std::uint32_t least = UINT32_MAX, most = 0;
      for (std::uint32_t lane = 0; lane < 32 && warp * 32 + lane < block.count(); ++lane)
        request.active |= 1u << lane;
      // Lane and ThreadX differ unless the block is a line of whole warps; such
      // programs are compared there alone.
      const bool reads_lane = std::any_of(
          b.program.blocks[0].instructions.begin(), b.program.blocks[0].instructions.end(), [](const Instruction &i) {
            return i.opcode == Opcode::Special && i.immediate == static_cast<std::int64_t>(SpecialRegister::Lane);
          });
      if (reads_lane && block.x % 32)
        continue;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (!(request.active >> lane & 1))
          continue;
        std::uint32_t value = f((warp * 32 + lane) % block.x, uniform);
        if (limited)
          value &= 1023;
        least = std::min(least, value);
        most = std::max(most, value);
        request.address[lane] = from + std::uint64_t{bytes} * value;
      }
      if (most - least >= 1u << 24)
        continue; // it wraps around
      const RequestCost one = evaluate(request, access, sm_90());
      PatternCase cost;
      if (global) {
        cost.sectors = one.sectors;
        cost.ideal_sectors = one.ideal_sectors;
      } else {
        cost.wavefronts = one.wavefronts;
        cost.ideal_wavefronts = one.ideal_wavefronts;
        cost.conflict_degree = one.conflict_degree;
      }
      const auto argument = [&](const PatternCondition &c) {
        return c.argument == 1 ? std::optional<std::int64_t>(uniform) : std::nullopt;
      };
      ++claims;
      ASSERT_TRUE(test::is_claimed(pattern, cost, block, argument, request))
          << "round " << round << " uniform " << uniform << " block " << block.x << "x" << block.y << " warp " << warp
          << " wavefronts " << one.wavefronts << " sectors " << one.sectors << "\n"
          << to_string(b.program);
      // A claim of other figures would not have passed.
      PatternCase other = cost;
      other.wavefronts += 40;
      other.sectors += 40;
      ASSERT_FALSE(test::is_claimed(pattern, other, block, argument, request));
      exact += !pattern.cases[0].at_most;
    }
  }
  EXPECT_GT(claims, 10000u);
  EXPECT_GT(exact, claims / 2);
}

} // namespace
} // namespace smem
