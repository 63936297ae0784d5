// Small parts that measuring stands on.
#include "support/driver_version.h"
#include "support/process.h"
#include "support/scratch_folder.h"
#include "support/sha256.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace smem_lint::validate {
namespace {

std::string hash(const std::string &text) {
  std::istringstream in(text);
  return sha256(in);
}

TEST(Sha256, EqualsThePublishedExamples) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfLengthsAroundABlock) {
  // The length no longer fits beside 56 bytes, and 64 are a block of their own.
  EXPECT_EQ(hash(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hash(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hash(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(DriverVersion, OfBothKindsOfModule) {
  EXPECT_EQ(
      parse_driver_version(
          "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\nGCC version: 12.3.0\n"),
      "535.183.01");
  EXPECT_EQ(parse_driver_version(
                "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build  (x@)\n"),
            "580.159.04");
  EXPECT_EQ(parse_driver_version(""), "");
  EXPECT_EQ(parse_driver_version("GCC version: gcc\n12.3.0"), "");
}

TEST(Process, EndsInOneOfThreeWays) {
  const auto code = run({{"sh", "-c", "exit 3"}, {}, ""});
  ASSERT_TRUE(code);
  EXPECT_TRUE(code->started);
  EXPECT_EQ(code->code, 3);
  const auto killed = run({{"sh", "-c", "kill -TERM $$"}, {}, ""});
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->signal, 15);
  EXPECT_EQ(killed->code, 128 + 15);
  const auto missing = run({{"/there/is/no/such/program"}, {}, ""});
  ASSERT_TRUE(missing);
  EXPECT_FALSE(missing->started);
  // What exits like a shell that found no program was started all the same.
  EXPECT_TRUE(run({{"sh", "-c", "exit 127"}, {}, ""})->started);
}

TEST(Process, TakesEnvironmentAndOutput) {
  const ScratchFolder folder;
  const std::string file = folder.path() / "out";
  run({{"sh", "-c", "echo $NAME; echo error >&2"}, {{"NAME", "value"}}, file});
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "value\nerror\n");
}

} // namespace
} // namespace smem_lint::validate
