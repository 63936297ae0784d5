// What a search for races need not do: what is not asked, and what another program has answered.
#include <gtest/gtest.h>

#include "program_builder.h"
#include "smem/race.h"

namespace smem {
namespace {

using test::ProgramBuilder;

/// All warps store the same words; then comes a loop of barriers.
Program racing_at_once(std::int64_t rounds) {
  ProgramBuilder b;
  b.shared_array(1024);
  const RegisterId lane = b.binary(Opcode::And, b.special(SpecialRegister::ThreadX), b.constant(31));
  const RegisterId address =
      b.binary(Opcode::Add, b.shared_address(0), b.resize(Opcode::ZeroExtend, b.scaled(lane, 4), 64));
  b.value_access(AddressSpace::Shared, Operation::Store, address, b.special(SpecialRegister::ThreadX));
  b.loop(b.constant(0), b.constant(1), b.constant(rounds), [&](RegisterId, RegisterId) { b.barrier(); });
  return b.program;
}

TEST(RaceSearch, EndsWithWhatIsAskedFor) {
  const Program program = racing_at_once(1000);
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {64, 1, 1};
  const Architecture &architecture = *find_architecture("sm_90");
  RaceOptions options;
  const Races all = find_races(program, launch, architecture, options);
  ASSERT_EQ(all.verdict(), RaceVerdict::Race);
  options.enough = [](const Races &found) { return !found.witnesses.empty(); };
  const Races first = find_races(program, launch, architecture, options);
  EXPECT_EQ(first.verdict(), RaceVerdict::Race);
  EXPECT_LT(first.steps * 50, all.steps);
  options.enough = [](const Races &found) { return found.witnesses.size() > 1; };
  EXPECT_EQ(find_races(program, launch, architecture, options).steps, all.steps);
}

TEST(RaceSearch, ProgramsAreAlikeIfSearchesAskForNothingElse) {
  const auto with = [](const std::string &type) {
    ProgramBuilder b;
    Parameter parameter;
    parameter.name = "data";
    parameter.type = type;
    parameter.size = 8;
    parameter.pointer = true;
    b.program.parameters.push_back(parameter);
    b.program.kernel = "of " + type;
    return b.program;
  };
  EXPECT_TRUE(alike(with("int *"), with("float *")));
  EXPECT_TRUE(races_alike(with("__half *"), with("__nv_bfloat16 *"))); // no numbers that values are assumed of
  EXPECT_TRUE(races_alike(with("int *"), with("const int *")));
  EXPECT_FALSE(races_alike(with("int *"), with("float *")));
  EXPECT_FALSE(races_alike(with("int *"), with("unsigned *")));
  EXPECT_FALSE(races_alike(with("int *"), with("int *__restrict")));
  EXPECT_FALSE(races_alike(with("int *"), with("int **")));
  Program other = with("int *");
  other.register_count = 1;
  EXPECT_FALSE(races_alike(with("int *"), other));
}

} // namespace
} // namespace smem
