// Which comparisons of floating-point numbers are left for the simulation to decide.
#include "program/forget_undecided.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>

#include "program_builder.h"
#include "smem/simulate.h"

namespace smem {
namespace {

using test::ProgramBuilder;
using Make = std::function<RegisterId(ProgramBuilder &b)>;

RegisterId number(ProgramBuilder &b, float value) { return b.constant(std::bit_cast<std::int32_t>(value)); }

/// a[i], by the kernel's first argument.
RegisterId data(ProgramBuilder &b) {
  return b.value_access(AddressSpace::Global, Operation::Load,
                        b.binary(Opcode::Add, b.argument(0, 64), b.constant(64, 64)));
}

/// A word of local memory, at a distance.
RegisterId local(ProgramBuilder &b, RegisterId distance) {
  const RegisterId at = b.binary(Opcode::Add, b.local_address(0), b.scaled(distance, 4));
  return b.value_access(AddressSpace::Local, Operation::Load, at, kNone, /*site=*/false);
}

RegisterId opaque(ProgramBuilder &b) {
  b.program.reasons.push_back("no model");
  const RegisterId result = b.emit(Opcode::Opaque, 32, {number(b, 1)});
  b.block().instructions.back().index = 0;
  return result;
}

/// The program whose only site is read where `number` is less than 2, once it has been through forget_undecided().
Program compared(const Make &number_of, Opcode opcode = Opcode::FLt) {
  ProgramBuilder b;
  b.program.parameters.push_back({"a", "float *", 8, true});
  b.program.parameters.push_back({"x", "float", 4});
  b.local_object(64);
  const RegisterId condition = b.compare(opcode, number_of(b), number(b, 2));
  b.branch(condition, [&] { b.access(AddressSpace::Global, Operation::Load, 32, b.argument(0, 64)); });
  EXPECT_EQ(verify(b.program), "");
  lower::forget_undecided(b.program);
  EXPECT_EQ(verify(b.program), "");
  return b.program;
}

bool has(const Program &program, Opcode opcode) {
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.opcode == opcode)
        return true;
  return false;
}

bool is_left(const Make &number_of, Opcode opcode = Opcode::FLt) { return has(compared(number_of, opcode), opcode); }

TEST(ForgetUndecided, WhatDataHaveAPartIn) {
  EXPECT_FALSE(is_left(data));
  EXPECT_FALSE(is_left([](ProgramBuilder &b) { return b.binary(Opcode::FMul, number(b, 0), data(b)); }));
  EXPECT_FALSE(is_left([](ProgramBuilder &b) {
    return b.emit(Opcode::FSqrt, 32, {b.binary(Opcode::FAdd, b.argument(1), b.emit(Opcode::SToF, 32, {data(b)}))});
  }));
  EXPECT_FALSE(is_left([](ProgramBuilder &b) {
    opaque(b); // whose reason it has
    const RegisterId agreed = b.emit(Opcode::Agree, 32, {number(b, 1), data(b)});
    b.block().instructions.back().index = 0;
    return agreed;
  }));
  EXPECT_FALSE(is_left([](ProgramBuilder &b) { return opaque(b); })) << "an operation without a model";
}

TEST(ForgetUndecided, WhatLiesWhereDataSay) {
  EXPECT_FALSE(is_left([](ProgramBuilder &b) {
    return local(b, b.resize(Opcode::SignExtend, b.binary(Opcode::Sub, data(b), b.constant(1)), 64));
  }));
  EXPECT_TRUE(is_left([](ProgramBuilder &b) { return local(b, b.constant(3, 64)); }));
  EXPECT_TRUE(is_left([](ProgramBuilder &b) {
    return local(b, b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64));
  }));
  EXPECT_TRUE(is_left([](ProgramBuilder &b) {
    return local(b, b.resize(Opcode::ZeroExtend, b.binary(Opcode::And, data(b), b.constant(0)), 64));
  })) << "the beginning, whatever the data are";
  EXPECT_TRUE(is_left([](ProgramBuilder &b) {
    return local(b, b.resize(Opcode::ZeroExtend, b.binary(Opcode::Mul, data(b), b.constant(0)), 64));
  }));
}

