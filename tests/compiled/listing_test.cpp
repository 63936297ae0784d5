// Listings of nvdisasm taken apart, and control flow found in them.
#include "sass/listing.h"
#include "sass/machine_flow.h"
#include "sass/operand.h"
#include "sass/compile.h"

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace smem::compiled {
namespace {

std::string recorded(const std::string &name) {
  std::ifstream in(std::string(SMEM_LINT_TEST_DATA) + "/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Listing, HasFunctionsParametersAndPlaces) {
  const ParsedListing parsed = parse_listing(recorded("gemm_tiled_conflict.sass"));
  ASSERT_TRUE(parsed.listing) << parsed.error;
  EXPECT_EQ(parsed.listing->architecture, "sm_90");
  EXPECT_EQ(parsed.listing->functions.size(), 2u);
  EXPECT_TRUE(parsed.listing->has_places);
  const std::vector<const ListedFunction *> found = parsed.listing->find("_Z19gemm_tiled_conflictPKfS0_Pfiii");
  ASSERT_EQ(found.size(), 1u);
  const ListedFunction *kernel = found.front();
  ASSERT_TRUE(kernel->parameter_base);
  EXPECT_EQ(*kernel->parameter_base, 0x210u);
  ASSERT_EQ(kernel->parameters.size(), 6u);
  EXPECT_EQ(kernel->parameters[3].index, 3u);
  EXPECT_EQ(kernel->parameters[3].offset, 0x18u);
  const ListedInstruction &first = kernel->code.front();
  EXPECT_EQ(first.opcode, "LDC");
  EXPECT_EQ(first.operands, (std::vector<std::string>{"R1", "c[0x0][0x28]"}));
  ASSERT_EQ(first.places.size(), 1u);
  EXPECT_EQ(first.places[0].file, "/build/kernels/gemm_tiled_conflict.cu");
  EXPECT_EQ(first.places[0].line, 40u);
  EXPECT_TRUE(parsed.listing->find("no_such_kernel").empty());
}

// Both are of Clang's mangling; nvcc's has no mark of internal linkage, and a name made of the file's for the namespace.
TEST(Listing, FindsFunctionsOfInternalLinkage) {
  const auto listing = [](const std::vector<std::string> &names) {
    std::string text = ".target sm_90\n";
    for (const std::string &name : names)
      text += ".section .text." + name + ",\"ax\",@progbits\n.text." + name +
              ":\n        /*0000*/                   EXIT ;\n";
    const ParsedListing parsed = parse_listing(text);
    EXPECT_TRUE(parsed.listing) << parsed.error;
    return *parsed.listing;
  };
  const std::string unnamed = "_ZN36_GLOBAL__N__0a1b2c3d_4_k_cu_fourfive6hiddenEPf";
  const Listing one = listing({"_Z5otheri", "_Z5localPfi", "_Z5localPf", unnamed});
  const auto names_of = [](const Listing &in, std::string_view name) {
    std::vector<std::string> names;
    for (const ListedFunction *function : in.find(name))
      names.push_back(function->name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(one, "_ZL5localPf"), Names{"_Z5localPf"});
  EXPECT_EQ(names_of(one, "_ZN12_GLOBAL__N_16hiddenEPf"), Names{unnamed});
  EXPECT_EQ(names_of(one, "_ZL5localPd"), Names{});
  const std::string other = "_ZN36_GLOBAL__N__4e5f6a7b_4_b_cu_fourfive6hiddenEPf";
  EXPECT_EQ(names_of(listing({unnamed, other}), "_ZN12_GLOBAL__N_16hiddenEPf"), (Names{unnamed, other}));
  // Relocatable code has the file before the name, its length told.
  const std::string relocatable = "__nv_static_25__213d3d10_4_b_cu_8701ed29__Z5localPf";
  EXPECT_EQ(names_of(listing({relocatable}), "_ZL5localPf"), Names{relocatable});
  EXPECT_EQ(names_of(listing({"__nv_static_99__213d3d10_4_b_cu_8701ed29__Z5localPf"}), "_ZL5localPf"), Names{});
}

// As nvdisasm 13.0 prints an image (-gi), in which what the system reserves counts as the kernel's.
TEST(Listing, SaysWhatAFunctionTakes) {
  const auto listing = [](const std::string &reserved) {
    const ParsedListing parsed = parse_listing(".target sm_90\n"
                                               "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n"
                                               "\t//----- nvinfo : EIATTR_REGCOUNT\n"
                                               "        /*0000*/ \t.byte\t0x04, 0x2f\n"
                                               "        /*0004*/ \t.word\tindex@(f)\n"
                                               "        /*0008*/ \t.word\t0x0000000c\n"
                                               "\t//----- nvinfo : EIATTR_FRAME_SIZE\n"
                                               "        /*0010*/ \t.word\tindex@(f)\n"
                                               "        /*0014*/ \t.word\t0x00000040\n"
                                               "\t//----- nvinfo : EIATTR_MIN_STACK_SIZE\n"
                                               "        /*0018*/ \t.word\tindex@(f)\n"
                                               "        /*001c*/ \t.word\t0x00000050\n"
                                               "\t.section\t.text.f,\"ax\",@progbits\n"
                                               "        /*0000*/                   STL [R1], R2 ;\n"
                                               "        /*0010*/                   LDL.64 R2, [R1] ;\n"
                                               "        /*0020*/                   LDL R2, [R1] ;\n"
                                               "        /*0030*/                   EXIT ;\n" +
                                               reserved +
                                               "\t.section\t.nv.shared.f,\"aw\",@nobits\n"
                                               ".nv.shared.f:\n"
                                               "\t.zero\t\t5248\n");
    EXPECT_TRUE(parsed.listing) << parsed.error;
    return *parsed.listing;
  };
  const ListedResources taken =
      listing("\t.section\t.nv.shared.reserved.0,\"aw\",@nobits\n\t.zero\t\t0\n").functions.front().resources;
  EXPECT_EQ(taken.registers, 12u);
  EXPECT_EQ(taken.stack_bytes, 64u);
  EXPECT_EQ(taken.shared_bytes, 4224u);
  EXPECT_EQ(taken.local_loads, 2u);
  EXPECT_EQ(taken.local_stores, 1u);
  EXPECT_EQ(listing("").functions.front().resources.shared_bytes, 5248u); // as of sm_80
}

TEST(Listing, KeepsChainsOfInlining) {
  const ParsedListing parsed = parse_listing(".target sm_90\n"
                                             ".section .text.f,\"ax\",@progbits\n"
                                             ".text.f:\n"
                                             "\t//## File \"/cuda/include/h.h\", line 7 inlined at \"k.cu\", line 3\n"
                                             "\t//## File \"k.cu\", line 3\n"
                                             "        /*0000*/              @!P0 LDG.E R2, desc[UR4][R2.64+0x10] ;\n"
                                             "        /*0010*/                   IADD3 R2, P1, R2.reuse, -R3, RZ ;\n"
                                             "\t//## File \"k.cu\", line 4\n"
                                             ".L_x_1:\n"
                                             "        /*0020*/                   EXIT ;\n");
  ASSERT_TRUE(parsed.listing) << parsed.error;
  const ListedFunction &f = parsed.listing->functions[0];
  ASSERT_EQ(f.code.size(), 3u);
  EXPECT_EQ(f.code[0].guard, "!P0");
  EXPECT_EQ(f.code[0].operands[1], "desc[UR4][R2.64+0x10]");
  ASSERT_EQ(f.code[0].places.size(), 2u);
  EXPECT_EQ(f.code[0].places[1].line, 3u);
  EXPECT_FALSE(f.code[0].places_carried);
  EXPECT_TRUE(f.code[1].places_carried);
  EXPECT_EQ(f.code[1].operands, (std::vector<std::string>{"R2", "P1", "R2", "-R3", "RZ"}));
  EXPECT_EQ(f.code[2].places.size(), 1u);
  EXPECT_EQ(f.labels.at(".L_x_1"), 2u);
}

// k.cu:3 calls what lies in h.h:7, and so does k.cu:4, whose comment nvdisasm does not print: the innermost place is the same.
TEST(Listing, TakesPlacesFromTheLineTable) {
  const ParsedListing parsed = parse_listing(
      ".target sm_90\n"
      ".section .debug_line,\"\",@progbits\n"
      "/*0000*/ .byte 0x73, 0x00, 0x00, 0x00, 0x02, 0x00, 0x2d, 0x00, 0x00, 0x00, 0x01, 0x01, 0xfb, 0x0e, 0x0a, 0x00\n"
      "/*0010*/ .byte 0x01, 0x01, 0x01, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x6b, 0x2e, 0x63, 0x75, 0x00, 0x00, 0x00\n"
      "/*0020*/ .byte 0x00, 0x2f, 0x63, 0x75, 0x64, 0x61, 0x2f, 0x69, 0x6e, 0x63, 0x6c, 0x75, 0x64, 0x65, 0x2f, 0x68\n"
      "/*0030*/ .byte 0x2e, 0x68, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09, 0x02\n"
      "/*003a*/ .dword f\n"
      "/*0042*/ .byte 0x04, 0x01, 0x00, 0x03, 0x90, 0x00, 0x00, 0x03, 0x02, 0x02, 0x00, 0x01, 0x04, 0x02, 0x00, 0x03\n"
      "/*0052*/ .byte 0x90, 0x01, 0x00, 0x03, 0x04, 0x02, 0x00, 0x01, 0x04, 0x01, 0x00, 0x03, 0x90, 0x00, 0x00, 0x03\n"
      "/*0062*/ .byte 0x7d, 0x02, 0x10, 0x01, 0x04, 0x02, 0x00, 0x03, 0x90, 0x03, 0x00, 0x03, 0x03, 0x02, 0x00, 0x01\n"
      "/*0072*/ .byte 0x02, 0x20, 0x00, 0x01, 0x01\n"
      ".section .text.f,\"ax\",@progbits\n"
      "\t//## File \"/cuda/include/h.h\", line 7 inlined at \"k.cu\", line 3\n"
      "\t//## File \"k.cu\", line 3\n"
      "/*0000*/ LDG.E.U16 R2, desc[UR4][R2.64] ;\n"
      "/*0010*/ LDG.E.U16 R3, desc[UR4][R4.64] ;\n"
      "/*0020*/ EXIT ;\n");
  ASSERT_TRUE(parsed.listing) << parsed.error;
  const std::vector<ListedInstruction> &code = parsed.listing->functions[0].code;
  for (const auto &[at, line] : {std::pair{0U, 3U}, {1U, 4U}, {2U, 4U}}) {
    EXPECT_FALSE(code[at].places_carried);
    ASSERT_EQ(code[at].places.size(), 2u);
    EXPECT_EQ(code[at].places[0].file, "/cuda/include/h.h");
    EXPECT_EQ(code[at].places[0].line, 7u);
    EXPECT_EQ(code[at].places[1].file, "k.cu");
    EXPECT_EQ(code[at].places[1].line, line);
  }
}

TEST(Listing, KnowsCallsOfTheDriversFunctions) {
  const ParsedListing parsed = parse_listing(".target sm_90\n"
                                             ".section .nv.info.f,\"\",@\"SHT_CUDA_INFO\"\n"
                                             "\t//----- nvinfo : EIATTR_SYSCALL_OFFSETS\n"
                                             "/*0000*/ .byte 0x04, 0x46\n"
                                             "\t//   ....[0]....\n"
                                             "/*0004*/ .word 0x00000010\n"
                                             "\t//----- nvinfo : EIATTR_EXIT_INSTR_OFFSETS\n"
                                             "/*0008*/ .word 0x00000020\n"
                                             ".section .text.f,\"ax\",@progbits\n"
                                             "/*0000*/ CALL.ABS.NOINC R4 ;\n"
                                             "/*0010*/ CALL.ABS.NOINC R2 ;\n"
                                             "/*0020*/ EXIT ;\n");
  ASSERT_TRUE(parsed.listing) << parsed.error;
  EXPECT_EQ(parsed.listing->functions[0].system_calls, (std::set<std::uint64_t>{0x10}));
}

TEST(Listing, TextsThatAreNoneAreErrors) {
  const auto error_of = [](const std::string &text) { return parse_listing(text).error; };
  EXPECT_NE(error_of("").find("names no .target"), std::string::npos);
  EXPECT_NE(error_of("int main() {}\n").find("not a listing"), std::string::npos);
  EXPECT_NE(error_of(".target sm_90\n").find("no functions"), std::string::npos);
  const std::string head = ".target sm_90\n.section .text.f,\"ax\",@progbits\n";
  EXPECT_NE(error_of(head + "/*0000*/ NOP ;\n").find("breaks off in function 'f'"), std::string::npos);
  EXPECT_NE(error_of(head + "/*0000*/ EXI").find("breaks off within an instruction"), std::string::npos);
  EXPECT_NE(error_of(head + "/*0010*/ NOP ;\n/*0000*/ EXIT ;\n").find("do not ascend"), std::string::npos);
  EXPECT_NE(error_of(head + "//## File \"k.cu\"\n/*0000*/ EXIT ;\n").find("a place that cannot be read"),
            std::string::npos);
}

TEST(Listing, EveryCutIsAnErrorOrWhole) {
  // A listing that was cut anywhere never passes for the whole of a function.
  const std::string text = recorded("grid_stride.sass");
  const ParsedListing whole = parse_listing(text);
  ASSERT_TRUE(whole.listing) << whole.error;
  for (std::size_t size = 0; size < text.size(); size += 37) {
    const ParsedListing cut = parse_listing(text.substr(0, size));
    if (!cut.listing)
      continue;
    for (const ListedFunction &function : cut.listing->functions) {
      const std::string &last = function.code.back().opcode;
      EXPECT_TRUE(last == "NOP" || last.starts_with("BRA") || last.starts_with("EXIT"))
          << "cut at " << size << ": " << last;
    }
  }
}

TEST(Operand, OfEveryKind) {
  using Kind = MachineOperand::Kind;
  EXPECT_EQ(parse_operand("-0x10").value, -16);
  EXPECT_TRUE(parse_operand("5.96e-08").decimal);
  EXPECT_TRUE(parse_operand("-R3").negated);
  EXPECT_TRUE(parse_operand("~R3").inverted);
  EXPECT_TRUE(parse_operand("|R3|").absolute);
  EXPECT_TRUE(parse_operand("!P2").negated);
  EXPECT_EQ(parse_operand("!P2").reg.bank, Bank::Predicate);
  EXPECT_TRUE(parse_operand("URZ").reg.constant);
  EXPECT_EQ(parse_operand("UP1").reg.bank, Bank::UniformPredicate);
  EXPECT_EQ(parse_operand("R4.H1_H1").part, "H1_H1");
  EXPECT_EQ(parse_operand("`(.L_x_3)").text, ".L_x_3");
  EXPECT_EQ(parse_operand("SR_TID.X").kind, Kind::Special);
  const MachineOperand constant = parse_operand("c[0x3][R4+0x8]");
  EXPECT_EQ(constant.kind, Kind::Constant);
  EXPECT_EQ(constant.bank, 3u);
  EXPECT_EQ(constant.value, 8);
  EXPECT_TRUE(constant.indexed);
  const MachineOperand address = parse_operand("desc[UR8][R2.64+UR4+-0x10]");
  EXPECT_EQ(address.kind, Kind::Memory);
  ASSERT_EQ(address.summands.size(), 2u);
  EXPECT_EQ(address.summands[1].reg.bank, Bank::Uniform);
  EXPECT_EQ(address.value, -16);
  EXPECT_EQ(parse_operand("[R4.X8]").summands[0].scale, 8u);
  EXPECT_EQ(parse_operand("gdesc[UR4]").kind, Kind::Other);
  EXPECT_EQ(parse_operand("").kind, Kind::Other);
}

ListedFunction function_of(const std::string &code) {
  ParsedListing parsed = parse_listing(".target sm_90\n.section .text.f,\"ax\",@progbits\n" + code);
  EXPECT_TRUE(parsed.listing) << parsed.error;
  return parsed.listing ? parsed.listing->functions[0] : ListedFunction{};
}

TEST(Flow, ASubroutineIsThereForEachCall) {
  const MachineFlow flow = find_flow(function_of("/*0000*/ CALL.REL.NOINC `(sub) ;\n"
                                                 "/*0010*/ CALL.REL.NOINC `(sub) ;\n"
                                                 "/*0020*/ EXIT ;\n"
                                                 "sub:\n"
                                                 "/*0030*/ NOP ;\n"
                                                 "/*0040*/ RET.REL.NODEC R4 `(f) ;\n"
                                                 "/*0050*/ BRA `(sub) ;\n"));
  ASSERT_EQ(flow.error, "");
  ASSERT_EQ(flow.blocks.size(), 5u); // two calls, the end, the subroutine twice
  EXPECT_EQ(flow.blocks[1].first, 3u);
  EXPECT_EQ(flow.blocks[3].first, 3u);
}

TEST(Flow, LoopsAndConditionalEnds) {
  const MachineFlow flow = find_flow(function_of("/*0000*/ @P0 EXIT ;\n"
                                                 "head:\n"
                                                 "/*0010*/ NOP ;\n"
                                                 "/*0020*/ @!P1 BRA `(head) ;\n"
                                                 "/*0030*/ EXIT ;\n"));
  ASSERT_EQ(flow.error, "");
  ASSERT_EQ(flow.blocks.size(), 3u);
  EXPECT_EQ(flow.blocks[0].kind, MachineBlock::End::MayExit);
  EXPECT_EQ(flow.blocks[1].successors, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(flow.blocks[1].predecessors.size(), 2u);
}

TEST(Flow, WhatCannotBeFollowedSaysSo) {
  EXPECT_NE(find_flow(function_of("/*0000*/ BRX R2 -0x10 ;\n/*0010*/ EXIT ;\n")).error.find("computed branch"),
            std::string::npos);
  EXPECT_NE(find_flow(function_of("/*0000*/ BRA `(elsewhere) ;\n")).error.find("another function"), std::string::npos);
}

TEST(Toolchain, DropsWhatSaysWhatToMake) {
  EXPECT_EQ(flags_for_cubin({"-O2", "-c", "-o", "k.o", "-gencode", "arch=compute_80,code=sm_80", "-arch=sm_80",
                             "-Xcompiler", "-fPIC", "-MD", "-MF", "k.d", "-DX=1", "--use_fast_math", "-lineinfo"}),
            (std::vector<std::string>{"-O2", "-Xcompiler", "-fPIC", "-DX=1", "--use_fast_math"}));
}

} // namespace
} // namespace smem::compiled
