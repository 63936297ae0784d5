// What users say about launches, and which launches follow from it.
#include "plan/kernel_names.h"
#include "plan/launch_comments.h"
#include "plan/launch_plan.h"
#include "plan/launch_spec.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

Program kernel(std::string name, unsigned line = 2) {
  Program program;
  program.kernel = std::move(name);
  program.mangled = "_Z" + program.kernel;
  program.location = {"/k.cu", line, 17};
  program.parameters = {{"out", "float *", 8, true}, {"n", "int", 4, false}, {"scale", "float", 4, false}};
  program.blocks.resize(1);
  return program;
}

void use_argument(Program &program, std::uint32_t index, std::uint8_t width) {
  Instruction instruction;
  instruction.opcode = Opcode::Argument;
  instruction.index = index;
  instruction.width = width;
  program.blocks[0].instructions.push_back(instruction);
}

void use_special(Program &program, SpecialRegister special) {
  Instruction instruction;
  instruction.opcode = Opcode::Special;
  instruction.immediate = static_cast<std::int64_t>(special);
  program.blocks[0].instructions.push_back(instruction);
}

const Architecture &sm90() { return *find_architecture("sm_90"); }

TEST(Integers, InTheSpellingsOfCpp) {
  EXPECT_EQ(parse_integer("4096"), 4096);
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_EQ(parse_integer("0x10"), 16);
  EXPECT_EQ(parse_integer("0b101"), 5);
  EXPECT_EQ(parse_integer("1'048'576"), 1048576);
  for (const char *wrong : {"", "-", "0x", "12a", "1.5", "9223372036854775808", "'1", "1'"})
    EXPECT_EQ(parse_integer(wrong), std::nullopt) << wrong;
}

TEST(LaunchOption, ReadsKernelShapeAndValues) {
  const ParsedWish parsed = parse_launch_option("ns::kernel<float, 32>:block=(32, 8) grid=128 dynamic=4096 N=0x1000");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.wish.kernel, "ns::kernel<float, 32>");
  EXPECT_EQ(parsed.wish.block, (Dim3{32, 8, 1}));
  EXPECT_EQ(parsed.wish.grid, (Dim3{128, 1, 1}));
  EXPECT_EQ(parsed.wish.dynamic_shared_bytes, 4096u);
  ASSERT_EQ(parsed.wish.scalars.size(), 1u);
  EXPECT_EQ(parsed.wish.scalars[0].second, 4096);
  EXPECT_EQ(parse_launch_option("block=64").wish.kernel, "");
  const ParsedWish of_template = parse_launch_option("ns::kernel<float, 32>:"); // which says what to instantiate
  EXPECT_EQ(of_template.error, "");
  EXPECT_EQ(of_template.wish.kernel, "ns::kernel<float, 32>");
}

TEST(LaunchOption, RefusesWhatItCannotRead) {
  for (const char *wrong : {"", "kernel:", "block", "block=", "block=(1,2,3,4)", "block=(0)", "block=(1,2", "block=-1",
                            "N=x", "1=2", "dynamic=-1", "N=1 N=2", "block=99999999999", "kernel: :block=4", "a: b:N=1"})
    EXPECT_NE(parse_launch_option(wrong).error, "") << wrong;
  EXPECT_NE(parse_set_option("block=32").error, "");
  EXPECT_NE(parse_set_option("A=1 B=2").error, "");
  EXPECT_EQ(parse_set_option("A=1").error, "");
}