TEST(ForgetUndecided, WhatALaunchMaySay) {
  EXPECT_TRUE(is_left([](ProgramBuilder &b) { return b.argument(1); }));
  EXPECT_TRUE(is_left([](ProgramBuilder &b) {
    return b.binary(Opcode::FMul, b.emit(Opcode::UToF, 32, {b.special(SpecialRegister::ThreadX)}), b.argument(1));
  }));
  EXPECT_TRUE(is_left(data, Opcode::SLt)) << "a range may decide it";
  // A table, at the beginning or an argument further on.
  for (const bool further : {false, true})
    EXPECT_TRUE(is_left([&](ProgramBuilder &b) {
      GlobalObject table;
      table.name = "table";
      table.size = 64;
      table.alignment = 4;
      b.program.global_objects.push_back(table);
      RegisterId at = b.emit(Opcode::GlobalAddress, 64, {});
      b.block().instructions.back().index = 0;
      if (further)
        at = b.binary(Opcode::Add, at, b.resize(Opcode::ZeroExtend, b.argument(1), 64));
      return b.value_access(AddressSpace::Global, Operation::Load, at);
    }));
}

/// A sum over up to 10 iterations that begins with `first`.
Make sum_from(const Make &first, const Make &summand) {
  return [=](ProgramBuilder &b) {
    const RegisterId added = summand(b);
    RegisterId sum = kNone;
    const ProgramBuilder::Carried carried{first(b),
                                          [&](RegisterId before) { return b.binary(Opcode::FAdd, before, added); }};
    b.loop(
        b.constant(0), b.constant(1), b.constant(10), [&](RegisterId, RegisterId so_far) { sum = so_far; }, &carried);
    return sum;
  };
}

TEST(ForgetUndecided, WhatGoesRoundInALoop) {
  const Make known = [](ProgramBuilder &b) { return number(b, 1); };
  EXPECT_FALSE(is_left(sum_from(data, known)));
  EXPECT_FALSE(is_left(sum_from(data, data)));
  EXPECT_TRUE(is_left(sum_from(known, data))) << "of no iteration it is known";
  EXPECT_TRUE(is_left(sum_from(known, known)));
}

TEST(ForgetUndecided, NothingIsLeftOfWhatItWasComputedFrom) {
  const Program program = compared(data);
  EXPECT_TRUE(has(program, Opcode::Opaque));
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Opaque) {
        EXPECT_TRUE(instruction.operands.empty()) << "or two executions with the same operands are one number";
        EXPECT_LT(instruction.index, program.reasons.size());
      }
}

/// Whether it is executed is as little known as before.
TEST(ForgetUndecided, WhatItDecidesIsNotKnown) {
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {64, 1, 1};
  ArgumentValue pointer;
  pointer.pointer = true;
  pointer.width_bits = 64;
  ArgumentValue x;
  x.index = 1;
  x.value = std::bit_cast<std::int32_t>(1.5F);
  launch.arguments = {pointer, x};
  const auto guarded = [&](const Make &number_of) {
    return simulate(compared(number_of), launch, *find_architecture("sm_90")).sites.back();
  };
  EXPECT_EQ(guarded(data).verdict, Verdict::Unknown);
  launch.block = {1, 1, 1};
  EXPECT_EQ(guarded(data).verdict, Verdict::Unknown) << "one lane, in which nothing differs from lane to lane";
  launch.block = {64, 1, 1};
  const SiteResult known = guarded([](ProgramBuilder &b) { return b.argument(1); });
  EXPECT_NE(known.verdict, Verdict::Unknown);
  EXPECT_EQ(known.counts.requests, 8u);
}

} // namespace
} // namespace smem
