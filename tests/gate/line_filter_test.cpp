// Lines of a change, as JSON and as a unified diff.
#include "gate/line_filter.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

bool keeps(const std::string &filter, SourceLocation location, SourceLocation declaration = {}) {
  std::string error;
  const LineFilter parsed = LineFilter::parse(filter, error);
  EXPECT_EQ(error, "") << filter;
  Finding finding;
  finding.location = std::move(location);
  return parsed.keeps(finding, declaration);
}

std::string error_of(const std::string &filter) {
  std::string error;
  LineFilter::parse(filter, error);
  return error;
}

TEST(LineFilter, Json) {
  const std::string filter = R"([{"name": "src/k.cu", "lines": [[3, 5], [9, 9]]}, {"name": "whole.cu"}])";
  EXPECT_TRUE(keeps(filter, {"src/k.cu", 3, 1}));
  EXPECT_TRUE(keeps(filter, {"/a/src/k.cu", 9, 1}));
  EXPECT_FALSE(keeps(filter, {"src/k.cu", 6, 1}));
  EXPECT_FALSE(keeps(filter, {"other/k.cu", 3, 1}));
  EXPECT_FALSE(keeps(filter, {"xsrc/k.cu", 3, 1}));
  EXPECT_TRUE(keeps(filter, {"a/whole.cu", 77, 1}));
  EXPECT_TRUE(keeps(filter, {"src/k.cu", 40, 1}, {"src/k.cu", 4, 20})); // the array is declared on a changed line
  EXPECT_FALSE(keeps("[]", {"src/k.cu", 3, 1}));
}

TEST(LineFilter, DiffHasTheLinesOfTheNewSide) {
  const std::string diff = "diff --git a/src/k.cu b/src/k.cu\n"
                           "--- a/src/k.cu\t2024-01-01\n"
                           "+++ b/src/k.cu\t2024-01-02\n"
                           "@@ -1,4 +1,5 @@ __global__ void k()\n"
                           " one\n"
                           "-two\n"
                           "+TWO\n"
                           "+and a half\n"
                           " three\n"
                           " four\n"
                           "@@ -20 +21 @@\n"
                           "---- a line that looks like a header\n"
                           "+++ b/other.cu\n"
                           "--- a/gone.cu\n"
                           "+++ /dev/null\n"
                           "@@ -1 +0,0 @@\n"
                           "-x\n"
                           "\\ No newline at end of file\n";
  EXPECT_FALSE(keeps(diff, {"src/k.cu", 1, 1}));
  EXPECT_TRUE(keeps(diff, {"src/k.cu", 2, 1}));
  EXPECT_TRUE(keeps(diff, {"src/k.cu", 3, 1}));
  EXPECT_FALSE(keeps(diff, {"src/k.cu", 4, 1}));
  EXPECT_TRUE(keeps(diff, {"src/k.cu", 21, 1}));
  EXPECT_FALSE(keeps(diff, {"other.cu", 1, 1}));
  EXPECT_FALSE(keeps("", {"src/k.cu", 1, 1}));
}

TEST(LineFilter, WhatCannotBeReadIsAnError) {
  for (const char *wrong : {"[", "[1]", "[{}]", "[{\"name\": \"\"}]", "[{\"name\": \"k\", \"lines\": 3}]",
                            "[{\"name\": \"k\", \"lines\": [[2, 1]]}]", "[{\"name\": \"k\", \"lines\": [[0, 1]]}]",
                            "[{\"name\": \"k\", \"line\": []}]", "some words\n", "--- a/k\n+++ b/k\n@@ nonsense @@\n",
                            "@@ -1 +1 @@\n+x\n", "--- a/k\n+++ b/k\n@@ -1,3 +1,3 @@\n x\n"})
    EXPECT_NE(error_of(wrong), "") << wrong;
}

} // namespace
} // namespace smem
