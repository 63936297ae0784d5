// What the gate makes of figures that are not known: never a number, and no verdict either way.
#include "gate/compare_runs.h"
#include "gate/expectations.h"
#include "sample.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

using testing::sample;

std::vector<Finding> expecting(Expectation::Metric metric, bool equal, double limit, const FileAnalysis &file) {
  Expectation expectation;
  expectation.location = {testing::kSampleFile, 6, 1};
  expectation.line = 6;
  expectation.metric = metric;
  expectation.equal = equal;
  expectation.limit = limit;
  expectation.text = "it";
  return check_expectations(std::vector<FileAnalysis>{file}, std::vector<Expectation>{expectation});
}

TEST(Unknown, IsNotZeroForAnExpectation) {
  // Line 6 has a load of 4 sectors a request and a store of which nothing is known.
  const std::vector<Finding> findings = expecting(Expectation::Metric::SectorsPerRequest, true, 4, sample());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].message.find("cannot be shown to hold"), std::string::npos) << findings[0].message;
  EXPECT_EQ(findings[0].verdict, Verdict::Unknown);
}

TEST(Unknown, LowerBoundOfTheDegreeBreaksAnExpectation) {
  FileAnalysis file = sample();
  SiteResult &conflict = file.launches[0].result.sites[0];
  conflict.verdict = Verdict::Unknown;
  conflict.counts = {2, 16, 2, 0, 0, 0, 8};
  EXPECT_NE(expecting(Expectation::Metric::Degree, false, 4, file).at(0).message.find("is broken"), std::string::npos);
  EXPECT_NE(expecting(Expectation::Metric::Degree, false, 16, file).at(0).message.find("cannot be shown"),
            std::string::npos);
  EXPECT_NE(expecting(Expectation::Metric::WavefrontsPerRequest, false, 4, file).at(0).message.find("cannot be shown"),
            std::string::npos);
}

TEST(Unknown, BreaksAnExpectationOnlyAsFarAsTheLaunchIsKnown) {
  FileAnalysis file = sample();
  EXPECT_EQ(expecting(Expectation::Metric::Degree, false, 4, file).at(0).verdict, Verdict::Exact);
  file.launches[0].launch.assumptions = {{"n=4096: not known from the source"}};
  EXPECT_EQ(expecting(Expectation::Metric::Degree, false, 4, file).at(0).verdict, Verdict::Assumed);
}

Change change_of(std::uint64_t before, bool before_known, std::uint64_t after, bool after_known) {
  const auto costs = [](FileAnalysis file, std::uint64_t wavefronts, bool known) {
    file.programs[0].sites.resize(1);
    file.launches[0].result.sites.resize(1);
    SiteResult &site = file.launches[0].result.sites[0];
    site.counts = {10, wavefronts, 10, 0, 0, 0, 2};
    site.verdict = known ? Verdict::Exact : Verdict::Unknown;
    return std::vector<FileAnalysis>{file};
  };
  RepositoryPaths paths;
  const std::vector<FileAnalysis> old = costs(sample(), before, before_known),
                                  now = costs(sample(), after, after_known);
  std::vector<Finding> none;
  const DiffReport report = compare_runs({kernel_costs(old, paths), Baseline()}, now, none, nullptr, paths,
                                         [](const Finding &) { return true; });
  return report.kernels.empty() ? Change::Unchanged : report.kernels[0].change;
}

TEST(Unknown, LowerBoundsAreComparedOnlyWhereTheySayWhichIsMore) {
  EXPECT_EQ(change_of(100, true, 50, true), Change::Better);
  EXPECT_EQ(change_of(100, true, 200, true), Change::Worse);
  EXPECT_EQ(change_of(100, true, 200, false), Change::Unknown);
  EXPECT_EQ(change_of(100, false, 50, true), Change::Better);
  EXPECT_EQ(change_of(100, false, 200, true), Change::Unknown);
  EXPECT_EQ(change_of(100, false, 200, false), Change::Unknown);
  EXPECT_EQ(change_of(100, false, 50, false), Change::Unknown);
  EXPECT_EQ(change_of(100, false, 100, false), Change::Unchanged);
}

} // namespace
} // namespace smem
