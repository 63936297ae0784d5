// Registers that share places: none is overwritten before its last reader, on random programs and on what is read beyond the block.
#include "register_places.h"

#include <gtest/gtest.h>

#include <random>

#include "program_builder.h"

namespace smem {
namespace {

using test::ProgramBuilder;

RegisterPlaces places_of(const Program &program) { return place_registers(program, analyze_control_flow(program)); }

/// Executes every block with names in place of values.
void expect_own_values(const Program &program, const RegisterPlaces &places) {
  std::vector<RegisterId> held(places.width.size(), kNone);
  std::vector<bool> alone(places.width.size());
  for (RegisterId r = 0; r < program.register_count; ++r) {
    ASSERT_LT(places.place[r], places.width.size());
    if (places.shared[r])
      continue;
    EXPECT_FALSE(alone[places.place[r]]) << "two registers have one place to themselves";
    alone[places.place[r]] = true;
    EXPECT_EQ(places.width[places.place[r]], program.register_width[r]);
  }
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &i : block.instructions) {
      for (const RegisterId r : i.operands)
        if (places.shared[r]) {
          EXPECT_EQ(held[places.place[r]], r);
        }
      if (i.opcode == Opcode::Memory) {
        const RegisterId address = program.memory_operations[i.index].address;
        if (places.shared[address]) {
          EXPECT_EQ(held[places.place[address]], address);
        }
      } else if (i.result != kNone) {
        if (places.shared[i.result]) {
          EXPECT_FALSE(alone[places.place[i.result]]);
        }
        for (const RegisterId r : i.operands)
          EXPECT_NE(places.place[r], places.place[i.result]) << "of an operand";
        held[places.place[i.result]] = i.result;
      }
    }
}

TEST(RegisterPlaces, NothingIsOverwrittenThatIsStillRead) {
  std::mt19937_64 random(20261123);
  std::size_t registers = 0, places = 0;
  for (int round = 0; round < 300; ++round) {
    ProgramBuilder b;
    b.shared_array(1 << 12);
    std::vector<RegisterId> values{b.special(SpecialRegister::ThreadX), b.shared_address(0)};
    values[0] = b.resize(Opcode::ZeroExtend, values[0], 64);
    const unsigned reach = 1 + static_cast<unsigned>(random() % 12), length = static_cast<unsigned>(random() % 120);
    for (unsigned i = 0; i < length; ++i) {
      const auto any = [&] {
        return values[values.size() - 1 - random() % std::min<std::size_t>(values.size(), reach)];
      };
      if (random() % 9 == 0)
        b.access(AddressSpace::Shared, Operation::Load, 32, any());
      else
        values.push_back(b.binary(random() % 2 ? Opcode::Add : Opcode::Xor, any(), any()));
    }
    const RegisterPlaces found = places_of(b.program);
    expect_own_values(b.program, found);
    registers += b.program.register_count;
    places += found.width.size();
  }
  EXPECT_LT(places, registers / 3);
}

TEST(RegisterPlaces, WhatOtherBlocksReadIsKept) {
  ProgramBuilder b;
  b.shared_array(1 << 12);
  const RegisterId thread = b.special(SpecialRegister::ThreadX), wide = b.resize(Opcode::ZeroExtend, thread, 64);
  const RegisterId base = b.shared_address(0), unread = b.binary(Opcode::Add, base, wide);
  const RegisterId condition = b.compare(Opcode::ULt, thread, b.constant(7));
  b.program.blocks.resize(3);
  b.program.blocks[0].terminator = {TerminatorKind::Branch, condition, {1, 2}, {}, {}, false};
  b.program.blocks[1].terminator = {TerminatorKind::Jump, kNone, {2}, {}, {}, false};
  Instruction later;
  later.opcode = Opcode::Add;
  later.width = 64;
  later.operands = {base, wide};
  later.result = b.fresh(64);
  b.program.blocks[1].instructions.push_back(later);
  const RegisterPlaces places = places_of(b.program);
  expect_own_values(b.program, places);
  EXPECT_FALSE(places.shared[wide]);
  EXPECT_FALSE(places.shared[base]);
  EXPECT_FALSE(places.shared[condition]);
  EXPECT_TRUE(places.shared[thread]);
  EXPECT_TRUE(places.shared[unread]);
  EXPECT_TRUE(places.shared[later.result]);
}

} // namespace
} // namespace smem
