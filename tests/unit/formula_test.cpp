#include <gtest/gtest.h>

#include "smem/formula.h"
#include "smem/integer_division.h"
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

ArgumentFacts leaves(std::int64_t remainder, std::int64_t modulus) {
  ArgumentFacts facts;
  facts.modulus = modulus;
  facts.remainder = remainder;
  return facts;
}

// Against all residues of the least common multiple.
TEST(ArgumentFacts, CombinesWhatTwoRemaindersAdmit) {
  for (std::int64_t m = 1; m <= 14; ++m)
    for (std::int64_t n = 1; n <= 14; ++n)
      for (std::int64_t r = 0; r < m; ++r)
        for (std::int64_t s = 0; s < n; ++s) {
          const auto both = combine(leaves(r, m), leaves(s, n));
          bool some = false;
          for (std::int64_t value = -m * n; value < m * n; ++value) {
            const bool fits = floor_mod(value, m) == r && floor_mod(value, n) == s;
            some |= fits;
            ASSERT_EQ(fits, both && both->admits(value))
                << value << ": " << r << " of " << m << ", " << s << " of " << n;
          }
          ASSERT_EQ(some, both.has_value());
        }
}

// Found by smem-fuzz-launch-text: the least common multiple of four moduli leaves 64 bits.
TEST(ArgumentFacts, OfFarRemaindersNumbersAreLeft) {
  const std::int64_t wanted = 123456789012345678, moduli[] = {1048573, 1048571, 1048559, 1048517};
  ArgumentFacts facts;
  for (const std::int64_t modulus : moduli) {
    const auto both = combine(facts, leaves(wanted % modulus, modulus));
    ASSERT_TRUE(both);
    ASSERT_TRUE(both->admits(wanted));
    facts = *both;
  }
  EXPECT_EQ(facts.least, wanted);
  EXPECT_EQ(facts.most, wanted);
  EXPECT_FALSE(combine(facts, leaves((wanted + 1) % 1048549, 1048549)));
  ArgumentFacts positive;
  positive.least = wanted + 1;
  EXPECT_FALSE(combine(facts, positive));
}

} // namespace
} // namespace smem
