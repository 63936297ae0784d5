// Instructions read by the encodings against what nvdisasm printed for them, and what the encodings must refuse.
#include "sass/disassembler/decode.h"
#include "sass/disassembler/number_text.h"
#include "sass/disassembler/print_cubin.h"
#include "sass/listing.h"

#include <cstring>
#include <fstream>
#include <initializer_list>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace smem::compiled {
namespace {

std::string data_file(const std::string &name) {
  std::ifstream in(std::string(SMEM_LINT_TEST_DATA) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// As the recorded lines have it: labels are L, and no blank stands before a comma or at the end.
std::string plain(std::string text) {
  if (const std::size_t label = text.find("`("); label != std::string::npos)
    text.replace(label, text.find(')', label) + 1 - label, "L");
  for (std::size_t at; (at = text.find(" ,")) != std::string::npos;)
    text.erase(at, 1);
  while (text.ends_with(' '))
    text.pop_back();
  return text;
}

/// Compares with the recorded texts of an architecture; how many are refused, which is left to nvdisasm.
void expect_as_recorded(const std::string &architecture, int most_refused) {
  const ParsedEncodings &encodings = encodings_of(architecture);
  ASSERT_EQ(encodings.error, "");
  std::istringstream lines(data_file("encodings." + architecture + ".txt"));
  std::string line;
  int read = 0, refused = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with("#"))
      continue;
    std::istringstream words(line);
    InstructionWord word;
    words >> std::hex >> word.high >> word.low;
    std::string expected;
    std::getline(words >> std::ws, expected);
    const DecodedInstruction decoded = decode_instruction(encodings.table, word, 0);
    if (decoded.error.empty()) {
      EXPECT_EQ(plain(decoded.text), expected) << line;
    }
    ++(decoded.error.empty() ? read : refused);
  }
  EXPECT_GT(read, 800);
  EXPECT_LE(refused, most_refused);
}

TEST(Disassembler, ReadsInstructionsOfSm90AsNvdisasmDoes) { expect_as_recorded("sm_90", 30); }

TEST(Disassembler, ReadsInstructionsOfSm86AsNvdisasmDoes) { expect_as_recorded("sm_86", 12); }

/// nvlink counts what the system reserves of shared memory, but has no section that says so; ptxas has one.
TEST(Disassembler, SharedMemoryOfLinkedCodeIsWhatIsDeclared) {
  const auto shared = [](const std::string &architecture, const std::string &maker) {
    const ParsedListing parsed = parse_listing(
        "\t.target\t" + architecture + "\n\t.section\t.note.nv.tkinfo,\"\"\n\t.string\t\"" + maker +
        "\"\n\t.section\t.text.k,\"\"\n\t/*0000*/ EXIT ;\n\t.section\t.nv.shared.k,\"\"\n\t.zero\t2048\n");
    return parsed.listing ? parsed.listing->functions.at(0).resources.shared_bytes : std::nullopt;
  };
  EXPECT_EQ(shared("sm_90", "nvlink"), 1024u);
  EXPECT_EQ(shared("sm_90", "ptxas"), 2048u);
  EXPECT_EQ(shared("sm_80", "nvlink"), 2048u);
}

TEST(Disassembler, ParametersBeyondFourKilobytesHaveTheirSizes) {
  const ParsedListing parsed =
      parse_listing("\t.target\tsm_90\n\t.section\t.nv.info.k,\"\"\n\t//----- nvinfo : EIATTR_KPARAM_INFO_V2\n"
                    "\t/*000c*/ .word 0x0\n\t/*0010*/ .short 0x1\n\t/*0012*/ .short 0x2710\n\t/*0014*/ .short 0x8\n"
                    "\t.section\t.text.k,\"\"\n\t/*0000*/ EXIT ;\n");
  ASSERT_TRUE(parsed.listing) << parsed.error;
  const std::vector<ListedParameter> &parameters = parsed.listing->functions.at(0).parameters;
  ASSERT_EQ(parameters.size(), 1u);
  EXPECT_EQ(parameters[0].index, 1u);
  EXPECT_EQ(parameters[0].offset, 0x2710u);
  EXPECT_EQ(parameters[0].size, 8u);
}

/// Every bit of an instruction is read, or a row of its opcode says that it means nothing: with another one set there is another text, or none.
TEST(Disassembler, LeavesNoBitUnread) {
  const EncodingTable &table = encodings_of("sm_90").table;
  std::istringstream lines(data_file("encodings.sm_90.txt"));
  std::string line;
  while (std::getline(lines, line)) {
    InstructionWord word;
    if (line.starts_with("#") || !(std::istringstream(line) >> std::hex >> word.high >> word.low))
      continue;
    const DecodedInstruction decoded = decode_instruction(table, word, 0);
    if (!decoded.error.empty() || decoded.text.find("NAN") != std::string::npos) // of which only the sign is printed
      continue;
    InstructionWord ignored;
    for (const EncodingRow &row : table.rows.at(static_cast<unsigned>(word.bits(0, 12)))) {
      ignored.low |= row.ignored.low;
      ignored.high |= row.ignored.high;
    }
    for (unsigned bit = 12; bit < 105; ++bit) { // behind the opcode
      if (ignored.bits(bit, 1))
        continue;
      InstructionWord other = word;
      (bit < 64 ? other.low : other.high) ^= std::uint64_t(1) << (bit % 64);
      const DecodedInstruction changed = decode_instruction(table, other, 0);
      EXPECT_TRUE(!changed.error.empty() || changed.text != decoded.text) << line << " bit " << bit;
    }
  }
}

TEST(Disassembler, RefusesWhatItDoesNotKnow) {
  const EncodingTable &table = encodings_of("sm_90").table;
  EXPECT_NE(decode_instruction(table, {0xfff, 0}, 0).error, "");
  EXPECT_NE(decode_instruction(table, {0x00000080a04167981, 0x000000000c1e1f00}, 0).error,
            ""); // a width that there is none of
  EXPECT_NE(decode_instruction(table, {0x0000000000147919, 0x000000000000fe00}, 0).error, ""); // no special register
  EXPECT_NE(encodings_of("sm_100").error, "");
}

TEST(Disassembler, BranchesAreRelativeToTheNextInstruction) {
  const EncodingTable &table = encodings_of("sm_90").table;
  const DecodedInstruction back = decode_instruction(table, {0xfffffffc00fc7947, 0x000000000383ffff}, 0x40);
  EXPECT_EQ(back.target, 0x40u);
  EXPECT_EQ(back.text, "BRA `(.L_x_40)");
  const DecodedInstruction on = decode_instruction(table, {0x0000000800a80947, 0x0000000003800000}, 0x10);
  EXPECT_EQ(on.text.substr(0, 8), "@P0 BRA ");
  EXPECT_EQ(on.target, 0x10u + 0x10u + 4 * (2u << 8 | 0xa8u));
}

TEST(Disassembler, RowsThatAreNoneAreErrors) {
  for (const char *row :
       {"223", "xyz MOV", "*23/2468 FFMA", "*23/5 f FFMA {R16}", "223 FFMA {R16", "223 FFMA {Z16}", "223/~200 FFMA",
        "223 FFMA $none", "223/74=g FFMA", "223 FFMA {R125}", "$loop $loop\n223 $loop"})
    EXPECT_NE(parse_encodings(row).error, "") << row;
  const ParsedEncodings both = parse_encodings("$sign {72?-}\n# a comment\n\n123 ADD $sign{R16}\n");
  EXPECT_EQ(both.error, "");
  EXPECT_EQ(decode_instruction(both.table, {0x0000000000057123, 0x100}, 0).text, "ADD -R5");
  EXPECT_EQ(decode_instruction(both.table, {0x0000000100057123, 0x100}, 0).error, "bit 32 is not known");
}

TEST(Disassembler, PrintsNumbersAsNvdisasmDoes) {
  EXPECT_EQ(float_text(0x3f000000), "0.5");
  EXPECT_EQ(float_text(0xbf800000), "-1");
  EXPECT_EQ(float_text(0x80000000), "-0.0 ");
  EXPECT_EQ(float_text(0x4e6e6b28), "1.00000000000000000000e+09");
  EXPECT_EQ(float_text(0x4e000000), "536870912");
  EXPECT_EQ(float_text(0x00000001), "1.4012984643248170709e-45");
  EXPECT_EQ(float_text(0x7f800000), "+INF ");
  EXPECT_EQ(float_text(0xffc00000), "-QNAN ");
  EXPECT_EQ(upper_double_text(0x7ff00001), "+SNAN ");
  EXPECT_EQ(upper_double_text(0x41d00000), "1.07374182400000000000e+09");
  EXPECT_EQ(half_text(0x3555), "0.333251953125");
  EXPECT_EQ(half_text(0x8001), "-5.9604644775390625e-08");
  EXPECT_EQ(half_text(0xfc00), "-INF ");
  EXPECT_EQ(bfloat_text(0x3728), "1.0013580322265625e-05");
  EXPECT_EQ(hexadecimal_text(-4), "-0x4");
}

/// The bytes of a section of an ELF file of 64 bits, in the file.
std::size_t section_at(const std::string &file, const std::string &name, std::size_t &header) {
  const auto number = [&](std::size_t at, unsigned size) {
    std::uint64_t value = 0;
    std::memcpy(&value, file.data() + at, size);
    return static_cast<std::size_t>(value);
  };
  constexpr std::size_t kHeader = 64;
  const std::size_t headers = number(40, 8), count = number(60, 2),
                    names = number(headers + kHeader * number(62, 2) + 24, 8);
  for (std::size_t i = 0; i < count; ++i) {
    header = headers + kHeader * i;
    if (file.c_str() + names + number(header, 4) == name)
      return number(header + 24, 8);
  }
  return 0;
}

TEST(Disassembler, RefusesFilesThatAreOtherThanTheySeem) {
  const std::string whole = data_file("disassembled.cubin");
  const std::string kernel = "_Z4toldPKiPi";
  std::size_t header = 0;
  const std::size_t info = section_at(whole, ".nv.info." + kernel, header),
                    code = section_at(whole, ".text." + kernel, header);
  ASSERT_NE(info, 0u);
  ASSERT_NE(code, 0u);
  const auto with = [&](std::size_t at, std::initializer_list<int> bytes) {
    std::string changed = whole;
    for (const int byte : bytes)
      changed[at++] = static_cast<char>(byte);
    return print_cubin(changed).error;
  };
  EXPECT_EQ(with(code, {}), "");
  EXPECT_NE(with(info + 1, {0x7e}), "");          // an attribute that is not known
  EXPECT_NE(with(info + 2, {0xff, 0xff}), "");    // longer than the section
  EXPECT_NE(with(code, {0xff, 0x0f}), "");        // no instruction
  EXPECT_NE(with(header + 4, {8}), "");           // code without bytes (SHT_NOBITS)
  EXPECT_NE(with(header + 32, {0x08, 0, 0}), ""); // code that breaks off
  EXPECT_NE(with(16, {1}), "");                   // relocatable (ET_REL)
  const std::size_t name = whole.find(kernel);
  ASSERT_NE(name, std::string::npos);
  std::string injected = whole;
  for (std::size_t at = 0; (at = injected.find(kernel, at)) != std::string::npos; ++at)
    injected[at + 2] = '\n';
  EXPECT_NE(print_cubin(injected).error, "");
}

/// A damaged file gives an error or a listing that can be read, and nothing else.
TEST(Disassembler, DamagedCubinsAreErrorsOrListings) {
  const std::string whole = data_file("disassembled.cubin");
  ASSERT_EQ(print_cubin(whole).error, "");
  std::mt19937 generator(7);
  int errors = 0;
  for (int i = 0; i < 400; ++i) {
    std::string damaged = whole;
    if (i % 4 == 0)
      damaged.resize(generator() % damaged.size());
    for (unsigned changes = 1 + generator() % 8; changes > 0 && !damaged.empty(); --changes)
      damaged[generator() % damaged.size()] = static_cast<char>(generator());
    const PrintedCubin printed = print_cubin(damaged);
    errors += !printed.error.empty();
    if (printed.error.empty()) {
      const ParsedListing parsed = parse_listing(printed.text);
      EXPECT_TRUE(parsed.listing || !parsed.error.empty());
    }
  }
  EXPECT_GT(errors, 40);
}

} // namespace
} // namespace smem::compiled
