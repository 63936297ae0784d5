// Machine code as Programs: what is simulated of them.
#include "sass/lower_machine_code.h"
#include "sass/machine_logic.h"
#include "sass/settle.h"
#include "smem/floor.h"
#include "smem/simulate.h"
#include "smem/trace.h"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace smem::compiled {
namespace {

/// A kernel `f(int *p, int n, short s)` of these instructions, one a line.
struct Lowered {
  LoweredMachineCode code;
  SimulationResult result;
  ArithmeticWork arithmetic;
};

Lowered lower(const std::vector<std::string> &lines, std::int64_t n = 0, std::uint32_t threads = 32, std::int64_t s = 0,
              const std::string &before = {}) {
  std::string text = ".target sm_90\n" + before + ".section .text.f,\"ax\",@progbits\n//## File \"k.cu\", line 1\n";
  unsigned address = 0;
  for (const std::string &line : lines) {
    if (line.ends_with(":")) {
      text += line + "\n";
      continue;
    }
    char number[16];
    std::snprintf(number, sizeof number, "/*%04x*/ ", address);
    text += number + line + " ;\n";
    address += 16;
  }
  ParsedListing parsed = parse_listing(text);
  EXPECT_TRUE(parsed.listing) << parsed.error;
  parsed.listing->functions[0].parameters = {{0, 0}, {1, 8}, {2, 12}};
  Program source;
  source.kernel = source.mangled = "f";
  source.parameters = {{"p", "int *", 8, true}, {"n", "int", 4, false}, {"s", "short", 2, false}};
  MachineCodeOptions options;
  options.place = [](const std::vector<ListedPlace> &chain) {
    return chain.empty() ? SourceLocation{} : SourceLocation{chain[0].file, chain[0].line, 0};
  };
  options.has_uncertain_line = [](const ListedInstruction &) { return false; };
  Lowered lowered{lower_machine_code(*parsed.listing, parsed.listing->functions[0], source, options), {}, {}};
  if (!lowered.code.error.empty())
    return lowered;
  Launch launch;
  launch.block = {threads, 1, 1};
  ArgumentValue pointer;
  pointer.pointer = true;
  pointer.width_bits = 64;
  ArgumentValue scalar;
  scalar.index = 1;
  scalar.value = n;
  ArgumentValue small;
  small.index = 2;
  small.width_bits = 16;
  small.value = s;
  launch.arguments = {pointer, scalar, small};
  lowered.result = simulate(lowered.code.program, launch, *find_architecture("sm_90"));
  lowered.arithmetic = arithmetic_of(lowered.result, lowered.code.arithmetic.blocks);
  lowered.arithmetic += count_work(lowered.code.arithmetic.others, launch, *find_architecture("sm_90"), {}).work;
  return lowered;
}

SiteResult only_site(const Lowered &lowered) {
  EXPECT_EQ(lowered.code.error, "");
  EXPECT_EQ(lowered.result.sites.size(), 1u);
  return lowered.result.sites.empty() ? SiteResult{} : lowered.result.sites[0];
}

TEST(MachineCode, AddressesAreComputed) {
  // 128 bytes from lane to lane: all meet in one bank.
  const SiteResult site =
      only_site(lower({"S2R R0, SR_TID.X", "UMOV UR4, 0x400", "LEA R2, R0, UR4, 0x7", "STS [R2+0x4], R0", "EXIT"}));
  EXPECT_EQ(site.verdict, Verdict::Exact);
  EXPECT_EQ(site.counts.wavefronts, 32u);
  EXPECT_EQ(site.counts.ideal_wavefronts, 1u);
}

TEST(MachineCode, PointersKeepTheirAlignment) {
  const SiteResult site = only_site(lower({"S2R R0, SR_TID.X", "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x8, R2",
                                           "LDG.E.64 R4, desc[UR4][R2.64]", "EXIT"}));
  EXPECT_EQ(site.verdict, Verdict::Exact);
  EXPECT_EQ(site.counts.sectors, 8u);
  EXPECT_EQ(site.counts.tags, 2u);
}

TEST(MachineCode, ALoopRunsAsItWasUnrolled) {
  // Lane t runs t + 1 times; nothing is assumed of unrolling. Iterations: 32, each of one request.
  const SiteResult site =
      only_site(lower({"S2R R0, SR_TID.X", "MOV R1, RZ", "head:", "LEA R2, R0, 0x400, 0x2", "STS [R2], R1",
                       "VIADD R1, R1, 0x1", "ISETP.GT.AND P0, PT, R1, R0, PT", "@!P0 BRA `(head)", "EXIT"}));
  EXPECT_EQ(site.verdict, Verdict::Exact);
  EXPECT_EQ(site.counts.requests, 32u);
}

TEST(MachineCode, GuardsAreMasks) {
  const SiteResult site = only_site(lower({"S2R R0, SR_TID.X", "ISETP.LT.AND P0, PT, R0, 0x4, PT",
                                           "@P0 LEA R2, R0, 0x400, 0x7", "@P0 STS [R2], R0", "EXIT"}));
  EXPECT_EQ(site.verdict, Verdict::Exact);
  EXPECT_EQ(site.counts.wavefronts, 4u);
}

TEST(MachineCode, WhatIsWrittenUnderAGuardIsReadUnderIt) {
  // R2 holds loaded data in the other lanes: no matter.
  const Lowered lowered =
      lower({"S2R R0, SR_TID.X", "LDC.64 R4, c[0x0][0x210]", "IMAD.WIDE R4, R0, 0x4, R4", "LDG.E R2, desc[UR4][R4.64]",
             "ISETP.LT.AND P0, PT, R0, 0x4, PT", "@P0 LEA R2, R0, 0x400, 0x7", "@P0 IADD3 R3, R2, 0x10, RZ",
             "@P0 STS [R3], R0", "EXIT"});
  ASSERT_EQ(lowered.result.sites.size(), 2u);
  EXPECT_EQ(lowered.result.sites[1].verdict, Verdict::Exact);
  EXPECT_EQ(lowered.result.sites[1].counts.wavefronts, 4u);
}

/// R3 of the first lanes behind these instructions, as an address shows it; empty where it is not known. R0 is threadIdx.x.
std::vector<std::int64_t> values_of_r3(std::vector<std::string> lines, unsigned lanes = 4) {
  lines.insert(lines.begin(), "S2R R0, SR_TID.X");
  lines.insert(lines.end(), {"VIADD R3, R3, 0x1000", "LEA R2, R3, 0x400, 0x2", "LDS R2, [R2]", "EXIT"});
  const Lowered lowered = lower(lines);
  EXPECT_EQ(lowered.code.error, "");
  Launch launch;
  launch.block = {32, 1, 1};
  const Trace trace = trace_first_block(lowered.code.program, launch, *find_architecture("sm_90"));
  std::vector<std::int64_t> values;
  if (trace.complete && trace.requests.size() == 1)
    for (unsigned lane = 0; lane < lanes; ++lane)
      values.push_back((static_cast<std::int64_t>(trace.requests[0].request.address[lane]) - 0x400) / 4 - 0x1000);
  return values;
}

using Values = std::vector<std::int64_t>;

TEST(MachineCode, IndicesThatAreScaledInFloatingPoint) {
  EXPECT_EQ(
      values_of_r3({"I2FP.F32.U32 R4, R0", "FADD R4, R4, 0.5", "FFMA R4, R4, 0.75, -0.5", "F2I.FLOOR.NTZ R3, R4"}),
      (Values{-1, 0, 1, 2}));
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "FMUL R4, R4, 1.5", "F2I.NTZ R3, R4"}), (Values{0, 2, 3, 4}));
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "FMUL R4, R4, -1.5", "F2I.TRUNC.NTZ R3, |R4|"}), (Values{0, 1, 3, 4}));
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "FADD R4, -R4, 0.25", "F2I.CEIL.NTZ R3, R4"}), (Values{1, 0, -1, -2}));
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "FADD R4, -R4, 0.25", "F2I.U32.TRUNC.NTZ R3, R4"}),
            (Values{0, 0, 0, 0}));
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "FMUL R4, R4, 0.5", "FRND R4, R4", "F2I.TRUNC.NTZ R3, R4"}),
            (Values{0, 0, 1, 2}));
  EXPECT_EQ(values_of_r3({"I2F.S16 R4, R0", "FMUL R4, R4, 2", "F2I.TRUNC.NTZ R3, R4"}), (Values{0, 2, 4, 6}));
}

