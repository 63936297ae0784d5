// Which launches are measured.
#include "measure/launch_filter.h"

#include <gtest/gtest.h>

#include <vector>

namespace smem_lint::validate {
namespace {

class Environment : public testing::Test {
protected:
  void set(const char *name, const char *value) {
    setenv(name, value, 1);
    names_.push_back(name);
  }
  ~Environment() override {
    for (const char *name : names_)
      unsetenv(name);
  }

  // Of five launches: a, b, a, a, b, the last but one in another shape.
  static std::vector<int> wanted() {
    LaunchFilter filter = LaunchFilter::from_environment();
    std::vector<int> found;
    int index = 0;
    for (const char kernel : std::string("abaab")) {
      if (filter.wants(std::string("_Z1") + kernel + "v", std::string(1, kernel) + "()",
                       index == 3 ? "wide" : "narrow"))
        found.push_back(index);
      ++index;
    }
    EXPECT_EQ(filter.taken(), found.size());
    return found;
  }

private:
  std::vector<const char *> names_;
};
using LaunchFilters = Environment;

TEST_F(LaunchFilters, WithoutSettingsAll) { EXPECT_EQ(wanted(), (std::vector<int>{0, 1, 2, 3, 4})); }

TEST_F(LaunchFilters, ByEitherName) {
  set("SMEM_MEASURE_KERNEL", "^a\\(");
  EXPECT_EQ(wanted(), (std::vector<int>{0, 2, 3}));
  set("SMEM_MEASURE_KERNEL", "^_Z1b");
  EXPECT_EQ(wanted(), (std::vector<int>{1, 4}));
}

TEST_F(LaunchFilters, SkipAndCountAreOfThoseThatMatch) {
  set("SMEM_MEASURE_KERNEL", "a");
  set("SMEM_MEASURE_SKIP", "1");
  EXPECT_EQ(wanted(), (std::vector<int>{2, 3}));
  set("SMEM_MEASURE_COUNT", "1");
  EXPECT_EQ(wanted(), (std::vector<int>{2}));
}

TEST_F(LaunchFilters, EachIsOfOneKernelInOneShape) {
  set("SMEM_MEASURE_EACH", "1");
  EXPECT_EQ(wanted(), (std::vector<int>{0, 1, 3}));
  set("SMEM_MEASURE_SKIP", "1");
  EXPECT_EQ(wanted(), (std::vector<int>{1, 2, 3}));
  set("SMEM_MEASURE_COUNT", "2");
  EXPECT_EQ(wanted(), (std::vector<int>{1, 2}));
}

TEST_F(LaunchFilters, WhatIsNoExpressionThrows) {
  set("SMEM_MEASURE_KERNEL", "(");
  EXPECT_THROW(LaunchFilter::from_environment(), std::regex_error);
}

} // namespace
} // namespace smem_lint::validate
