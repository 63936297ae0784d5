// `.smem-lint.yaml`: what it says, and what is wrong with it, with the line.
#include "config/config.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

ParsedConfig parse(const std::string &text) { return parse_config(text, ".smem-lint.yaml", "/project"); }

std::string first_error(const std::string &text) {
  const ParsedConfig parsed = parse(text);
  if (parsed.diagnostics.empty())
    return {};
  return to_string(parsed.diagnostics[0].location) + ": " + parsed.diagnostics[0].message;
}

TEST(Config, SaysEverything) {
  const ParsedConfig parsed = parse("InheritParentConfig: true\n"
                                    "Checks: '-*,smem-*'\n"
                                    "WarningsAsErrors: [smem-bank-conflict, 'gmem-*']\n"
                                    "HeaderFilterRegex: 'src/.*'\n"
                                    "FailOn: error\n"
                                    "Arch: sm_80\n"
                                    "ExtraArgs: [-Iinclude, '-DTILE=64']\n"
                                    "Launches:\n"
                                    "  - 'transpose*:block=(32,8) grid=(4,4) n=128'\n"
                                    "Thresholds:\n"
                                    "  NoteBelowShare: 0.05\n"
                                    "  ErrorAboveShare: 0.5\n"
                                    "Budgets:\n"
                                    "  - Kernel: transpose\n"
                                    "    Degree: 2\n"
                                    "    File: src/k.cu\n"
                                    "Baseline: ci/baseline.json\n"
                                    "PerPath: [{Path: 'a/**', Checks: '-*', Severity: {'gmem-*': note}}]\n"
                                    "Severity: {smem-bank-conflict: error}\n"
                                    "Exclude: third_party\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.diagnostics[0].message;
  const Config &config = parsed.config;
  EXPECT_TRUE(config.inherit_parent);
  ASSERT_EQ(config.checks.size(), 2u);
  EXPECT_EQ(config.checks[0].only, nullptr);
  ASSERT_NE(config.checks[1].only, nullptr);
  EXPECT_TRUE(any_covers(*config.checks[1].only, "/project/a/b/k.cu"));
  ASSERT_EQ(config.severities.size(), 2u); // what holds for some paths comes last
  EXPECT_EQ(config.severities[0].rule, "smem-bank-conflict");
  EXPECT_EQ(config.severities[1].severity, Diagnostic::Severity::Note);
  ASSERT_EQ(config.exclude.size(), 1u);
  EXPECT_TRUE(config.exclude[0].matches("/project/a/third_party"));
  EXPECT_EQ(config.warnings_as_errors.size(), 2u);
  EXPECT_EQ(config.fail_on, FailOn::Error);
  EXPECT_EQ(config.extra_args, (std::vector<std::string>{"-Iinclude", "-DTILE=64"}));
  ASSERT_EQ(config.launches.size(), 1u);
  EXPECT_EQ(config.launches[0].provenance, Provenance::Config);
  EXPECT_EQ(config.launches[0].block, (Dim3{32, 8, 1}));
  EXPECT_EQ(config.note_below_share, 0.05);
  ASSERT_EQ(config.budgets.size(), 1u);
  EXPECT_EQ(config.budgets[0].degree, 2);
  EXPECT_EQ(config.budgets[0].file, "/project/src/k.cu");
  EXPECT_EQ(config.budgets[0].location.line, 14u);
  EXPECT_EQ(config.baseline, "/project/ci/baseline.json");
}

TEST(Config, IsReadBackAsItWasDumped) {
  const ParsedConfig first =
      parse("Checks: '-launch-unknown'\nArch: sm_80\nThresholds: {LeastSectorRatio: 1.5}\n"
            "Severity: {'*': note}\nPerPath: [{Path: ['it*s', \"b'[c]\"], WarningsAsErrors: '*'}]\nExclude: ['x y']\n"
            "Launches: ['a::k<float, 2>:grid=(7,1,1) n=-3']\nBudgets: [{Kernel: \"it's\", SectorsPerRequest: 4.25}]\n");
  ASSERT_TRUE(first.diagnostics.empty());
  const std::string text = dump(first.config);
  const ParsedConfig second = parse(text);
  ASSERT_TRUE(second.diagnostics.empty()) << text << second.diagnostics[0].message;
  EXPECT_EQ(dump(second.config), text);
  EXPECT_NE(text.find("LeastSectorRatio: 1.5"), std::string::npos);
  EXPECT_NE(text.find("'it''s'"), std::string::npos);
  EXPECT_TRUE(parse(dump(Config())).diagnostics.empty());
}

TEST(Config, NothingIsAnEmptyConfiguration) {
  for (const char *text : {"", "\n", "# a comment\n", "---\n...\n"})
    EXPECT_EQ(first_error(text), "") << text;
}

TEST(Config, ErrorsHaveTheirLineAndTheNearestName) {
  EXPECT_EQ(first_error("Checks: '*'\nCheks: '*'\n"),
            ".smem-lint.yaml:2:1: unknown key 'Cheks'; did you mean 'Checks'?");
  EXPECT_EQ(first_error("Thresholds:\n  NoteBelowShar: 1\n"),
            ".smem-lint.yaml:2:3: unknown key 'NoteBelowShar'; did you mean 'NoteBelowShare'?");
  EXPECT_EQ(first_error("Checks: smem-bank-conflicts\n"),
            ".smem-lint.yaml:1:9: Checks: no rule matches 'smem-bank-conflicts'; did you mean 'smem-bank-conflict'?");
  EXPECT_EQ(first_error("Arch: sm_80\nArch: sm_90\n"),
            ".smem-lint.yaml:2:1: the key 'Arch' stands here for the second time");
  for (const char *wrong :
       {"FailOn: warnings\n", "Arch: sm_1\n", "Thresholds: {NoteBelowShare: 2}\n", "Thresholds: {NoteBelowShare: x}\n",
        "Thresholds: 1\n", "HeaderFilterRegex: '('\n", "Launches: k\n", "Launches: ['k:block=0']\n",
        "Budgets: [{Degree: 1}]\n", "- a\n", "just words\n", "InheritParentConfig: perhaps\n", "Checks: [\n",
        "Checks: {a: b}\n", "\t: x\n"})
    EXPECT_NE(first_error(wrong), "") << wrong;
}

TEST(Config, WhatTheParserMakesAfterAnErrorHasNoPlace) {
  // An alias and a list behind a character that YAML does not have: their nodes begin nowhere.
  EXPECT_NE(first_error("FailOn: -\nArch: *m\x01\n\xbbx N=2"), "");
  EXPECT_NE(first_error("Arch: [\x9d.w, \"-l\"]/\nLaunches:e"), "");
}

TEST(Config, ChildrenAddToListsAndReplaceValues) {
  const Config parent = parse("Checks: '-*'\nArch: sm_80\nFailOn: error\n").config;
  const Config child = parse("InheritParentConfig: true\nChecks: 'smem-*'\nArch: sm_90\n").config;
  const Config merged = merge(parent, child);
  ASSERT_EQ(merged.checks.size(), 2u);
  EXPECT_EQ(merged.checks[1].text, "smem-*");
  EXPECT_EQ(merged.architecture, "sm_90");
  EXPECT_EQ(merged.fail_on, FailOn::Error);
}

} // namespace
} // namespace smem