TEST(MachineCode, NumbersOf16Bits) {
  // 1.5 and -2 in one word.
  const std::string word = "MOV R5, 0xc0003e00";
  EXPECT_EQ(values_of_r3({word, "HADD2.F32 R4, -RZ, R5.H0_H0", "FADD R4, R4, 0.5", "F2I.TRUNC.NTZ R3, R4"}, 1),
            (Values{2}));
  EXPECT_EQ(values_of_r3({word, "HADD2.F32 R4, -RZ, R5.H1_H1", "F2I.TRUNC.NTZ R3, R4"}, 1), (Values{-2}));
  EXPECT_EQ(values_of_r3({word, "HADD2.F32 R4, -RZ, -R5.H1_H1", "F2I.TRUNC.NTZ R3, R4"}, 1), (Values{2}));
  EXPECT_EQ(values_of_r3({word, "HADD2.F32 R4, -RZ, |R5|.H1_H1", "F2I.TRUNC.NTZ R3, R4"}, 1), (Values{2}));
  EXPECT_EQ(values_of_r3({word, "HADD2.F32 R4, R5.H0_H0, R5.H1_H1", "F2I.TRUNC.NTZ R3, R4"}, 1), Values{});
}

TEST(MachineCode, NumbersOf64Bits) {
  EXPECT_EQ(values_of_r3({"I2F.F64.U32 R4, R0", "DADD R4, R4, 0.5", "DMUL R6, R4, 3", "DFMA R6, R4, R6, -R4",
                          "F2I.F64.TRUNC R3, R6"}),
            (Values{0, 5, 16, 33}));
  EXPECT_EQ(values_of_r3({"I2F.F64 R4, R0", "F2F.F32.F64 R6, R4", "FMUL R6, R6, 0.5", "F2F.F64.F32 R4, R6",
                          "F2I.F64.FLOOR R3, R4"}),
            (Values{0, 0, 1, 1}));
  EXPECT_EQ(values_of_r3({"I2F.F64 R4, R0", "DSETP.GEU.AND P0, PT, R4, 2, PT", "SEL R3, RZ, 0x5, P0"}),
            (Values{5, 5, 0, 0}));
}