TEST(LaunchOption, ReadsFacts) {
  for (const char *text : {"k:N % 32 == 0 N >= 1024 M<7 block=64", "k:N%32==0 N>=1024 M < 7 block=64"}) {
    const ParsedWish parsed = parse_launch_option(text);
    ASSERT_EQ(parsed.error, "") << text;
    EXPECT_EQ(parsed.wish.kernel, "k");
    EXPECT_EQ(parsed.wish.block, (Dim3{64, 1, 1}));
    ASSERT_EQ(parsed.wish.facts.size(), 2u);
    EXPECT_EQ(to_string(parsed.wish.facts[0].second, "N"), "N % 32 == 0, N >= 1024");
    EXPECT_EQ(to_string(parsed.wish.facts[1].second, "M"), "M <= 6");
    EXPECT_EQ(launch_option_text(parsed.wish), "k:block=(64,1,1) N%32==0 N>=1024 M<=6");
    EXPECT_EQ(parse_launch_option(launch_option_text(parsed.wish)).wish.facts, parsed.wish.facts);
  }
  const ParsedWish open = parse_launch_option("N=? grid=?");
  ASSERT_EQ(open.error, "");
  EXPECT_TRUE(open.wish.grid_open);
  ASSERT_EQ(open.wish.facts.size(), 1u);
  EXPECT_TRUE(open.wish.facts[0].second.empty());
  EXPECT_EQ(parse_set_option("N % 4 == 1").error, "");
}

TEST(LaunchOption, RefusesFactsThatAreNone) {
  for (const char *wrong : {"N % 32", "N % 32 == 40", "N % 0 == 0", "N % -4 == 0", "N % 99999999 == 0", "N == 5",
                            "N % 32 = 0", "N >= x", "N >=", "% 32 == 0", "block % 32 == 0", "grid >= 4",
                            "N >= 5 N <= 4", "N % 2 == 0 N % 4 == 1", "block=?", "5 < N"})
    EXPECT_NE(parse_launch_option(wrong).error, "") << wrong;
  EXPECT_NE(parse_set_option("grid=?").error, "");
  EXPECT_NE(parse_set_option("N >= 5 M >= 6").error, "");
}

TEST(Wishes, MatchNamesWithAndWithoutArguments) {
  const Program program = kernel("ns::transpose<float, 32>");
  for (const char *glob :
       {"", "transpose", "ns::transpose", "trans*", "transpose<float, 32>", "ns::transpose<float*", "*"}) {
    LaunchWish wish;
    wish.kernel = glob;
    EXPECT_TRUE(wish_matches(wish, program)) << glob;
  }
  LaunchWish other;
  other.kernel = "trans";
  EXPECT_FALSE(wish_matches(other, program));
}

TEST(KernelNames, TypesGoByAnyOfTheirNames) {
  const Program norm = kernel("ops::norm<__half, unsigned int, long, 32>");
  for (const char *name : {"norm<half,uint32_t,int64_t,32>", "ops::norm<__half, unsigned, long, 32>", "norm<half,*>"})
    EXPECT_TRUE(kernel_matches(name, norm)) << name;
  for (const char *name : {"norm<half2,*>", "norm<half,int32_t,*>", "norm<half,uint64_t,*>"})
    EXPECT_FALSE(kernel_matches(name, norm)) << name;
  EXPECT_TRUE(kernel_matches("load<uint8_t>", kernel("load<unsigned char>")));
  EXPECT_TRUE(kernel_matches("scale<float, 32>", kernel("scale<float, (short)32>")));
  EXPECT_TRUE(kernel_matches("scale<-4,8>", kernel("scale<(signed char)-4, 8U>")));
  EXPECT_FALSE(kernel_matches("scale<float, 3>", kernel("scale<float, (short)32>")));
  EXPECT_FALSE(kernel_matches("apply<Op>", kernel("apply<(anonymous namespace)::Op>")));
  EXPECT_FALSE(kernel_matches("__half", kernel("half"))); // a kernel of that name is no type
  EXPECT_TRUE(kernel_matches("half", kernel("half<4>")));
}

