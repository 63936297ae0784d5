// Floating-point operations of programs: bit for bit what the hardware gives, or not known.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "program_builder.h"
#include "smem/simulate.h"
#include "smem/trace.h"

namespace smem {
namespace {

using test::ProgramBuilder;

Launch one_warp() {
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  return launch;
}

/// The bits of a value in each lane, read off addresses; nothing where a lane is not known.
std::optional<std::vector<std::uint64_t>> lanes_of(ProgramBuilder &b, RegisterId value) {
  const unsigned width = b.program.register_width[value];
  const RegisterId array = b.shared_address(b.shared_array(1 << 12));
  if (width < 64)
    value = b.resize(Opcode::ZeroExtend, value, 64);
  for (unsigned at = 0; at < width; at += 12) {
    const RegisterId piece =
        b.binary(Opcode::And, b.binary(Opcode::LShr, value, b.constant(at, 64)), b.constant(0xfff, 64));
    b.access(AddressSpace::Shared, Operation::Load, 8, b.binary(Opcode::Add, array, piece));
  }
  const std::string wrong = verify(b.program);
  EXPECT_EQ(wrong, "");
  const Trace trace = trace_first_block(b.program, one_warp(), *find_architecture("sm_90"));
  if (!trace.complete)
    return std::nullopt;
  std::vector<std::uint64_t> lanes(32);
  for (const TracedRequest &request : trace.requests)
    for (unsigned lane = 0; lane < 32; ++lane)
      lanes[lane] |= request.request.address[lane] << (12 * request.operation);
  return lanes;
}

using Bits = std::optional<std::uint64_t>;

Bits result(Opcode opcode, unsigned width, unsigned from, const std::vector<std::uint64_t> &operands,
            FloatMode mode = {}) {
  ProgramBuilder b;
  std::vector<RegisterId> registers;
  for (const std::uint64_t bits : operands)
    registers.push_back(
        b.constant(from == 32 ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits), from));
  const auto lanes = lanes_of(b, b.emit(opcode, width, registers, mode.pack()));
  return lanes ? Bits((*lanes)[0]) : std::nullopt;
}

std::uint64_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

template <typename T> Bits of(Opcode opcode, std::initializer_list<T> operands, FloatMode mode = {}) {
  std::vector<std::uint64_t> all;
  for (const T operand : operands)
    all.push_back(bits(operand));
  return result(opcode, 8 * sizeof(T), 8 * sizeof(T), all, mode);
}

Bits to_integer(Opcode opcode, unsigned width, float x) { return result(opcode, width, 32, {bits(x)}); }
Bits to_integer(Opcode opcode, unsigned width, double x) { return result(opcode, width, 64, {bits(x)}); }

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNoNumber = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t kHardwaresNoNumber = 0x7fffffff;

TEST(Floating, SumsProductsAndQuotientsRoundOnce) {
  EXPECT_EQ(of(Opcode::FAdd, {0.1f, 0.2f}), bits(0.1f + 0.2f));
  EXPECT_EQ(of(Opcode::FAdd, {0.1, 0.2}), bits(0.1 + 0.2));
  EXPECT_EQ(of(Opcode::FMul, {0.1f, 3.0f}), bits(0.1f * 3.0f));
  EXPECT_EQ(of(Opcode::FDiv, {1.0f, 3.0f}), bits(1.0f / 3.0f));
  EXPECT_EQ(of(Opcode::FSqrt, {2.0f}), bits(std::sqrt(2.0f)));
  EXPECT_EQ(of(Opcode::FSqrt, {2.0}), bits(std::sqrt(2.0)));
  EXPECT_EQ(of(Opcode::FSqrt, {-1.0f}), kHardwaresNoNumber);
  EXPECT_EQ(of(Opcode::FRem, {-7.5f, 2.0f}), bits(-1.5f));
}

TEST(Floating, AFusedSumRoundsOnce) {
  const float x = 1 + 0x1p-12f;
  EXPECT_EQ(of(Opcode::FFma, {x, x, -1.0f}), bits(0x1p-11f + 0x1p-24f));
  EXPECT_EQ(of(Opcode::FAdd, {x * x, -1.0f}), bits(0x1p-11f));
}

TEST(Floating, TheLesserIsTheOneThatIsANumber) {
  EXPECT_EQ(of(Opcode::FMin, {kNoNumber, 2.0f}), bits(2.0f));
  EXPECT_EQ(of(Opcode::FMax, {2.0f, kNoNumber}), bits(2.0f));
  EXPECT_EQ(of(Opcode::FMin, {0.0f, -0.0f}), bits(-0.0f));
  EXPECT_EQ(of(Opcode::FMax, {-0.0f, 0.0f}), bits(0.0f));
  EXPECT_EQ(of(Opcode::FMin, {kNoNumber, kNoNumber}), kHardwaresNoNumber);
}

TEST(Floating, WholeNumbersInEachDirection) {
  const auto whole = [](float x, Rounding rounding) { return of(Opcode::FRound, {x}, {rounding}); };
  EXPECT_EQ(whole(2.5f, Rounding::NearestEven), bits(2.0f));
  EXPECT_EQ(whole(2.5f, Rounding::NearestAway), bits(3.0f));
  EXPECT_EQ(whole(-2.5f, Rounding::TowardZero), bits(-2.0f));
  EXPECT_EQ(whole(-2.5f, Rounding::Down), bits(-3.0f));
  EXPECT_EQ(whole(-2.5f, Rounding::Up), bits(-2.0f));
  EXPECT_EQ(whole(0.49999997f, Rounding::NearestAway), bits(0.0f));
  EXPECT_EQ(whole(-0.2f, Rounding::Up), bits(-0.0f));
}

TEST(Floating, NumbersThatDoNotFitSaturate) {
  EXPECT_EQ(to_integer(Opcode::FToS, 32, 3e9f), 0x7fffffffu);
  EXPECT_EQ(to_integer(Opcode::FToS, 32, -3e9f), 0x80000000u);
  EXPECT_EQ(to_integer(Opcode::FToS, 32, -1.9f), 0xffffffffu);
  EXPECT_EQ(to_integer(Opcode::FToU, 32, 3e9f), 3000000000u);
  EXPECT_EQ(to_integer(Opcode::FToU, 32, -1.5f), 0u);
  EXPECT_EQ(to_integer(Opcode::FToU, 32, -0.5f), 0u);
  EXPECT_EQ(to_integer(Opcode::FToU, 32, kInfinity), 0xffffffffu);
  EXPECT_EQ(to_integer(Opcode::FToS, 64, -1e30), 0x8000000000000000u);
  EXPECT_EQ(to_integer(Opcode::FToU, 64, 1e19), 10000000000000000000u);
}

TEST(Floating, WhatIsNoNumberIsZeroOnlyIn32Bits) {
  // As an H100 printed it.
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_integer(Opcode::FToS, 32, kNoNumber), 0u);
  EXPECT_EQ(to_integer(Opcode::FToU, 32, kNoNumber), 0u);
  EXPECT_EQ(to_integer(Opcode::FToS, 64, kNoNumber), 0x8000000000000000u);
  EXPECT_EQ(to_integer(Opcode::FToU, 64, kNoNumber), 0x8000000000000000u);
  EXPECT_EQ(to_integer(Opcode::FToS, 32, none), 0x80000000u);
  EXPECT_EQ(to_integer(Opcode::FToU, 32, none), 0x80000000u);
  EXPECT_EQ(to_integer(Opcode::FToU, 64, none), 0x8000000000000000u);
  EXPECT_EQ(of(Opcode::FAdd, {none, 1.0}), std::nullopt) << "in 64 bits there are several";
}