TEST(MachineCode, ComparisonsOfNumbers) {
  const auto chosen = [](const std::string &compare) {
    return values_of_r3({"I2FP.F32.S32 R4, R0", "FADD R4, R4, -1", compare, "SEL R3, 0x1, RZ, P0"});
  };
  EXPECT_EQ(chosen("FSETP.GT.AND P0, PT, R4, RZ, PT"), (Values{0, 0, 1, 1}));
  EXPECT_EQ(chosen("FSETP.NEU.AND P0, PT, R4, RZ, PT"), (Values{1, 0, 1, 1}));
  EXPECT_EQ(chosen("FSETP.GE.AND P1, P0, |R4|, 1, PT"), (Values{0, 1, 0, 0}));
  EXPECT_EQ(chosen("FSETP.LT.OR P0, PT, R4, -INF, !PT"), (Values{0, 0, 0, 0}));
  EXPECT_EQ(chosen("FSETP.NAN.AND P0, PT, R4, R4, PT"), (Values{0, 0, 0, 0}));
  EXPECT_EQ(
      values_of_r3({"I2FP.F32.S32 R4, R0", "FMNMX R4, R4, 2, PT", "FMNMX R4, R4, 1, !PT", "F2I.TRUNC.NTZ R3, R4"}),
      (Values{1, 1, 2, 2}));
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "FSETP.GT.AND P0, PT, R4, 1, PT", "FSEL R4, -R4, 7, P0",
                          "F2I.TRUNC.NTZ R3, R4"}),
            (Values{7, 7, -2, -3}));
}

TEST(MachineCode, WhatFloatingPointLeavesOpenIsNotKnown) {
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "MUFU.RCP R4, R4", "F2I.TRUNC.NTZ R3, R4"}), Values{});
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "FMUL.FTZ R4, R4, 1e-40", "FADD R4, R4, 1", "F2I.TRUNC.NTZ R3, R4"}),
            Values{});
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "FADD.SAT R4, R4, 1", "F2I.TRUNC.NTZ R3, R4"}), Values{});
  EXPECT_EQ(values_of_r3({"I2FP.F32.S32 R4, R0", "F2I.U8.TRUNC.NTZ R3, R4"}), Values{});
}