TEST(Comments, BelongToTheKernelBelowOrOnTheLine) {
  const std::string text = "// smem-lint: launch block=32 n=7\n"
                           "__global__ void a(float *out, int n, float scale) {}\n"
                           "__global__ void b(float *out, int n, float scale) { // smem-lint: launch grid=3\n"
                           "}\n"
                           "/* smem-lint: launch block=(8,8) */\n"
                           "template <int N>\n"
                           "__global__ void c(float *out, int n,\n"
                           "                  float scale) {}\n";
  const std::vector<Program> programs{kernel("a", 2), kernel("b", 3), kernel("c<1>", 7), kernel("c<2>", 7)};
  const LaunchComments found = find_launch_comments("/k.cu", text, programs);
  EXPECT_TRUE(found.diagnostics.empty());
  ASSERT_EQ(found.comments.size(), 3u);
  EXPECT_EQ(found.comments[0].programs, (std::vector<std::size_t>{0}));
  EXPECT_EQ(found.comments[1].programs, (std::vector<std::size_t>{1}));
  EXPECT_EQ(found.comments[2].programs, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(found.comments[2].wish.block, (Dim3{8, 8, 1}));
  EXPECT_EQ(found.comments[0].location.line, 1u);
}

TEST(Comments, WrongOnesAreSaidSoWithTheirPlace) {
  const std::string text = "// smem-lint: launch block=32 m=7\n"
                           "__global__ void a(float *out, int n, float scale) {}\n"
                           "// smem-lint: lauch block=32\n"
                           "// smem-lint: launch block=32\n"
                           "int x;\n"
                           "const char *s = \"smem-lint: launch\";\n";
  const LaunchComments found = find_launch_comments("/k.cu", text, {kernel("a", 2)});
  EXPECT_TRUE(found.comments.empty());
  ASSERT_EQ(found.diagnostics.size(), 3u);
  EXPECT_EQ(found.diagnostics[0].message, "'m' is no parameter of a; did you mean 'n'?");
  EXPECT_EQ(found.diagnostics[1].message, "unknown smem-lint comment 'lauch'; did you mean 'launch'?");
  EXPECT_EQ(found.diagnostics[2].severity, Diagnostic::Severity::Warning);
  EXPECT_EQ(found.diagnostics[2].location.line, 4u);
}

TEST(Comments, WhatLacksAColonIsSaid) {
  const std::string text = "// smem-lint launch block=32 n=7\n"
                           "__global__ void a(float *out, int n, float scale) {} // smem-lint launches it with n=7\n"
                           "// smem-lint: launch block=32 zzzzzzzz=7\n"
                           "// smem-lint: launch block=32 block=64\n"
                           "__global__ void b(float *out, int n, float scale) {}\n";
  const LaunchComments found = find_launch_comments("/k.cu", text, {kernel("a", 2), kernel("b", 5)});
  EXPECT_TRUE(found.comments.empty());
  ASSERT_EQ(found.diagnostics.size(), 3u);
  EXPECT_EQ(found.diagnostics[0].message,
            "this comment says nothing to smem-lint without a colon: write `smem-lint: launch block=32 n=7`");
  EXPECT_EQ(found.diagnostics[0].severity, Diagnostic::Severity::Warning);
  EXPECT_EQ(found.diagnostics[1].message,
            "'zzzzzzzz' is no parameter of b; what can be stated: out, n, scale, block, grid, dynamic");
  EXPECT_EQ(found.diagnostics[2].message, "launch comment: 'block' is given twice");
}

TEST(Plan, NothingKnownIsAssumedAndNamed) {
  Program program = kernel("k");
  use_argument(program, 0, 64);
  use_argument(program, 1, 32);
  const auto planned = plan_launches(program, {}, sm90());
  ASSERT_EQ(planned.size(), 1u);
  ASSERT_GT(planned[0].candidates.size(), 1u);
  const Launch &launch = planned[0].candidates[0];
  EXPECT_EQ(launch.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(launch.shape_provenance, Provenance::Assumed);
  EXPECT_EQ(launch.assumptions, (std::vector<Assumption>{{"block=(256,1,1): no launch found"},
                                                         {"grid=(64,1,1): no launch found"},
                                                         {"n=1024: not known from the source", 1}}));
  ASSERT_EQ(launch.arguments.size(), 2u);
  EXPECT_EQ(launch.arguments[0].alignment, 256u);
  EXPECT_EQ(launch.arguments[1].value, 1024);
  EXPECT_EQ(launch.arguments[1].provenance, Provenance::Assumed);
}

TEST(Plan, ArgumentsThatNoAddressNeedsAreNotAssumed) {
  const Program program = kernel("k");
  LaunchWish wish;
  wish.block = {32, 1, 1};
  wish.grid = {1, 1, 1};
  const std::vector<PlacedWish> wishes{{&wish, {}}};
  const auto planned = plan_launches(program, {.host = {}, .recorded = {}, .wishes = wishes}, sm90());
  ASSERT_EQ(planned[0].candidates.size(), 1u);
  EXPECT_TRUE(planned[0].candidates[0].assumptions.empty());
  EXPECT_EQ(planned[0].candidates[0].shape_provenance, Provenance::Option);
}

TEST(Plan, TwoDimensionalKernelsGetTheirTileForABlock) {
  Program program = kernel("k");
  use_special(program, SpecialRegister::ThreadY);
  use_special(program, SpecialRegister::BlockY);
  EXPECT_EQ(plan_launches(program, {}, sm90())[0].candidates[0].block, (Dim3{32, 8, 1}));
  program.shared_arrays = {{"tile", 16 * 17 * 4, 4, false, {}, "__shared__ float tile[T][T + 1]"}};
  const Launch launch = plan_launches(program, {}, sm90())[0].candidates[0];
  EXPECT_EQ(launch.block, (Dim3{16, 16, 1}));
  EXPECT_EQ(launch.grid, (Dim3{64, 64, 1}));
}

TEST(Plan, LaunchBoundsGiveTheBlock) {
  Program program = kernel("k");
  program.max_threads = 128;
  const Launch launch = plan_launches(program, {}, sm90())[0].candidates[0];
  EXPECT_EQ(launch.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(launch.shape_provenance, Provenance::LaunchBounds);
  EXPECT_FALSE(launch.assumptions.empty());
}

HostLaunch host(const Program &program, Dim3 grid, Dim3 block, std::optional<std::int64_t> n) {
  HostLaunch launch;
  launch.shape_known = true;
  launch.launch.mangled = program.mangled;
  launch.launch.grid = grid;
  launch.launch.block = block;
  launch.launch.arguments = {{1, 0, 32, false, n, 256, Provenance::HostCode}};
  return launch;
}

TEST(Plan, HostCodeIsTakenAndRepetitionsAreOne) {
  Program program = kernel("k");
  use_argument(program, 1, 32);
  const std::vector<HostLaunch> launches{host(program, {4, 1, 1}, {64, 1, 1}, 256),
                                         host(program, {4, 1, 1}, {64, 1, 1}, 256),
                                         host(program, {8, 1, 1}, {64, 1, 1}, 512)};
  const auto planned = plan_launches(program, {.host = launches, .recorded = {}, .wishes = {}}, sm90());
  ASSERT_EQ(planned.size(), 2u);
  EXPECT_EQ(planned[1].candidates[0].grid, (Dim3{8, 1, 1}));
  EXPECT_TRUE(planned[1].candidates[0].assumptions.empty());
}

TEST(Plan, WhatHostCodeDoesNotSayIsAssumedWithItsReason) {
  Program program = kernel("k");
  use_argument(program, 1, 32);
  HostLaunch launch = host(program, {1, 1, 1}, {64, 1, 1}, std::nullopt);
  launch.shape_known = false;
  launch.unknown = {"grid.x: depends on argv (line 12)", "argument 'n': depends on argv (line 12)"};
  const std::vector<HostLaunch> launches{launch};
  const Launch planned =
      plan_launches(program, {.host = launches, .recorded = {}, .wishes = {}}, sm90())[0].candidates[0];
  EXPECT_EQ(planned.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(planned.assumptions, (std::vector<Assumption>{{"grid=(64,1,1): depends on argv (line 12)"},
                                                          {"n=1024: depends on argv (line 12)", 1},
                                                          {"no values were found with which host code gets here"}}));
}

TEST(Plan, WhatHostCodeDeterminesIsNotAssumed) {
  Program program = kernel("k");
  use_argument(program, 1, 32);
  HostLaunch launch = host(program, {1, 1, 1}, {64, 1, 1}, std::nullopt);
  launch.unknown = {"argument 'n': depends on a loop whose iterations are not followed (line 12)"};
  ConsistentLaunch same;
  same.launch = launch.launch;
  same.grid_known = same.block_known = same.dynamic_known = true;
  same.lost = {{1, 0, "n", "depends on a loop whose iterations are not followed (line 12)"}};
  launch.consistent = {same};
  const std::vector<HostLaunch> launches{launch};
  const Launch planned =
      plan_launches(program, {.host = launches, .recorded = {}, .wishes = {}}, sm90())[0].candidates[0];
  EXPECT_EQ(planned.not_known,
            std::vector<std::string>{"n: depends on a loop whose iterations are not followed (line 12)"});
  EXPECT_TRUE(planned.assumptions.empty());
  for (const ArgumentValue &argument : planned.arguments)
    EXPECT_TRUE(argument.index != 1 || !argument.value);
}

TEST(Plan, OptionsBeatCommentsBeatHostCode) {
  Program program = kernel("k");
  use_argument(program, 1, 32);
  LaunchWish comment, option, value;
  comment.provenance = Provenance::Comment;
  comment.block = {32, 1, 1};
  comment.grid = {2, 1, 1};
  option.block = {128, 1, 1};
  value.scalars = {{"n", 99}};
  const std::vector<PlacedWish> wishes{{&option, {}}, {&value, {}}, {&comment, {"/k.cu", 1, 4}}};
  const std::vector<HostLaunch> launches{host(program, {4, 1, 1}, {64, 1, 1}, 256),
                                         host(program, {8, 1, 1}, {64, 1, 1}, 256)};
  const auto planned = plan_launches(program, {.host = launches, .recorded = {}, .wishes = wishes}, sm90());
  ASSERT_EQ(planned.size(), 1u); // the comment made the two the same
  const Launch &launch = planned[0].candidates[0];
  EXPECT_EQ(launch.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(launch.grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(launch.arguments.back().value, 99);
  EXPECT_EQ(launch.arguments.back().provenance, Provenance::Option);
}

TEST(Plan, SeveralLaunchOptionsAreSeveralLaunches) {
  const Program program = kernel("k");
  LaunchWish a, b;
  a.block = {32, 1, 1};
  b.block = {64, 1, 1};
  const std::vector<PlacedWish> wishes{{&a, {}}, {&b, {}}};
  EXPECT_EQ(plan_launches(program, {.host = {}, .recorded = {}, .wishes = wishes}, sm90()).size(), 2u);
}

TEST(Plan, UnknownDynamicMemoryIsWhatABlockGetsByDefault) {
  Program program = kernel("k");
  program.shared_arrays = {{"fixed", 1024, 4, false, {}, ""}, {"pool", 0, 4, true, {}, ""}};
  const Launch launch = plan_launches(program, {}, sm90())[0].candidates[0];
  EXPECT_GT(launch.dynamic_shared_bytes, 40000u);
  EXPECT_LE(launch.dynamic_shared_bytes + 1024, 49152u);
}

TEST(RecordedLaunch, TakesArgumentsOfTheHostLaunchThatMayBeIt) {
  Program program = kernel("k");
  use_argument(program, 1, 32);
  std::vector<HostLaunch> host(2);
  for (HostLaunch &launch : host) {
    launch.launch.mangled = program.mangled;
    launch.shape_known = true;
    launch.launch.block = {64, 1, 1};
  }
  host[0].launch.grid = {1, 1, 1};
  host[0].launch.arguments.push_back({.index = 1, .value = 10});
  host[1].launch.grid = {2, 1, 1};
  host[1].launch.arguments.push_back({.index = 1, .value = 20});
  const std::vector<RecordedLaunch> recorded{{{2, 1, 1}, {64, 1, 1}, 0, {"/m.jsonl", 2, 1}, {}}};
  const auto planned = plan_launches(program, {.host = host, .recorded = recorded, .wishes = {}}, sm90());
  ASSERT_EQ(planned.size(), 1u);
  const Launch &launch = planned[0].candidates[0];
  EXPECT_EQ(launch.shape_provenance, Provenance::Recorded);
  EXPECT_EQ(launch.location.line, 2u);
  EXPECT_EQ(launch.grid, (Dim3{2, 1, 1}));
  ASSERT_EQ(launch.arguments.size(), 1u);
  EXPECT_EQ(launch.arguments[0].value, 20);
  EXPECT_TRUE(launch.assumptions.empty());
}

TEST(RecordedLaunch, OfNoLaunchInHostCodeHasNoArguments) {
  Program program = kernel("k");
  use_argument(program, 0, 64);
  use_argument(program, 1, 32);
  HostLaunch other;
  other.launch.mangled = program.mangled;
  other.shape_known = true;
  other.launch.grid = {1, 1, 1};
  other.launch.arguments.push_back({.index = 1, .value = 10});
  const std::vector<RecordedLaunch> recorded{{{2, 1, 1}, {64, 1, 1}, 0, {}, {}}};
  const auto planned = plan_launches(program, {.host = {&other, 1}, .recorded = recorded, .wishes = {}}, sm90());
  ASSERT_EQ(planned.size(), 1u);
  EXPECT_EQ(planned[0].candidates[0].assumptions.size(), 1u); // n
  EXPECT_EQ(planned[0].pointer_assumptions.size(), 1u);       // out
}

/// Little-endian.
std::string bytes_of(std::uint64_t value, unsigned size) {
  std::string bytes;
  for (unsigned i = 0; i < size; ++i)
    bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

TEST(RecordedLaunch, HasItsOwnArguments) {
  Program program = kernel("k");
  use_argument(program, 0, 64);
  use_argument(program, 1, 32);
  HostLaunch host;
  host.launch.mangled = program.mangled;
  host.shape_known = true;
  host.launch.grid = {2, 1, 1};
  host.launch.block = {64, 1, 1};
  host.launch.arguments.push_back({.index = 1, .value = 10});
  const auto record = [](std::uint64_t out, std::uint64_t n) {
    return RecordedLaunch{{2, 1, 1}, {64, 1, 1}, 0, {}, {bytes_of(out, 8), bytes_of(n, 4), bytes_of(0, 4)}};
  };
  // The same again elsewhere in memory is no other launch, another offset or number is.
  const std::vector<RecordedLaunch> recorded{record(0x7f0000000210, 20), record(0x7f0000001010, 20),
                                             record(0x7f0000001014, 20), record(0, 0xffffffff)};
  const auto planned = plan_launches(program, {.host = {&host, 1}, .recorded = recorded, .wishes = {}}, sm90());
  ASSERT_EQ(planned.size(), 3u);
  const auto arguments = [&](std::size_t i) { return planned[i].candidates[0].arguments; };
  ASSERT_EQ(arguments(0).size(), 2u);
  EXPECT_TRUE(arguments(0)[0].pointer);
  EXPECT_EQ(arguments(0)[0].value, 0x10);
  EXPECT_EQ(arguments(0)[1].value, 20);
  EXPECT_EQ(arguments(0)[1].provenance, Provenance::Recorded);
  EXPECT_EQ(arguments(1)[0].value, 0x14);
  EXPECT_FALSE(arguments(2)[0].pointer); // null
  EXPECT_EQ(arguments(2)[1].value, -1);
  for (const PlannedLaunch &launch : planned) {
    EXPECT_TRUE(launch.candidates[0].assumptions.empty());
    EXPECT_TRUE(launch.pointer_assumptions.empty());
  }
}

TEST(RecordedLaunch, PiecesOfArgumentsAreReadAsFarAsTheyWereRecorded) {
  const RecordedLaunch launch{{}, {}, 0, {}, {bytes_of(0x0807060504030201, 8), bytes_of(0xff, 1)}};
  EXPECT_EQ(launch.argument(0, 0, 64), 0x0807060504030201u);
  EXPECT_EQ(launch.argument(0, 4, 32), 0x08070605u);
  EXPECT_EQ(launch.argument(0, 7, 8), 8u);
  EXPECT_EQ(launch.argument(1, 0, 1), 1u);
  EXPECT_EQ(launch.argument(0, 4, 64), std::nullopt);
  EXPECT_EQ(launch.argument(0, ~0ull, 8), std::nullopt);
  EXPECT_EQ(launch.argument(1, 0, 16), std::nullopt);
  EXPECT_EQ(launch.argument(2, 0, 8), std::nullopt);
}

} // namespace
} // namespace smem