TEST(Floating, WhatDoesNotFitANarrowIntegerIsNotKnown) {
  EXPECT_EQ(to_integer(Opcode::FToU, 8, 255.9f), 255u);
  EXPECT_EQ(to_integer(Opcode::FToU, 8, 256.0f), std::nullopt);
  EXPECT_EQ(to_integer(Opcode::FToS, 16, -32768.5f), 0x8000u);
  EXPECT_EQ(to_integer(Opcode::FToS, 16, -32769.0f), std::nullopt);
}

TEST(Floating, IntegersAreRoundedOnce) {
  const auto number = [](Opcode opcode, unsigned width, std::uint64_t value, unsigned from, Rounding rounding) {
    return result(opcode, width, from, {value}, {rounding});
  };
  EXPECT_EQ(number(Opcode::SToF, 32, 16777217, 32, Rounding::NearestEven), bits(16777216.0f));
  EXPECT_EQ(number(Opcode::SToF, 32, 16777217, 32, Rounding::Up), bits(16777218.0f));
  EXPECT_EQ(number(Opcode::UToF, 32, 0xffffffff, 32, Rounding::TowardZero), bits(4294967040.0f));
  EXPECT_EQ(number(Opcode::SToF, 32, static_cast<std::uint64_t>(-16777217), 32, Rounding::Down), bits(-16777218.0f));
  // Near the middle of two numbers of 32 bits: a detour by 64 bits would round twice.
  EXPECT_EQ(number(Opcode::SToF, 32, 0x4000004000000001, 64, Rounding::NearestEven), bits(0x1.000002p62f));
  EXPECT_EQ(number(Opcode::SToF, 64, 0x20000000000001, 64, Rounding::NearestEven), bits(0x1p53));
  EXPECT_EQ(number(Opcode::SToF, 64, 0x20000000000001, 64, Rounding::Up), std::nullopt);
}

