// Comments that steer: NOLINT and expectations.
#include "gate/expectations.h"
#include "gate/suppressions.h"
#include "sample.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace smem {
namespace {

using testing::sample;

NoLints nolints(const std::string &text) { return find_nolints("k.cu", comment_lines(text)); }

TEST(CommentLines, AreThoseOfTheLexer) {
  const std::vector<CommentLine> found =
      comment_lines("int a; // one\n"
                    "const char *s = \"// no comment\"; const char *r = R\"(/* nor this */)\";\n"
                    "  /* two\n   three */ int b; // four\r\n"
                    "char c = '\\''; // five");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0].text, " one");
  EXPECT_EQ(found[0].line, 1u);
  EXPECT_EQ(found[0].column, 10u);
  EXPECT_FALSE(found[0].alone);
  EXPECT_EQ(found[1].text, " two");
  EXPECT_TRUE(found[1].alone);
  EXPECT_EQ(found[2].line, 4u);
  EXPECT_EQ(found[3].text, " four");
  EXPECT_EQ(found[4].text, " five");
}

TEST(NoLint, EveryFormHasItsLinesAndReason) {
  const NoLints found = nolints("a; // NOLINT(smem-bank-conflict): once a block\n"
                                "// NOLINTNEXTLINE(gmem-*, smem-capacity)\n"
                                "b;\n"
                                "// NOLINTBEGIN(smem-*)\n"
                                "c;\n"
                                "// NOLINTEND(smem-*)\n"
                                "d; // NOLINT\n");
  ASSERT_TRUE(found.diagnostics.empty()) << found.diagnostics[0].message;
  ASSERT_EQ(found.comments.size(), 4u);
  EXPECT_EQ(found.comments[0].reason, "once a block");
  EXPECT_EQ(found.comments[0].first, 1u);
  EXPECT_EQ(found.comments[1].first, 3u);
  EXPECT_EQ(found.comments[1].rules, (std::vector<std::string>{"gmem-*", "smem-capacity"}));
  EXPECT_EQ(found.comments[2].first, 4u);
  EXPECT_EQ(found.comments[2].last, 6u);
  EXPECT_TRUE(found.comments[3].all);
}

TEST(NoLint, OtherToolsNamesAreTheirs) {
  const NoLints found = nolints("a; // NOLINT(bugprone-sizeof-expression)\n"
                                "// NOLINTBEGIN(readability-*)\n"
                                "b; // NOLINT(cppcoreguidelines-pro-bounds-constant-array-index, smem-bank-conflict)\n"
                                "c; // XNOLINT(smem-bank-conflict) NOLINTER\n");
  EXPECT_TRUE(found.diagnostics.empty());
  ASSERT_EQ(found.comments.size(), 1u);
  EXPECT_EQ(found.comments[0].rules, (std::vector<std::string>{"smem-bank-conflict"}));
}

TEST(NoLint, MistakesAreErrorsWithTheirPlace) {
  const NoLints found = nolints("a; // NOLINT(smem-bank-conflct)\n// NOLINTBEGIN(smem-*)\nb; // NOLINTEND(gmem-*)\n");
  ASSERT_EQ(found.diagnostics.size(), 3u);
  EXPECT_EQ(found.diagnostics[0].message,
            "NOLINT names an unknown rule 'smem-bank-conflct'; did you mean 'smem-bank-conflict'?");
  EXPECT_EQ(found.diagnostics[0].location, (SourceLocation{"k.cu", 1, 7}));
  EXPECT_EQ(found.diagnostics[1].message, "NOLINTEND(gmem-*) without a NOLINTBEGIN(gmem-*)");
  EXPECT_EQ(found.diagnostics[2].message, "NOLINTBEGIN(smem-*) without a NOLINTEND(smem-*)");
}

TEST(NoLint, SuppressesItsLineAndIsUnusedElsewhere) {
  FileAnalysis file = sample();
  file.launches[0].result.sites[3].verdict = Verdict::Exact; // the unknown access of line 6
  const std::vector<FileAnalysis> files{file};
  std::vector<Finding> findings = find_all(files);
  const auto used =
      find_nolints(testing::kSampleFile,
                   comment_lines("\n\n\n\n\nx; // NOLINT(smem-bank-conflict): why not\ny; // NOLINT(smem-*)\n"));
  const FindingOptions options;
  apply_nolints(files, used.comments, findings, [&](const std::string &) -> const FindingOptions & { return options; });
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_FALSE(findings[0].suppression);
  ASSERT_TRUE(findings[1].suppression);
  EXPECT_EQ(findings[1].suppression->reason, "why not");
  EXPECT_EQ(findings[2].rule->id, rule::unused_nolint);
  EXPECT_EQ(findings[2].location.line, 7u);
}