TEST(MachineCode, DivisionsByReciprocalsAreDivisions) {
  // As ptxas writes threadIdx.x / n of unsigned numbers; the rows of one quotient are one word.
  const SiteResult site = only_site(lower({"S2R R9, SR_TID.X",
                                           "LDC R4, c[0x0][0x218]",
                                           "I2F.U32.RP R0, R4",
                                           "ISETP.NE.U32.AND P2, PT, R4, RZ, PT",
                                           "MUFU.RCP R0, R0",
                                           "VIADD R2, R0, 0xffffffe",
                                           "F2I.FTZ.U32.TRUNC.NTZ R3, R2",
                                           "IMAD.MOV.U32 R2, RZ, RZ, RZ",
                                           "IMAD.MOV R5, RZ, RZ, -R3",
                                           "IMAD R5, R5, R4, RZ",
                                           "IMAD.HI.U32 R3, R3, R5, R2",
                                           "IMAD.HI.U32 R3, R3, R9, RZ",
                                           "IMAD.MOV R7, RZ, RZ, -R3",
                                           "IMAD R7, R4, R7, R9",
                                           "ISETP.GE.U32.AND P0, PT, R7, R4, PT",
                                           "@P0 IMAD.IADD R7, R7, 0x1, -R4",
                                           "@P0 VIADD R3, R3, 0x1",
                                           "ISETP.GE.U32.AND P1, PT, R7, R4, PT",
                                           "@P1 VIADD R3, R3, 0x1",
                                           "@!P2 LOP3.LUT R3, RZ, R4, RZ, 0x33, !PT",
                                           "LEA R2, R3, 0x400, 0x7",
                                           "LDS R2, [R2]",
                                           "EXIT"},
                                          6));
  EXPECT_EQ(site.verdict, Verdict::Exact) << site.reason;
  EXPECT_EQ(site.counts.wavefronts, 6u);
}

TEST(MachineCode, SmallParametersAreNotTheirWord) {
  const SiteResult site =
      only_site(lower({"S2R R0, SR_TID.X", "LDC.U16 R2, c[0x0][0x21c]", "PRMT R2, R2, 0x9910, RZ",
                       "ISETP.GE.AND P0, PT, R0, R2, PT", "@P0 EXIT", "LEA R2, R0, 0x400, 0x7", "STS [R2], R0", "EXIT"},
                      1000, 32, 5));
  EXPECT_EQ(site.counts.wavefronts, 5u);
}

TEST(MachineCode, LongComparisonsGoOnInTheHighWord) {
  // 64-bit: tid < 2^32 + 3 holds for all lanes, though the low words alone say otherwise.
  const SiteResult site = only_site(
      lower({"S2R R0, SR_TID.X", "ISETP.LT.U32.AND P0, PT, R0, 0x3, PT", "ISETP.LT.AND.EX P0, PT, RZ, 0x1, PT, P0",
             "@!P0 EXIT", "LEA R2, R0, 0x400, 0x7", "STS [R2], R0", "EXIT"}));
  EXPECT_EQ(site.counts.wavefronts, 32u);
}

TEST(MachineCode, WhatIsNotFollowedIsUnknown) {
  const SiteResult site = only_site(lower({"S2R R0, SR_TID.X", "FROBNICATE.X R2, R0", "STS [R2], R0", "EXIT"}));
  EXPECT_EQ(site.verdict, Verdict::Unknown);
  EXPECT_NE(site.reason.find("FROBNICATE.X"), std::string::npos) << site.reason;
}

TEST(MachineCode, ResultsOfSeveralWordsAreForgottenToTheLast) {
  // The product's fragment lies over the address.
  const SiteResult site = only_site(
      lower({"S2R R0, SR_TID.X", "LEA R7, R0, 0x400, 0x2", "HMMA.16816.F32 R4, R8, R12, R4", "STS [R7], R0", "EXIT"}));
  EXPECT_EQ(site.verdict, Verdict::Unknown);
}

TEST(MachineCode, PredicatesThatMayBeWrittenAreForgotten) {
  const SiteResult site =
      only_site(lower({"S2R R0, SR_TID.X", "LEA R2, R0, 0x400, 0x2", "ISETP.LT.AND P0, PT, R0, 0x4, PT",
                       "FROBNICATE R8, P0, R0, R0", "@P0 STS [R2], R0", "EXIT"}));
  EXPECT_EQ(site.verdict, Verdict::Unknown);
}