TEST(Floating, NumbersOf16BitsAreTheSameInMore) {
  const auto single = [](std::uint64_t half) { return result(Opcode::FResize, 32, 16, {half}); };
  EXPECT_EQ(single(0x3c00), bits(1.0f));
  EXPECT_EQ(single(0xc500), bits(-5.0f));
  EXPECT_EQ(single(0x3555), bits(0x1.554p-2f));
  EXPECT_EQ(single(0x0000), bits(0.0f));
  EXPECT_EQ(single(0x8000), bits(-0.0f));
  EXPECT_EQ(single(0x0001), bits(0x1p-24f));
  EXPECT_EQ(single(0x03ff), bits(0x1.ff8p-15f));
  EXPECT_EQ(single(0x7bff), bits(65504.0f));
  EXPECT_EQ(single(0x7c00), bits(kInfinity));
  EXPECT_EQ(single(0xfc00), bits(-kInfinity));
  EXPECT_EQ(single(0x7e00), std::nullopt) << "which bits it has is not said";
  EXPECT_EQ(result(Opcode::FResize, 64, 16, {0xb800}), std::bit_cast<std::uint64_t>(-0.5));
}

TEST(Floating, DenormalsThatWouldBeFlushedAreNotKnown) {
  const FloatMode flushes{Rounding::NearestEven, true};
  EXPECT_EQ(of(Opcode::FMul, {0x1p-100f, 0x1p-40f}), bits(0x1p-140f));
  EXPECT_EQ(of(Opcode::FMul, {0x1p-100f, 0x1p-40f}, flushes), std::nullopt);
  EXPECT_EQ(of(Opcode::FAdd, {0x1p-140f, 1.0f}, flushes), std::nullopt);
  EXPECT_EQ(of(Opcode::FMul, {0x1p-63f, 0x1p-63f}, flushes), std::nullopt)
      << "the least normal number may have been rounded to";
  EXPECT_EQ(of(Opcode::FMul, {3.0f, 2.0f}, flushes), bits(6.0f));
  EXPECT_EQ(of(Opcode::FAdd, {0x1p-1040, 0x1p-1040}, flushes), bits(0x1p-1039)) << "not of 64 bits";
  EXPECT_EQ(result(Opcode::FToS, 32, 32, {bits(0x1p-140f)}, flushes), 0u);
}

/// The host's own arithmetic in that direction.
float hosts(Opcode opcode, float a, float b, float c, int direction) {
  std::fesetround(direction);
  volatile float x = a, y = b, z = c, made = 0;
  switch (opcode) {
  case Opcode::FAdd: made = x + y; break;
  case Opcode::FSub: made = x - y; break;
  case Opcode::FMul: made = x * y; break;
  default: made = std::fma(x, y, z); break;
  }
  std::fesetround(FE_TONEAREST);
  return made;
}