TEST(NoLint, IsNotCalledUnusedBesideAnUnknownAccessOrForADisabledRule) {
  const std::vector<FileAnalysis> files{sample()};
  std::vector<Finding> findings;
  const auto comments = find_nolints(
      testing::kSampleFile, comment_lines("\n\n\n\n\nx; // NOLINT(gmem-uncoalesced)\n// NOLINT(smem-capacity)\n"));
  FindingOptions options;
  ASSERT_EQ(options.checks.add("-smem-capacity"), "");
  apply_nolints(files, comments.comments, findings,
                [&](const std::string &) -> const FindingOptions & { return options; });
  EXPECT_TRUE(findings.empty());
}

Expectations expectations(const std::string &text) {
  return find_expectations(testing::kSampleFile, text, comment_lines(text));
}

TEST(Expect, ReadsFiguresAndLines) {
  const Expectations found = expectations("x; // smem-lint: expect degree<=2, sectors/request==4 // NOLINT: why\n"
                                          "// smem-lint: expect wavefronts/request<=1.5\n"
                                          "// why\n"
                                          "\n"
                                          "y;\n"
                                          "// smem-lint: launch block=32\n"
                                          "const char *s = \"// smem-lint: expect degree<=2\";\n");
  ASSERT_TRUE(found.diagnostics.empty()) << found.diagnostics[0].message;
  ASSERT_EQ(found.expectations.size(), 3u);
  EXPECT_EQ(found.expectations[0].line, 1u);
  EXPECT_EQ(found.expectations[1].metric, Expectation::Metric::SectorsPerRequest);
  EXPECT_TRUE(found.expectations[1].equal);
  EXPECT_EQ(found.expectations[2].line, 5u);
  EXPECT_EQ(found.expectations[2].limit, 1.5);
}

TEST(Expect, MistakesAreErrors) {
  for (const char *wrong : {"expect", "expect degre<=2", "expect degree<2", "expect degree", "expect degree<=two",
                            "expect degree<=-1", "expect degree<=2x"}) {
    const Expectations found = expectations(std::string("x; // smem-lint: ") + wrong + "\n");
    EXPECT_EQ(found.diagnostics.size(), 1u) << wrong;
    EXPECT_TRUE(found.expectations.empty()) << wrong;
  }
  EXPECT_EQ(expectations("x; // smem-lint: expect degre<=2\n").diagnostics[0].message,
            "expect comment: unknown figure 'degre'; did you mean 'degree'?");
}

std::vector<std::string> broken(const std::string &text) {
  const std::vector<FileAnalysis> files{sample()};
  std::vector<std::string> out;
  for (const Finding &finding : check_expectations(files, expectations(text).expectations))
    out.push_back(std::string(finding.rule->id) + ": " + finding.message);
  return out;
}

TEST(Expect, IsHeldBrokenStaleOrNotKnown) {
  const std::string five(5, '\n'), three(3, '\n');
  EXPECT_TRUE(broken(five + "x; // smem-lint: expect degree<=32 wavefronts/request==32\n").empty());
  EXPECT_EQ(broken(five + "x; // smem-lint: expect degree<=31\n"),
            (std::vector<std::string>{"expectation-broken: expectation `degree<=31` is broken: it is 32"}));
  EXPECT_EQ(broken(three + "x; // smem-lint: expect sectors/request==4\n"),
            (std::vector<std::string>{"expectation-broken: expectation `sectors/request==4` is broken: it is 32"}));
  EXPECT_EQ(broken("x; // smem-lint: expect degree<=2\n"),
            (std::vector<std::string>{
                "expectation-stale: expectation `degree<=2` is stale: line 1 has no such memory instruction"}));
  EXPECT_EQ(broken(five + "x; // smem-lint: expect sectors/request<=4\n"),
            (std::vector<std::string>{"expectation-broken: expectation `sectors/request<=4` cannot be shown to hold: "
                                      "depends on order[threadIdx.x], loaded from global memory"}));
}

TEST(Budgets, HoldForKernelsAndGoStaleWithTheirFile) {
  const std::vector<FileAnalysis> files{sample()};
  std::vector<KernelBudget> budgets(1);
  budgets[0].kernel = "trans*";
  budgets[0].shared_bytes = 4096;
  budgets[0].location = {".smem-lint.yaml", 3, 5};
  EXPECT_TRUE(check_budgets(files, {&budgets}).empty());
  budgets[0].shared_bytes = 4095;
  ASSERT_EQ(check_budgets(files, {&budgets}).size(), 1u);
  EXPECT_EQ(check_budgets(files, {&budgets})[0].message,
            "budget of transpose: bytes of shared memory 4096 instead of at most 4095");
  budgets[0].kernel = "other";
  EXPECT_TRUE(check_budgets(files, {&budgets}).empty()); // of some other file
  budgets[0].file = std::filesystem::absolute(testing::kSampleFile).string();
  ASSERT_EQ(check_budgets(files, {&budgets}).size(), 1u);
  EXPECT_EQ(check_budgets(files, {&budgets})[0].rule->id, rule::expectation_stale);
}

} // namespace
} // namespace smem