TEST(MachineCode, SwitchesGoByTheirTables) {
  // Four lanes store side by side, the others 128 bytes apart.
  const std::vector<std::string> lines{"S2R R0, SR_TID.X",
                                       "ISETP.LT.AND P0, PT, R0, 0x4, PT",
                                       "SEL R4, RZ, 0x4, P0",
                                       "LDC R2, c[0x2][R4+0x4]",
                                       "BRX R2 -0x50                (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*)",
                                       ".L_x_1:",
                                       "LEA R3, R0, 0x400, 0x2",
                                       "STS [R3], R0",
                                       "EXIT",
                                       ".L_x_2:",
                                       "LEA R3, R0, 0x400, 0x7",
                                       "STS [R3], R0",
                                       "EXIT"};
  const std::string tables =
      ".section .nv.constant2.f,\"a\",@progbits\n/*0000*/ .byte 0x00, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, 0x00\n/*0008*/ .byte 0x80, 0x00, 0x00, 0x00\n";
  const Lowered lowered = lower(lines, 0, 32, 0, tables);
  ASSERT_EQ(lowered.code.error, "");
  ASSERT_EQ(lowered.result.sites.size(), 2u);
  EXPECT_EQ(lowered.result.sites[0].verdict, Verdict::Exact) << lowered.result.sites[0].reason;
  EXPECT_EQ(std::min(lowered.result.sites[0].counts.wavefronts, lowered.result.sites[1].counts.wavefronts), 1u);
  EXPECT_EQ(std::max(lowered.result.sites[0].counts.wavefronts, lowered.result.sites[1].counts.wavefronts), 28u);
  // Without the table nobody knows the way.
  const Lowered blind = lower(lines);
  EXPECT_EQ(blind.result.sites[0].verdict, Verdict::Unknown);
  EXPECT_EQ(blind.result.sites[1].verdict, Verdict::Unknown);
}

TEST(MachineCode, GenericAccessesAndCallsAreNotGuessed) {
  EXPECT_EQ(only_site(lower({"S2R R0, SR_TID.X", "LD.E R2, desc[UR4][R2.64]", "EXIT"})).verdict, Verdict::Unknown);
  const Lowered calls =
      lower({"S2R R0, SR_TID.X", "LEA R2, R0, 0x400, 0x2", "CALL.ABS.NOINC R4", "STS [R2], R0", "EXIT"});
  EXPECT_FALSE(calls.code.complete);
  EXPECT_EQ(only_site(calls).verdict, Verdict::Unknown);
  EXPECT_NE(lower({"BRX R2 -0x10", "EXIT"}).code.error.find("computed branch"), std::string::npos);
  EXPECT_NE(lower({"HGMMA.64x8x16.F32 R24, gdesc[UR4], R24", "EXIT"}).code.error.find("HGMMA"), std::string::npos);
}

TEST(MachineCode, WhatIsCertainlyNotReachedCountsNothing) {
  const std::vector<std::string> lines{"S2R R0, SR_TID.X", "ISETP.LT.AND P0, PT, R0, 0x40, PT", "@P0 EXIT",
                                       "LD.E R2, desc[UR4][R2.64]", "EXIT"};
  EXPECT_EQ(only_site(lower(lines)).verdict, Verdict::Exact);
  EXPECT_EQ(only_site(lower(lines, 0, 96)).verdict, Verdict::Unknown);
}

TEST(MachineCode, LanesThatBreakOutOfLoopsMakeAssumptions) {
  const SiteResult site =
      only_site(lower({"S2R R0, SR_TID.X", "LEA R2, R0, 0x400, 0x2", "STS [R2], R0", "BREAK B0", "EXIT"}));
  EXPECT_EQ(site.verdict, Verdict::Assumed);
}

TEST(MachineCode, LanesThatLeaveALoopInWhichOthersEndMakeAssumptions) {
  // `for (i = 0; i < 20; ++i) if (i * 7 == t) { s[t] = ...; return; }`
  const auto site = [](const std::string &at_the_end) {
    return only_site(
        lower({"S2R R0, SR_TID.X", "MOV R1, RZ", "MOV R3, RZ", "BSSY B0, `(.L_x_2)",
               ".L_x_0:", "ISETP.NE.AND P0, PT, R3, R0, PT", "@!P0 BRA `(.L_x_1)", "IADD3 R1, R1, 0x1, RZ",
               "IADD3 R3, R3, 0x7, RZ", "ISETP.GE.AND P0, PT, R1, 0x14, PT", "@!P0 BRA `(.L_x_0)", at_the_end,
               ".L_x_1:", "BSYNC B0", ".L_x_2:", "LEA R2, R0, 0x400, 0x2", "STS [R2], R0", "EXIT"}));
  };
  EXPECT_EQ(site("EXIT").verdict, Verdict::Assumed);
  EXPECT_EQ(site("NOP").verdict, Verdict::Exact); // all come to the end of it
}