TEST(Floating, EveryDirectionAsTheHostRounds) {
  std::mt19937 random(7);
  constexpr std::pair<Rounding, int> directions[] = {{Rounding::NearestEven, FE_TONEAREST},
                                                     {Rounding::TowardZero, FE_TOWARDZERO},
                                                     {Rounding::Down, FE_DOWNWARD},
                                                     {Rounding::Up, FE_UPWARD}};
  unsigned known = 0;
  for (unsigned i = 0; i < 400; ++i) {
    // Exponents near each other, so that sums cancel and roundings matter.
    const auto number = [&] {
      return std::ldexp(static_cast<float>(random()) / 0x1p32f + 1, static_cast<int>(random() % 40) - 20) *
             (random() % 2 ? 1.0f : -1.0f);
    };
    const float a = number(), b = number(), c = i % 3 ? number() : -a * b;
    for (const Opcode opcode : {Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FFma})
      for (const auto &[rounding, direction] : directions) {
        const Bits made = opcode == Opcode::FFma ? of(opcode, {a, b, c}, {rounding}) : of(opcode, {a, b}, {rounding});
        if (!made)
          continue;
        ++known;
        ASSERT_EQ(made, bits(hosts(opcode, a, b, c, direction)))
            << a << ' ' << b << ' ' << c << " opcode " << static_cast<int>(opcode) << " direction " << direction;
      }
  }
  EXPECT_GT(known, 6000u);
}

TEST(Floating, ValuesThatDifferInALaneAreNotKnownThere) {
  ProgramBuilder b;
  const RegisterId lane = b.special(SpecialRegister::ThreadX);
  b.program.reasons.push_back("two ways");
  const auto agree = [&](RegisterId other) {
    const RegisterId made = b.emit(Opcode::Agree, 32, {lane, other});
    b.program.blocks.back().instructions.back().index = 0;
    return made;
  };
  const RegisterId third = b.compare(Opcode::Eq, lane, b.constant(3));
  const RegisterId value = agree(b.select(third, b.constant(7), lane));
  // Nobody looks at the lane that is not known.
  const auto lanes = lanes_of(b, b.binary(Opcode::Mul, b.select(third, b.constant(0), value), b.constant(2)));
  ASSERT_TRUE(lanes);
  EXPECT_EQ((*lanes)[3], 0u);
  EXPECT_EQ((*lanes)[5], 10u);
}

TEST(Floating, WhatWouldTakeTooLongLeavesTheRestKnown) {
  // An index that is another one in each block, and one that is none of floating point's business.
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(4096));
  const RegisterId lane = b.special(SpecialRegister::ThreadX),
                   thread = b.binary(Opcode::Add, b.scaled(b.special(SpecialRegister::BlockX), 32), lane);
  const RegisterId moved = b.emit(Opcode::FToS, 32, {b.emit(Opcode::SToF, 32, {thread})});
  const auto place = [&](RegisterId index) {
    return b.binary(Opcode::Add, array,
                    b.resize(Opcode::ZeroExtend, b.scaled(b.binary(Opcode::And, index, b.constant(1023)), 4), 64));
  };
  b.access(AddressSpace::Shared, Operation::Load, 32, place(moved));
  b.access(AddressSpace::Shared, Operation::Load, 32, place(lane));
  Launch launch = one_warp();
  launch.grid = {1000, 1, 1};
  SimulationOptions options;
  const SimulationResult all = simulate(b.program, launch, *find_architecture("sm_90"), options);
  EXPECT_EQ(all.sites[0].verdict, Verdict::Exact);
  EXPECT_EQ(all.sites[0].counts.requests, 1000u);
  options.max_steps = 1000;
  const SimulationResult some = simulate(b.program, launch, *find_architecture("sm_90"), options);
  EXPECT_EQ(some.sites[0].verdict, Verdict::Unknown);
  EXPECT_EQ(some.sites[1].verdict, Verdict::Exact) << some.sites[1].reason;
  EXPECT_EQ(some.sites[1].counts.requests, 1000u);
}

TEST(Floating, AProgramThatIsNoArithmeticIsRefused) {
  ProgramBuilder b;
  b.emit(Opcode::FAdd, 16, {b.constant(1, 16), b.constant(2, 16)});
  EXPECT_NE(verify(b.program), "");
  ProgramBuilder c;
  c.emit(Opcode::FAdd, 32, {c.constant(1), c.constant(2)}, FloatMode{Rounding::NearestAway}.pack());
  EXPECT_NE(verify(c.program), "");
  ProgramBuilder d;
  d.emit(Opcode::FFma, 32, {d.constant(1), d.constant(2), d.constant(3)}, FloatMode{Rounding::Up, true}.pack());
  EXPECT_EQ(verify(d.program), "");
  EXPECT_NE(to_string(d.program).find("ffma.up.flush"), std::string::npos) << to_string(d.program);
}

} // namespace
} // namespace smem
