#include <gtest/gtest.h>

#include "smem/formula.h"
#include "smem/launch.h"

namespace smem {
namespace {

TEST(Formula, TakesOutWhatAllTermsShare) {
  Formula sum;
  EXPECT_EQ(to_string(sum), "0");
  sum.add({8, {"n", "gridDim.x"}});
  EXPECT_EQ(to_string(sum), "8*gridDim.x*n");
  sum.add({4, {"gridDim.x"}});
  EXPECT_EQ(to_string(sum), "4*gridDim.x*(2*n + 1)");
  sum.add({-12, {"gridDim.x", "n % 4"}});
  EXPECT_EQ(to_string(sum), "4*gridDim.x*(2*n + 1 - 3*(n % 4))");
}

TEST(Formula, ConditionsStandLast) {
  Formula sum;
  sum.add({2, {"[n >= 1]", "m"}});
  sum.add({6, {"[n >= 1]"}});
  EXPECT_EQ(to_string(sum), "2*(m + 3)*[n >= 1]");
}

TEST(Formula, EqualTermsAdd) {
  Formula a, b;
  a.add({3, {"n", "m"}});
  b.add({-3, {"m", "n"}});
  a += b;
  EXPECT_TRUE(a.constant());
  EXPECT_EQ(to_string(a), "0");
  a += Formula(7);
  EXPECT_TRUE(a.constant());
  EXPECT_EQ(to_string(a), "7");
}

TEST(ArgumentFacts, CombineOrContradict) {
  ArgumentFacts even, thirds, least;
  even.modulus = 2;
  thirds.modulus = 3;
  thirds.remainder = 1;
  least.least = 100;
  const auto both = combine(even, thirds);
  ASSERT_TRUE(both);
  EXPECT_EQ(to_string(*both, "n"), "n % 6 == 4");
  EXPECT_EQ(combine(*both, least)->nearest(0), 100);
  EXPECT_EQ(combine(*both, least)->nearest(101), 106);
  ArgumentFacts odd;
  odd.modulus = 4;
  odd.remainder = 1;
  EXPECT_FALSE(combine(even, odd));
  ArgumentFacts most;
  most.most = 99;
  EXPECT_FALSE(combine(most, least));
  EXPECT_TRUE(odd.admits(-3));
  EXPECT_FALSE(odd.admits(-1));
}

} // namespace
} // namespace smem