TEST(MachineCode, LanesThatAnExchangeMissesMakeAssumptions) {
  const auto site = [](const std::string &names, const std::string &first = "NOP") {
    return only_site(
        lower({"S2R R0, SR_TID.X", first, "MOV R7, 0xffff", "ISETP.GE.AND P0, PT, R0, 0x10, PT", "@P0 BRA `(.L_x_1)",
               names, "SHFL.BFLY PT, R3, R0, 0x1, 0x1f", ".L_x_1:", "LEA R2, R0, 0x400, 0x2", "STS [R2], R0", "EXIT"}));
  };
  EXPECT_EQ(site("WARPSYNC.ALL").verdict, Verdict::Assumed);
  EXPECT_EQ(site("WARPSYNC.ALL").assumptions.at(0).id, "assumed-missing-lanes");
  EXPECT_EQ(site("BRA.DIV UR4, `(.L_x_1)", "UMOV UR4, 0xffffffff").verdict, Verdict::Assumed);
  EXPECT_EQ(site("WARPSYNC R7").verdict, Verdict::Exact);
  EXPECT_EQ(site("WARPSYNC.ALL", "@P0 EXIT").verdict, Verdict::Assumed); // P0 is not known yet
  EXPECT_EQ(site("NOP").verdict, Verdict::Exact);
}

TEST(MachineCode, AccessesByOpcode) {
  const auto access = [](const std::string &opcode, std::vector<std::string> operands = {"R2", "[R4]", "R6"}) {
    ListedInstruction instruction;
    instruction.opcode = opcode;
    instruction.operands = std::move(operands);
    return access_of(instruction);
  };
  EXPECT_EQ(access("LDS.U8")->access.width_bits, 8);
  EXPECT_EQ(access("LDG.E.128.CONSTANT")->access.width_bits, 128);
  EXPECT_TRUE(access("LDS.S16")->sign_extended);
  EXPECT_EQ(access("LDSM.16.MT88.2")->access.matrices, 2);
  EXPECT_TRUE(access("LDSM.16.MT88.2")->access.transposed);
  EXPECT_EQ(access("LDSM.16.M88")->access.matrices, 1);
  EXPECT_TRUE(access("LDGSTS.E.BYPASS.128")->access.bypass_l1);
  EXPECT_FALSE(access("LDGSTS.E.BYPASS.128.ZFILL")->not_modelled.empty());
  EXPECT_EQ(access("ATOMS.POPC.INC.32", {"RZ", "[R4]"})->access.atomic, AtomicKind::Increment);
  EXPECT_FALSE(access("ATOMS.ADD", {"RZ", "[R4]", "R5"})->access.result_used);
  EXPECT_TRUE(access("ATOMS.ADD", {"R7", "[R4]", "R5"})->access.result_used);
  EXPECT_FALSE(access("REDG.E.ADD.STRONG.GPU", {"desc[UR4][R2.64]", "R5"})->access.result_used);
  EXPECT_EQ(access("REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU", {"desc[UR4][R2.64]", "R4"})->access.width_bits, 64);
  EXPECT_EQ(access("ATOMG.E.ADD.F32x4.FTZ.RN.STRONG.GPU", {"PT", "R12", "desc[UR4][R8.64]", "R4"})->access.width_bits,
            128);
  EXPECT_FALSE(access("ATOMS.CAST.SPIN", {"R7", "[R4]", "R5", "R6"})->not_modelled.empty());
  EXPECT_FALSE(access("LDL")->counted);
  EXPECT_FALSE(access("IADD3"));
}

TEST(MachineLogic, EveryTable) {
  for (unsigned table = 0; table < 256; ++table) {
    Program program;
    lower::ProgramBuilder builder(program);
    builder.enter(builder.new_block());
    const std::array<RegisterId, 3> from{builder.special(SpecialRegister::ThreadX),
                                         builder.special(SpecialRegister::ThreadY),
                                         builder.special(SpecialRegister::ThreadZ)};
    const RegisterId result = bitwise_function(builder, from, static_cast<std::uint8_t>(table));
    builder.place_leaves();
    ASSERT_NE(result, kNone);
    std::map<RegisterId, std::uint64_t> values{{from[0], 0xf0}, {from[1], 0xcc}, {from[2], 0xaa}};
    for (const Instruction &i : program.blocks[0].instructions)
      switch (i.opcode) {
      case Opcode::Constant: values[i.result] = static_cast<std::uint64_t>(i.immediate); break;
      case Opcode::And: values[i.result] = values[i.operands[0]] & values[i.operands[1]]; break;
      case Opcode::Or: values[i.result] = values[i.operands[0]] | values[i.operands[1]]; break;
      case Opcode::Xor: values[i.result] = values[i.operands[0]] ^ values[i.operands[1]]; break;
      default: break;
      }
    EXPECT_EQ(values[result] & 0xff, table);
  }
}

