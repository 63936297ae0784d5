// Verdicts follow what machine code has shown of accesses that rest on the same.
#include "analysis/calibrate.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

const Assumption kUnroll{"nvcc unrolls the loop as modelled", {}, "assumed-unroll"}, kSize{"n=1024: not known"};

SiteResult site(std::vector<Assumption> assumptions) {
  SiteResult result;
  result.executed = true;
  result.verdict = assumptions.empty() ? Verdict::Exact : Verdict::Assumed;
  result.reason = to_string(assumptions);
  result.assumptions = std::move(assumptions);
  return result;
}

SimulationResult calibrated(SiteResult one, bool claimed) {
  SimulationResult result;
  result.sites.push_back(std::move(one));
  calibrate(result, [=](const std::set<std::string> &) { return claimed; });
  return result;
}

TEST(Calibrate, AnUncertaintyThatIsNone) {
  const SiteResult only = calibrated(site({kUnroll}), true).sites.front();
  EXPECT_EQ(only.verdict, Verdict::Exact);
  EXPECT_EQ(only.reason, "");
  EXPECT_EQ(only.established, std::vector<std::string>{"assumed-unroll"});
  const SiteResult beside = calibrated(site({kSize, kUnroll}), true).sites.front();
  EXPECT_EQ(beside.verdict, Verdict::Assumed);
  EXPECT_EQ(beside.reason, to_string({kSize}));
  const SiteResult open = calibrated(site({kUnroll}), false).sites.front();
  EXPECT_EQ(open.verdict, Verdict::Assumed);
  EXPECT_EQ(open.assumptions, std::vector<Assumption>{kUnroll});
}

TEST(Calibrate, AModelThatIsWrongTooOftenClaimsNothing) {
  const SiteResult claim = calibrated(site({}), false).sites.front();
  EXPECT_EQ(claim.verdict, Verdict::Assumed);
  ASSERT_EQ(claim.assumptions.size(), 1u);
  EXPECT_EQ(claim.assumptions.front().id, "assumed-calibration");
  EXPECT_EQ(calibrated(site({}), true).sites.front().verdict, Verdict::Exact);
  SiteResult unknown = site({});
  unknown.verdict = Verdict::Unknown;
  EXPECT_EQ(calibrated(unknown, true).sites.front().verdict, Verdict::Unknown);
}

// What the figures of the present model say of these is no test's business, but who decides is.
TEST(Calibrate, ByTheShareOfRightRows) {
  constexpr std::uint32_t kWrong = 10;
  const CalibratedClass enough{"assumed-unroll", 1000 * kWrong - kWrong, kWrong},
      less{"assumed-unroll", 1000 * kWrong - kWrong - 1, kWrong}, few{"assumed-unroll", kClaimedRows - 1, 0};
  for (const bool uncertain : {false, true}) {
    EXPECT_TRUE(may_be_claimed(&enough, uncertain));
    EXPECT_EQ(may_be_claimed(&few, uncertain), !uncertain);
    EXPECT_EQ(may_be_claimed(nullptr, uncertain), !uncertain);
  }
  EXPECT_FALSE(may_be_claimed(&less, true));
  // Claims are withdrawn where it is not by chance: 6 of 3,709 may be, 12 are not.
  const CalibratedClass chance{"", 3703, 6}, shown{"", 3697, 12};
  EXPECT_TRUE(may_be_claimed(&chance, false));
  EXPECT_FALSE(may_be_claimed(&shown, false));
}

} // namespace
} // namespace smem
