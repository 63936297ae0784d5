// What files of machine code, and what Triton keeps beside them, say of themselves: whole, cut off, changed.
#include "sass/cubin.h"
#include "sass/listing.h"
#include "sass/triton_metadata.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

namespace smem::compiled {
namespace {

std::string cubin() {
  std::ifstream file(std::string(SMEM_LINT_TEST_DATA) + "/empty_kernels.cubin", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Cubin, SaysItsArchitectureAndKernels) {
  const ReadCubin read = read_cubin(cubin());
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.cubin.architecture, "sm_90");
  EXPECT_EQ(read.cubin.kernels, (std::vector<std::string>{"_Z3oneILi1EEvPf", "_Z3oneILi2EEvPf", "two"}));
  EXPECT_TRUE(read.cubin.has_lines);
}

TEST(Cubin, CutOffIsAnError) {
  const std::string whole = cubin();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(read_cubin(std::string(whole, 0, size)).error, "") << size;
}

TEST(Cubin, WhateverItIsChangedToIsReadWithinBounds) {
  const std::string whole = cubin();
  std::mt19937_64 random(25);
  for (int round = 0; round < 20000; ++round) {
    std::string changed = whole;
    for (int i = 0; i < 4; ++i)
      changed[random() % changed.size()] = static_cast<char>(random());
    changed.shrink_to_fit();
    (void)read_cubin(changed);
    (void)no_fatbin(changed);
    (void)fatbins_of(changed);
  }
}

TEST(Triton, MetadataOfAKernel) {
  std::string error;
  const auto read = read_triton_metadata(
      R"({"hash": "76c7c1fc", "target": {"backend": "cuda", "arch": 89}, "num_warps": 8, "num_ctas": 2, "num_stages": 3, "shared": 114688, "name": "k"})",
      error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(read->name, "k");
  EXPECT_EQ(read->warps, 8u);
  EXPECT_EQ(read->shared, 114688u);
  EXPECT_EQ(read->stages, 3u);
  EXPECT_EQ(read->blocks_of_a_cluster, 2u);
  EXPECT_EQ(read->hash, "76c7c1fc");
  EXPECT_EQ(read->backend, "cuda");
}

TEST(Triton, WhatIsNoMetadata) {
  std::string error;
  for (const char *text :
       {"[]", "1", "{}", R"({"num_warps": 4})", R"({"name": "k"})", R"({"name": "k", "num_warps": 0})",
        R"({"name": "k", "num_warps": 33})", R"({"name": "", "num_warps": 4})", R"({"child_paths": {}})"}) {
    EXPECT_FALSE(read_triton_metadata(text, error)) << text;
    EXPECT_EQ(error, "") << text;
  }
  for (const char *text : {"", "{", R"({"name": "k", "num_warps": 4)"}) {
    error.clear();
    EXPECT_FALSE(read_triton_metadata(text, error)) << text;
    EXPECT_NE(error, "") << text;
  }
}

TEST(Triton, ArgumentsWithTheirHints) {
  const auto read = read_triton_arguments(
      R"(  tt.func public @k(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32} loc("a(b,c).py":1:2), %n: i32 {tt.divisibility = 8 : i32, tt.max_divisibility = 8 : i32}, %m: i64 loc(unknown)) attributes {} {)",
      "k");
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].name, "a_ptr");
  EXPECT_TRUE(read[0].pointer);
  EXPECT_EQ(read[0].divisibility, 16u);
  EXPECT_EQ(read[1].name, "n");
  EXPECT_FALSE(read[1].pointer);
  EXPECT_EQ(read[1].divisibility, 8u);
  EXPECT_EQ(read[2].divisibility, 1u);
}

TEST(Triton, ArgumentsThatCannotBeRead) {
  EXPECT_TRUE(read_triton_arguments("tt.func public @k(%a: i32", "k").empty());
  EXPECT_TRUE(read_triton_arguments("tt.func public @k(a: i32)", "k").empty());
  EXPECT_TRUE(read_triton_arguments("tt.func public @kk(%a: i32)", "k").empty());
  EXPECT_TRUE(read_triton_arguments("tt.func public @k()", "k").empty());
  EXPECT_TRUE(read_triton_arguments("", "k").empty());
}

} // namespace
} // namespace smem::compiled
