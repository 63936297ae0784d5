// Votes, matches and reductions of masks of members, against each lane asking all others.
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "program_builder.h"
#include "smem/architecture.h"
#include "smem/trace.h"

namespace smem {
namespace {

struct Warp {
  unsigned lanes = 32; ///< in the block
  std::array<std::uint32_t, 32> members{}, value{};
};

/// Lanes fall into groups of their own, whatever these are.
Warp random_warp(std::mt19937 &random) {
  Warp warp;
  warp.lanes = random() % 4 ? 32 : 1 + random() % 32;
  const unsigned groups = 1 + random() % 5;
  std::array<unsigned, 32> group{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    group[lane] = random() % groups;
    warp.value[lane] = random() % 4;
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned other = 0; other < 32; ++other)
      warp.members[lane] |= (group[other] == group[lane] ? 1u : 0u) << other;
  return warp;
}

std::uint32_t expected(Opcode opcode, const Warp &warp, unsigned lane) {
  std::uint32_t holds = 0, same = 0, all = 0, sum = 0;
  for (unsigned other = 0; other < warp.lanes; ++other) {
    if (!(warp.members[lane] >> other & 1))
      continue;
    all |= 1u << other;
    holds |= (warp.value[other] & 1) << other;
    same |= (warp.value[other] == warp.value[lane] ? 1u : 0u) << other;
    sum += warp.value[other];
  }
  switch (opcode) {
  case Opcode::Ballot: return holds;
  case Opcode::VoteAll: return holds == all;
  case Opcode::VoteAny: return holds != 0;
  case Opcode::VoteUniform: return holds == all || !holds;
  case Opcode::MatchAny: return same;
  case Opcode::MatchAll: return same == all ? all : 0;
  default: return sum;
  }
}

/// A value of each lane, by selecting.
RegisterId per_lane(test::ProgramBuilder &b, const std::array<std::uint32_t, 32> &values) {
  const RegisterId lane = b.special(SpecialRegister::Lane);
  RegisterId value = b.constant(static_cast<std::int32_t>(values[0]));
  for (unsigned i = 1; i < 32; ++i)
    value =
        b.select(b.compare(Opcode::Eq, lane, b.constant(i)), b.constant(static_cast<std::int32_t>(values[i])), value);
  return value;
}

/// What lanes get is where they store, a word each, eight bits of it at a time.
std::vector<std::uint64_t> addresses(Opcode opcode, const Warp &warp, unsigned shift) {
  test::ProgramBuilder b;
  const unsigned array = b.shared_array(1024);
  const RegisterId value = per_lane(b, warp.value), members = per_lane(b, warp.members);
  const bool vote = opcode <= Opcode::VoteUniform, truth = vote && opcode != Opcode::Ballot;
  RegisterId result = b.emit(opcode, truth ? 1 : 32, {vote ? b.resize(Opcode::Truncate, value, 1) : value, members},
                             static_cast<std::int64_t>(Opcode::Add));
  if (truth)
    result = b.resize(Opcode::ZeroExtend, result, 32);
  const RegisterId part = b.binary(Opcode::And, b.binary(Opcode::LShr, result, b.constant(shift)), b.constant(0xff));
  const RegisterId at =
      b.binary(Opcode::Add, b.shared_address(array), b.resize(Opcode::ZeroExtend, b.scaled(part, 4), 64));
  b.access(AddressSpace::Shared, Operation::Store, 32, at);
  b.program.blocks[b.current].terminator.kind = TerminatorKind::Return;
  EXPECT_EQ(verify(b.program), "");
  Launch launch;
  launch.block = {warp.lanes, 1, 1};
  const Trace trace = trace_first_block(b.program, launch, *find_architecture("sm_90"));
  EXPECT_TRUE(trace.complete);
  std::vector<std::uint64_t> out;
  if (trace.requests.size() == 1)
    for (unsigned lane = 0; lane < warp.lanes; ++lane)
      out.push_back(trace.requests[0].request.address[lane]);
  return out;
}

TEST(Groups, AgreeWithEachLaneAskingAllOthers) {
  std::mt19937 random(20);
  for (unsigned round = 0; round < 200; ++round) {
    const Warp warp = random_warp(random);
    for (const Opcode opcode : {Opcode::Ballot, Opcode::VoteAll, Opcode::VoteAny, Opcode::VoteUniform, Opcode::MatchAny,
                                Opcode::MatchAll, Opcode::Reduce}) {
      const unsigned shift = 8 * (random() % 4);
      const std::vector<std::uint64_t> actual = addresses(opcode, warp, shift);
      ASSERT_EQ(actual.size(), warp.lanes);
      for (unsigned lane = 0; lane < warp.lanes; ++lane)
        ASSERT_EQ(actual[lane] + 4 * (expected(opcode, warp, 0) >> shift & 0xff),
                  actual[0] + 4 * (expected(opcode, warp, lane) >> shift & 0xff))
            << "round " << round << ", opcode " << static_cast<int>(opcode) << ", lane " << lane;
    }
  }
}

TEST(Groups, AreReducedByAnIntegerOperation) {
  const auto verified = [](std::int64_t joining) {
    test::ProgramBuilder b;
    b.emit(Opcode::Reduce, 32, {b.constant(1), b.constant(-1)});
    b.program.blocks[b.current].instructions.back().immediate = joining;
    b.program.blocks[b.current].terminator.kind = TerminatorKind::Return;
    return verify(b.program);
  };
  EXPECT_EQ(verified(static_cast<std::int64_t>(Opcode::Add)), "");
  for (const std::int64_t other : {static_cast<std::int64_t>(Opcode::FAdd), static_cast<std::int64_t>(Opcode::Constant),
                                   std::int64_t{228}, std::int64_t{-1}})
    EXPECT_NE(verified(other), "") << other;
}

TEST(Groups, AMaskWithoutTheLaneItselfIsNotKnown) {
  test::ProgramBuilder b;
  const unsigned array = b.shared_array(4096);
  const RegisterId lane = b.special(SpecialRegister::Lane);
  const RegisterId found =
      b.emit(Opcode::Ballot, 32, {b.compare(Opcode::ULt, lane, b.constant(4)), b.constant(0xffff)});
  b.access(AddressSpace::Shared, Operation::Store, 32,
           b.binary(Opcode::Add, b.shared_address(array),
                    b.resize(Opcode::ZeroExtend, b.scaled(b.binary(Opcode::And, found, lane), 4), 64)));
  b.program.blocks[b.current].terminator.kind = TerminatorKind::Return;
  Launch launch;
  launch.block = {32, 1, 1};
  EXPECT_EQ(simulate(b.program, launch, *find_architecture("sm_90")).sites[0].verdict, Verdict::Unknown);
}

} // namespace
} // namespace smem
