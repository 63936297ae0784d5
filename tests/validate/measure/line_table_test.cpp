// What measuring reads out of a cubin: instructions and their lines, from one that nvcc made, whole and damaged.
#include "elf_image.h"
#include "instruction.h"
#include "cubin_lines.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

namespace smem_lint::validate {
namespace {

std::string cubin() {
  std::ifstream in(SMEM_LINT_TEST_DATA "/lines.cubin", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Found {
  std::string what;                 // opcode and width
  std::vector<std::uint32_t> lines; // innermost first
  bool operator==(const Found &) const = default;
};

// The memory instructions of a function, in order.
std::vector<Found> memory_instructions(const std::string &bytes, const std::string &function) {
  const auto image = ElfImage::parse(bytes);
  const smem::LineTable lines = read_line_table(bytes);
  std::vector<Found> found;
  const auto *text = image ? image->find(".text." + function) : nullptr;
  for (std::uint64_t pc = 0; text && pc + 16 <= text->bytes.size(); pc += 16) {
    const Instruction instruction = decode(text->bytes.substr(pc));
    if (!instruction.opcode[0])
      continue;
    Found entry{std::string(instruction.opcode) + " " + std::to_string(instruction.width), {}};
    for (const smem::LinePosition &position : lines.at(function, pc))
      entry.lines.push_back(position.line);
    found.push_back(entry);
  }
  return found;
}

TEST(LineTable, LinesAndTheCallsTheyWereInlinedThrough) {
  const std::vector<Found> expected{{"LDG 128", {8}}, {"STS 128", {8}}, {"LDS 32", {3, 11}}, {"STG 32", {11}}};
  EXPECT_EQ(memory_instructions(cubin(), "staged"), expected);
  EXPECT_EQ(memory_instructions(cubin(), "plain"), (std::vector<Found>{{"STG 64", {15}}}));
}

TEST(LineTable, NamesFilesAndInlinedFunctions) {
  const std::string bytes = cubin();
  const smem::LineTable lines = read_line_table(bytes);
  const auto image = ElfImage::parse(bytes);
  const auto *text = image->find(".text.staged");
  ASSERT_TRUE(text);
  unsigned seen = 0;
  for (std::uint64_t pc = 0; pc + 16 <= text->bytes.size(); pc += 16)
    if (std::string_view(decode(text->bytes.substr(pc)).opcode) == "LDS") {
      const auto chain = lines.at("staged", pc);
      ASSERT_EQ(chain.size(), 2u);
      EXPECT_TRUE(chain[0].file.ends_with("lines.cu")) << chain[0].file;
      EXPECT_NE(chain[0].function.find("twice"), std::string::npos) << chain[0].function;
      EXPECT_TRUE(chain[1].function.empty());
      ++seen;
    }
  EXPECT_EQ(seen, 1u);
}

TEST(LineTable, OfWhatIsNoCubinIsEmpty) {
  for (const std::string &bytes : {std::string(),
                                   std::string("\x7f"
                                               "ELF"),
                                   std::string(4096, '\0'), std::string(4096, '\xff')}) {
    EXPECT_TRUE(read_line_table(bytes).empty());
    EXPECT_TRUE(read_line_table(bytes).at("staged", 0).empty());
  }
  EXPECT_TRUE(read_line_table(cubin()).at("no_such_function", 0).empty());
}

// The library runs inside other people's programs: no file may bring it down. Sanitizers see what this does not.
TEST(LineTable, DamagedCubinsAreReadWithoutHarm) {
  const std::string good = cubin();
  for (std::size_t size = 0; size < good.size(); size += 7)
    memory_instructions(good.substr(0, size), "staged");
  std::uint32_t random = 12345;
  for (int i = 0; i < 4000; ++i) {
    std::string bad = good;
    for (int change = 0; change < 4; ++change) {
      random = random * 1664525u + 1013904223u;
      bad[random % bad.size()] = static_cast<char>(random >> 24);
    }
    memory_instructions(bad, "staged");
  }
}

TEST(LineTable, AnOperationThatLeadsBackDoesNotEndInALoop) {
  // A unit of DWARF 2 without files, whose first extended operation is so long that it leads back to itself.
  std::string bytes;
  const auto number = [&](std::uint64_t value, int size) {
    for (; size > 0; --size, value >>= 8)
      bytes += static_cast<char>(value & 0xff);
  };
  const std::string program("\0\xf5\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01\x01\x01", 14);
  const std::string header("\x01\x01\xff\x04\x01\0\0", 7);
  number(2 + 4 + header.size() + program.size(), 4);
  number(2, 2);
  number(header.size(), 4);
  bytes += header + program;
  EXPECT_TRUE(smem::LineTable::read(bytes, {}, {}).empty());
}

TEST(Decode, WhatIsNoMemoryInstructionHasNoName) {
  EXPECT_STREQ(decode(std::string(16, '\0')).opcode, "");
  EXPECT_STREQ(decode("short").opcode, "");
}

// Sums of half-precision and of bfloat16 numbers by generic address: atomicAdd(__nv_bfloat162 *) in nvcc's code for sm_90.
TEST(Decode, GenericAtomicsOfFloatingPoint) {
  std::string code(16, '\0');
  code[0] = '\xa2';
  code[1] = '\x09';
  EXPECT_STREQ(decode(code).opcode, "ATOM");
  EXPECT_STREQ(decode(code).operation, "atomic");
}

} // namespace
} // namespace smem_lint::validate