/// A source model of one row, and the machine code's counts of it.
struct Case {
  Program source;
  SimulationResult predicted;
  LoweredMachineCode machine;
  std::vector<SimulatedTwice> launches;

  void site(Program &program, SimulationResult &result, unsigned line, std::uint64_t wavefronts, Verdict verdict) {
    Site site;
    site.location = {"k.cu", line, 0};
    program.sites.push_back(site);
    SiteResult counted;
    counted.counts.wavefronts = counted.counts.ideal_wavefronts = wavefronts;
    counted.verdict = verdict;
    counted.executed = true;
    result.sites.push_back(counted);
  }
  Case &predict(unsigned line, std::uint64_t wavefronts, Verdict verdict) {
    site(source, predicted, line, wavefronts, verdict);
    return *this;
  }
  Case &compiled(unsigned line, std::uint64_t wavefronts, Verdict verdict) {
    if (launches.empty())
      launches.emplace_back();
    site(machine.program, launches[0].machine, line, wavefronts, verdict);
    return *this;
  }
  Settled run() {
    if (launches.empty())
      launches.emplace_back();
    launches[0].source = &predicted;
    return settle(source, machine, launches);
  }
};

TEST(Settle, AgreementMakesAssumptionsExact) {
  Case one;
  EXPECT_EQ(
      one.predict(1, 4, Verdict::Assumed).compiled(1, 3, Verdict::Exact).compiled(1, 1, Verdict::Exact).run().confirmed,
      1u);
  EXPECT_EQ(one.predicted.sites[0].verdict, Verdict::Exact);
  EXPECT_EQ(one.source.sites[0].compared, Agreement::Confirmed);
}

TEST(Settle, TheMachineCodesCountsReplaceOthers) {
  Case one;
  EXPECT_EQ(
      one.predict(1, 4, Verdict::Exact).predict(1, 2, Verdict::Exact).compiled(1, 9, Verdict::Exact).run().corrected,
      1u);
  EXPECT_EQ(one.predicted.sites[0].counts.wavefronts + one.predicted.sites[1].counts.wavefronts, 9u);
  EXPECT_EQ(one.source.sites[1].compared, Agreement::Corrected);
}

TEST(Settle, WhatIsReadIsReadAtTheSourcesSites) {
  Case one;
  one.predict(7, 4, Verdict::Exact)
      .compiled(8, 1, Verdict::Exact)
      .compiled(7, 3, Verdict::Exact)
      .compiled(7, 1, Verdict::Exact);
  one.launches[0].machine.least.reads = {{2, 512, 128}, {0, 64, 32}};
  one.run();
  ASSERT_EQ(one.source.sites.size(), 2u); // the other line's is added
  EXPECT_EQ(one.predicted.least.reads, (std::vector<ArrayReads>{{0, 512, 128}, {1, 64, 32}}));
}

TEST(Settle, ReadsOfWhatIsLeftOutAreNotKnown) {
  Case one;
  one.predict(7, 4, Verdict::Exact).compiled(7, 4, Verdict::Exact).compiled(7, 1, Verdict::Exact);
  one.machine.local = {1}; // has no row
  one.launches[0].machine.least.reads = {{0, 512, 128}, {1, 64, 32}};
  one.launches[0].machine.least.read_bytes = 160;
  one.run();
  EXPECT_TRUE(one.predicted.least.reads.empty());
  EXPECT_EQ(one.predicted.least.read_bytes, 160u);
}

TEST(Settle, ReadsOfALineOfSeveralArraysAreNotToldApart) {
  Case one;
  one.predict(7, 4, Verdict::Exact).predict(7, 4, Verdict::Exact).compiled(7, 8, Verdict::Exact);
  one.source.sites[0].array = "x";
  one.source.sites[1].array = "y";
  one.launches[0].machine.least.reads = {{0, 512, 128}};
  one.run();
  EXPECT_TRUE(one.predicted.least.reads.empty());
}

