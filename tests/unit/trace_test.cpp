// The requests of one block, one by one.
#include <gtest/gtest.h>

#include "program_builder.h"
#include "smem/trace.h"

namespace smem {
namespace {

using test::ProgramBuilder;

const Architecture &sm_90() { return *find_architecture("sm_90"); }

Launch launch_of(Dim3 grid, Dim3 block) {
  Launch launch;
  launch.grid = grid;
  launch.block = block;
  return launch;
}

/// for (i = 0; i < 4; ++i) load(array + 4 * thread + 128 * (i / 2))
Program loop_of_loads() {
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(4096));
  const RegisterId thread = b.resize(Opcode::ZeroExtend, b.special(SpecialRegister::ThreadX), 64);
  b.loop(b.constant(0), b.constant(1), b.constant(4), [&](RegisterId i, RegisterId) {
    const RegisterId half = b.resize(Opcode::ZeroExtend, b.binary(Opcode::LShr, i, b.constant(1)), 64);
    const RegisterId offset = b.binary(Opcode::Add, b.scaled(thread, 4), b.scaled(half, 128));
    b.access(AddressSpace::Shared, Operation::Load, 32, b.binary(Opcode::Add, array, offset));
  });
  return b.program;
}

TEST(Trace, EachRequestOnceWithHowOftenItWasMade) {
  const Trace trace = trace_first_block(loop_of_loads(), launch_of({7, 1, 1}, {32, 1, 1}), sm_90());
  ASSERT_TRUE(trace.complete);
  ASSERT_EQ(trace.requests.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(trace.requests[i].times, 2u);
    EXPECT_EQ(trace.requests[i].request.active, kFullMask);
    EXPECT_EQ(trace.requests[i].request.address[3], 12 + 128 * i);
  }
}

TEST(Trace, OfTheFirstBlockAllWarps) {
  const Trace trace = trace_first_block(loop_of_loads(), launch_of({1000, 1000, 1}, {48, 1, 1}), sm_90());
  ASSERT_EQ(trace.requests.size(), 4u);
  EXPECT_EQ(trace.requests[2].warp, 1u);
  EXPECT_EQ(trace.requests[2].request.active, 0xffffu);
  EXPECT_EQ(trace.requests[2].request.address[31], 0u) << "lanes that are not active have no address";
}

TEST(Trace, AnAddressThatIsNotKnownMakesItIncomplete) {
  ProgramBuilder b;
  const RegisterId array = b.shared_address(b.shared_array(4096));
  const RegisterId index = b.value_access(AddressSpace::Global, Operation::Load, b.argument(0, 64));
  b.access(AddressSpace::Shared, Operation::Load, 32,
           b.binary(Opcode::Add, array, b.resize(Opcode::ZeroExtend, b.scaled(index, 4), 64)));
  EXPECT_FALSE(trace_first_block(b.program, launch_of({1, 1, 1}, {32, 1, 1}), sm_90()).complete);
}

TEST(Trace, ABudgetThatRunsOutMakesItIncomplete) {
  SimulationOptions options;
  options.max_steps = 10;
  EXPECT_FALSE(trace_first_block(loop_of_loads(), launch_of({1, 1, 1}, {32, 1, 1}), sm_90(), options).complete);
}

TEST(Trace, ALaunchThatFailsHasNone) {
  const Trace trace = trace_first_block(loop_of_loads(), launch_of({1, 1, 1}, {2048, 1, 1}), sm_90());
  EXPECT_FALSE(trace.complete);
  EXPECT_TRUE(trace.requests.empty());
}

} // namespace
} // namespace smem