TEST(Settle, RowsMoveToWhereTheInstructionIs) {
  Case one;
  const Settled settled = one.predict(1, 4, Verdict::Exact).compiled(2, 4, Verdict::Exact).run();
  EXPECT_EQ(settled.absent, 1u);
  EXPECT_EQ(settled.corrected, 1u);
  EXPECT_EQ(one.predicted.sites[0].counts.wavefronts, 0u);
  ASSERT_EQ(one.predicted.sites.size(), 2u);
  EXPECT_EQ(one.source.sites[1].location.line, 2u);
  EXPECT_EQ(one.source.sites[1].compared, Agreement::Added);
}

TEST(Settle, WhatTheMachineCodeDoesNotTellStaysAtMostAssumed) {
  Case same;
  EXPECT_EQ(same.predict(1, 4, Verdict::Exact).compiled(1, 0, Verdict::Unknown).run().open, 1u);
  EXPECT_EQ(same.predicted.sites[0].verdict, Verdict::Assumed);
  EXPECT_NE(same.predicted.sites[0].reason.find("could not be followed"), std::string::npos)
      << same.predicted.sites[0].reason;
  EXPECT_EQ(same.predicted.sites[0].counts.wavefronts, 4u);
  Case other;
  other.predict(1, 4, Verdict::Exact).compiled(1, 0, Verdict::Unknown);
  other.machine.program.sites[0].access.width_bits = 64;
  other.run();
  EXPECT_EQ(other.predicted.sites[0].verdict, Verdict::Assumed);
  EXPECT_NE(other.predicted.sites[0].reason.find("1 x 64 bits here where the model has 1 x 32 bits"), std::string::npos)
      << other.predicted.sites[0].reason;
}

TEST(Settle, WhatTheMachineCodeMayReachIsNotSaidToBeOutOfReach) {
  Case one;
  one.predict(1, 0, Verdict::Exact).compiled(1, 0, Verdict::Unknown);
  one.predicted.sites[0].executed = false;
  one.run();
  EXPECT_EQ(one.predicted.sites[0].verdict, Verdict::Assumed);
  Case other;
  other.predict(1, 0, Verdict::Exact).compiled(1, 0, Verdict::Unknown);
  other.predicted.sites[0].executed = other.launches[0].machine.sites[0].executed = false;
  other.run();
  EXPECT_EQ(other.predicted.sites[0].verdict, Verdict::Exact);
}

TEST(Settle, CalledFunctionsMayHaveWhatIsMissing) {
  Case one;
  one.machine.complete = false;
  one.predict(1, 4, Verdict::Exact).run();
  EXPECT_EQ(one.predicted.sites[0].verdict, Verdict::Assumed);
  EXPECT_EQ(one.predicted.sites[0].counts.wavefronts, 4u);
}

TEST(Settle, UncertainLinesCorrectNothing) {
  Case one;
  one.predict(1, 4, Verdict::Exact).predict(2, 4, Verdict::Exact).compiled(1, 8, Verdict::Exact);
  one.machine.uncertain_lines = {0};
  EXPECT_EQ(one.run().open, 2u);
  EXPECT_EQ(one.predicted.sites[0].verdict, Verdict::Assumed);
  EXPECT_EQ(one.predicted.sites[1].verdict, Verdict::Assumed);
  EXPECT_EQ(one.predicted.sites[1].counts.wavefronts, 4u);
}

TEST(MachineCode, InstructionsOfAllCodeAreCounted) {
  // The loop has no load or store: 50 times three instructions, and the five around it.
  const std::vector<std::string> loop{
      "S2R R0, SR_TID.X", "HERE:", "IADD3 R1, R1, 0x1, RZ", "ISETP.GE.AND P0, PT, R1, 0x32, PT", "@!P0 BRA `(HERE)",
      "STS.U8 [R0], R0",  "EXIT"};
  std::vector<std::string> known = loop;
  known.insert(known.begin(), "MOV R1, RZ");
  const Lowered lowered = lower(known, 0, 64);
  ASSERT_EQ(lowered.code.error, "");
  EXPECT_EQ(lowered.arithmetic.instructions, 2u * (2 + 50 * 3 + 2));
  EXPECT_EQ(lowered.arithmetic.integer, 2u * 50 * 2);
  // Where memory says how often, only what is around the loop.
  std::vector<std::string> open = loop;
  open.insert(open.begin(), {"LDC.64 R2, c[0x0][0x210]", "LDG.E R1, [R2]"});
  const Lowered unknown = lower(open, 0, 64);
  ASSERT_EQ(unknown.code.error, "");
  EXPECT_EQ(unknown.arithmetic.integer, 0u);
  EXPECT_EQ(unknown.result.sites.size(), 2u) << "what counts is no part of the program";
}

} // namespace
} // namespace smem::compiled
