// Findings and reports, from hand-made analyses: no Clang, no simulation.
#include "report/report.h"

#include "report/block_ranges.h"
#include "report/checks.h"
#include "report/format.h"
#include "report/padding_hints.h"
#include "report/identity.h"
#include "report/lanes.h"
#include "support/nearest.h"
#include "sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace smem {
namespace {

using testing::sample;

std::string text_of(const std::vector<FileAnalysis> &files, TextOptions options = {.full = true}) {
  const std::vector<Finding> findings = find_all(files);
  SourceLines sources;
  sources.add(testing::kSampleFile, testing::kSampleSource);
  return text_report({files, findings, "1.2.3"}, sources, options);
}

TEST(Format, ThousandsAndRatios) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(1234567890123), "1,234,567,890,123");
  EXPECT_EQ(ratio(32, 1), "32x");
  EXPECT_EQ(ratio(5, 4), "1.25x");
  EXPECT_EQ(ratio(5, 0), "-");
  EXPECT_EQ(plural(1, "launch"), "1 launch");
  EXPECT_EQ(plural(2, "launch"), "2 launches");
}

TEST(Format, ShortensInTheMiddleAndNeverInsideACodePoint) {
  EXPECT_EQ(shorten("abcdefghijkl", 12), "abcdefghijkl");
  EXPECT_EQ(shorten("abcdefghijklm", 11), "abcd...jklm");
  const std::string text = "a\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4";
  for (std::size_t width = 8; width < text.size(); ++width)
    for (const char *broken : {"\xc3.", ".\xa4"})
      EXPECT_EQ(shorten(text, width).find(broken), std::string::npos);
}

TEST(Format, ShortKernelNamesKeepTheirOwnTemplateArguments) {
  EXPECT_EQ(short_kernel("scale<A<B<int, 4>, C>, 32, (Kind)1>", 60), "scale<A<B<int, 4>, C>, 32, (Kind)1>");
  EXPECT_EQ(short_kernel("scale<A<B<int, 4>, C>, 32, (Kind)1>", 30), "scale<A<...>, 32, (Kind)1>");
  EXPECT_EQ(short_kernel("fill<(3 < 4), A<int, float>, 7>", 25), "fill<(3 < 4), A<...>, 7>");
  EXPECT_EQ(short_kernel("abcdefghijklm", 11), "abcd...jklm");
}

TEST(Format, ShortKernelNamesKeepTheirOwnName) {
  const std::string one = "psz::legacy::c_lorenzo_1d1l<float, detail::tag, 256, 32>";
  EXPECT_EQ(short_kernel(one, 44), "c_lorenzo_1d1l<float, detail::tag, 256, 32>");
  EXPECT_EQ(short_kernel(one, 40), "c_lorenzo_1d1l<float, tag, 256, 32>");
  EXPECT_EQ(short_kernel(one, 32), "c_lorenzo_1d1l<float, ..., 32>");
  EXPECT_EQ(short_kernel(one, 19), "c_lorenzo_1d1l<...>");
  EXPECT_EQ(short_kernel(one, 11), "c_lo...1d1l");
  EXPECT_EQ(short_kernel("a::Outer<int>::run<float>", 18), "run<float>");
  EXPECT_EQ(short_kernel("a::Outer<std::pair<int, int>>::run<float>", 30), "a::Outer<...>::run<float>");
}

TEST(Format, ShortKernelNamesKeepWhatTellsInstantiationsApart) {
  const std::vector<std::string> all = {"scale<float, float, 1, int>", "scale<float, float, 2, int>", "other<int>"};
  EXPECT_EQ(short_kernel(all[0], 22), "scale<float, ..., int>");
  EXPECT_EQ(short_kernel(all[0], 22, all), "scale<..., 1, int>");
  EXPECT_EQ(short_kernel(all[1], 22, all), "scale<..., 2, int>");
}

TEST(Format, ColumnsAlignWithAndWithoutColour) {
  Table table({Table::Align::Left, Table::Align::Right});
  table.row({{"a"}, {"1", Style::Red}});
  table.row({{"bbb"}, {"200"}});
  EXPECT_EQ(table.print("", false), "a      1\nbbb  200\n");
  EXPECT_EQ(table.print("", true), "a      \033[31m1\033[0m\nbbb  200\n");
}

TEST(Checks, SomeAreOffUnlessNamed) {
  CheckFilter filter;
  EXPECT_FALSE(filter.enabled("gmem-race"));
  EXPECT_FALSE(filter.enabled_anywhere("gmem-race"));
  EXPECT_TRUE(filter.enabled("smem-redundant-barrier"));
  EXPECT_FALSE(filter.asked_for("smem-redundant-barrier"));
  EXPECT_EQ(filter.add("-smem-*"), "");
  EXPECT_FALSE(filter.asked_for("smem-redundant-barrier"));
  EXPECT_EQ(filter.add("gmem-*,smem-redundant-barrier"), "");
  EXPECT_TRUE(filter.enabled("gmem-race"));
  EXPECT_TRUE(filter.asked_for("smem-redundant-barrier"));
}

TEST(Checks, GlobsTheLastMatchWins) {
  CheckFilter filter;
  EXPECT_EQ(filter.add("-*,smem-*,-smem-capacity"), "");
  EXPECT_TRUE(filter.enabled("smem-bank-conflict"));
  EXPECT_FALSE(filter.enabled("smem-capacity"));
  EXPECT_FALSE(filter.enabled("gmem-uncoalesced"));
  EXPECT_EQ(filter.add("smem-bank-conflicts"),
            "no rule matches 'smem-bank-conflicts'; did you mean 'smem-bank-conflict'?");
  EXPECT_EQ(filter.add("q*"), "no rule matches 'q*'");
}

TEST(Nearest, OnlyWhatIsNear) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(did_you_mean("--formt", {"--format", "--from"}), "; did you mean '--format'?");
  EXPECT_EQ(did_you_mean("xyzzy", {"--format"}), "");
  EXPECT_EQ(did_you_mean_or("xyzzy", {"n", "ld", "n"}, "there are"), "; there are n, ld");
  EXPECT_EQ(did_you_mean_or("xyzzy", {}, "there are"), "");
}

TEST(Lanes, Describes) {
  EXPECT_EQ(describe_lanes(kFullMask), "lanes 0-31");
  EXPECT_EQ(describe_lanes(1u << 7), "lane 7");
  EXPECT_EQ(describe_lanes(0x11111111u), "lanes 0,4,...,28");
  EXPECT_EQ(describe_lanes(0x000f000fu), "lanes 0-3,16-19");
}

TEST(Lanes, NameTheBankWhereTheyMeet) {
  const Architecture &architecture = *find_architecture("sm_90");
  Access access;
  const Example column = testing::strided(128, {});
  EXPECT_EQ(shared_cause(column.request, access, architecture),
            "lanes 0-31, each 128 bytes from the next, all meet in bank 0");
  const Example pairs = testing::strided(8, {});
  EXPECT_EQ(shared_cause(pairs.request, access, architecture),
            "lanes 0,16 want 2 different words of bank 0 (lanes are 8 bytes apart)");
  access.width_bits = 128;
  EXPECT_EQ(worst_pileup(testing::strided(16, {}).request, access, architecture).words, 1u);
  EXPECT_EQ(worst_pileup(testing::strided(32, {}).request, access, architecture).words, 2u);
}

TEST(Hints, PadTheLastExtent) {
  EXPECT_EQ(pad_last_extent("__shared__ float tile[32][32]", 1), "float tile[32][33]");
  EXPECT_EQ(pad_last_extent("static __shared__ float tile[N][K]", 4), "float tile[N][K + 4]");
  EXPECT_EQ(pad_last_extent("__shared__ float tile[1024]", 1), "");
}

TEST(Rules, AreSortedNamedAndExplained) {
  std::vector<std::string> ids = rule_ids();
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
  for (const Rule &rule : rules()) {
    EXPECT_NE(explain_text(rule).find("Limits"), std::string::npos) << rule.id;
    for (const std::string_view text : {rule.title, rule.cause, rule.picture, rule.limits})
      for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        EXPECT_LE(end - start, 122u) << rule.id << ": " << text.substr(start, end - start);
        start = end + 1;
      }
  }
  EXPECT_EQ(find_rule("no-such-rule"), nullptr);
}

TEST(Findings, ConflictAndScatterSortedByPlace) {
  const std::vector<FileAnalysis> files{sample()};
  const std::vector<Finding> findings = find_all(files);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].rule->id, rule::uncoalesced);
  EXPECT_EQ(findings[0].location.line, 4u);
  EXPECT_EQ(findings[1].rule->id, rule::bank_conflict);
  EXPECT_EQ(findings[1].message,
            "32-way bank conflict: load of tile[threadIdx.x][threadIdx.y] takes 32 wavefronts instead of 1");
  EXPECT_EQ(findings[1].hint, "pad the rows: `float tile[32][33]` makes it 1 wavefront");
}

TEST(Figures, ShareAndAvoidableAreTwoThings) {
  const Traffic traffic{Unit::Sectors, 32'768, 1'048'576, 131'072, 1'048'704, false, false};
  EXPECT_EQ(traffic_text(traffic), "1,048,576 sectors where 131,072 are enough (8x) in 32,768 requests");
  EXPECT_EQ(share_text(traffic, "colmajor"), ">99% of all sectors of colmajor; 87% avoidable here");
  const Traffic partly{Unit::Wavefronts, 1, 4, 1, 8, true, true};
  EXPECT_EQ(traffic_text(partly), "4 wavefronts where 1 is enough (4x) in 1 known request");
  EXPECT_EQ(share_text(partly, "k"), "50% of all known wavefronts of k; 38% avoidable here");
  EXPECT_EQ(percent(1), "100%");
  EXPECT_EQ(percent(0.9999), ">99%");
  EXPECT_EQ(percent(0.001), "<1%");
  EXPECT_EQ(percent(0), "0%");
}

TEST(Figures, WhatIsNotKnownIsNoNumber) {
  EXPECT_EQ(to_string(figures(Counts{}, true).requests), "0");
  EXPECT_EQ(to_string(figures(Counts{}, false).requests), "?");
  const Figures partly = figures(Counts{2, 3, 2, 0, 0, 0, 2}, false);
  EXPECT_EQ(to_string(partly.wavefronts), ">=3");
  EXPECT_EQ(partly.wavefronts.known(), std::nullopt);
  EXPECT_EQ(ratio(partly.wavefronts, partly.ideal_wavefronts), "?");
}

TEST(Findings, SeveralLaunchesAreOneFinding) {
  FileAnalysis file = sample();
  file.launches.push_back(file.launches[0]);
  const std::vector<FileAnalysis> files{file, file};
  const std::vector<Finding> findings = find_all(files);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].launches, 4u);
}

TEST(Findings, CheapOnesAreNotes) {
  FileAnalysis file = sample();
  SiteResult &conflict = file.launches[0].result.sites[0];
  conflict.counts.requests = 10;
  conflict.counts.wavefronts = 20;
  conflict.counts.ideal_wavefronts = 10;
  const std::vector<FileAnalysis> files{file};
  const std::vector<Finding> findings = find_all(files);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[1].severity, Diagnostic::Severity::Note);
}

TEST(Findings, WhatLeavesAnArrayInAnAssumedLaunchOnlyIsNotReported) {
  FileAnalysis file = sample();
  Problem problem;
  problem.kind = Problem::Kind::OutOfBounds;
  problem.message = "tile is 4096 bytes; byte 4096 is behind its end";
  problem.site = 0;
  file.launches[0].result.problems.push_back(problem);
  FindingOptions options;
  ASSERT_EQ(options.checks.add("-*,smem-out-of-bounds"), "");
  std::vector<FileAnalysis> files{file};
  ASSERT_EQ(find_all(files, options).size(), 1u);
  EXPECT_EQ(find_all(files, options)[0].severity, Diagnostic::Severity::Error);
  EXPECT_EQ(find_all(files, options)[0].location.line, 6u);
  files[0].launches[0].launch.assumptions = {{"n=1024: not known from the source"}};
  EXPECT_TRUE(find_all(files, options).empty());
}

TEST(Findings, WarningsAsErrors) {
  FindingOptions options;
  ASSERT_EQ(options.warnings_as_errors.add("smem-*"), "");
  const std::vector<FileAnalysis> files{sample()};
  const std::vector<Finding> findings = find_all(files, options);
  EXPECT_EQ(findings[0].severity, Diagnostic::Severity::Warning);
  EXPECT_EQ(findings[1].severity, Diagnostic::Severity::Error);
}

TEST(Identity, WhiteSpaceDoesNotCount) {
  EXPECT_EQ(normalise_expression("tile[ y ] [x + 1]"), "tile[y][x+1]");
  EXPECT_EQ(normalise_expression("f(unsigned  int(x), a - -b)"), "f(unsigned int(x),a- -b)");
  EXPECT_EQ(normalise_kernel("f<float, 32>"), "f<float,32>");
  EXPECT_EQ(normalise_kernel("f<(lambda at a/k.cu:12:3), 4>"), "f<(lambda),4>");
  EXPECT_EQ(normalise_kernel("meet at noon"), "meet at noon");
}

TEST(Identity, OrdinalsCountAccessesOfOneExpressionInTheOrderOfTheSource) {
  FileAnalysis file = sample();
  Program &program = file.programs[0];
  program.sites.push_back(
      testing::make_site(9, 28, Space::Shared, Operation::Load, "tile[threadIdx.x] [threadIdx.y]", "tile"));
  file.launches[0].result.sites.push_back(file.launches[0].result.sites[0]);
  const std::vector<FileAnalysis> files{file};
  std::vector<unsigned> ordinals;
  for (const Finding &finding : find_all(files))
    if (finding.rule->id == rule::bank_conflict) {
      ASSERT_EQ(finding.occurrences.size(), 1u);
      EXPECT_EQ(finding.occurrences[0].expression, "tile[threadIdx.x][threadIdx.y]");
      EXPECT_EQ(finding.occurrences[0].metrics, (Metrics{32, 32, 1, 0, 0}));
      ordinals.push_back(finding.occurrences[0].ordinal);
    }
  EXPECT_EQ(ordinals, (std::vector<unsigned>{0, 1}));
}

TEST(SiteRows, UnrolledInstructionsAreOneRow) {
  FileAnalysis file = sample();
  file.programs[0].sites.push_back(file.programs[0].sites[0]);
  file.launches[0].result.sites.push_back(file.launches[0].result.sites[0]);
  const std::vector<SiteRow> rows = site_rows(file.programs[0], file.launches[0].result);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows.back().ids.size(), 2u);
  EXPECT_EQ(rows.back().counts.requests, 2u * 16384 * 32);
}

TEST(Text, AFindingTakesSixLinesAndNoLineOfATableIsWide) {
  const std::string text = text_of({sample()});
  if (std::getenv("SMEM_LINT_SHOW")) // for a person who wants to look at it
    std::fputs(text_of({sample()}, {true, true, true, false}).c_str(), stdout);
  const std::string first = text.substr(0, text.find("\n\n"));
  EXPECT_EQ(std::count(first.begin(), first.end(), '\n') + 1, 6) << first;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    EXPECT_LE(end - start, 155u) << text.substr(start, end - start);
    EXPECT_TRUE(end == start || text[end - 1] != ' ');
    start = end + 1;
  }
  EXPECT_NE(text.find("4 exact, 0 assumed, 1 unknown"), std::string::npos);
}

TEST(Text, QuietShowsFindingsOnly) {
  const std::string text = text_of({sample()}, {false, false, true, false});
  EXPECT_NE(text.find("[smem-bank-conflict]"), std::string::npos);
  EXPECT_EQ(text.find("requests  "), std::string::npos);
  EXPECT_EQ(text.find("exact,"), std::string::npos);
}

TEST(Text, BlocksInFewWords) {
  std::vector<Dim3> blocks;
  for (std::uint32_t x = 32; x <= 1024; x += 32)
    blocks.push_back({x, 1, 1});
  EXPECT_EQ(block_ranges(blocks), "(32..1024 step 32,1,1)");
  std::ranges::reverse(blocks);
  EXPECT_EQ(block_ranges(blocks), "(32..1024 step 32,1,1)");
  std::erase(blocks, Dim3{64, 1, 1});
  EXPECT_EQ(block_ranges(blocks), "(32|96|128|160|192|224|256|288,1,1) and 23 more");
  blocks = {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}};
  EXPECT_EQ(block_ranges(blocks), "(32|64|128,1,1)");
  blocks.insert(blocks.end(), {{32, 2, 1}, {16, 4, 1}, {8, 8, 1}, {4, 16, 1}, {2, 32, 1}});
  EXPECT_EQ(block_ranges(blocks), "(32|64|128,1,1), (32,2,1), (16,4,1), (8,8,1), (4,16,1) and 1 more");
  EXPECT_EQ(block_ranges({}), "");
}

TEST(Text, TheCaretStandsUnderTheColumnEvenBehindTabs) {
  const std::string text = text_of({sample()});
  EXPECT_NE(
      text.find(
          "    6 | \tout[order[threadIdx.x]] = tile[threadIdx.x][threadIdx.y];\n      | \t                          ^\n"),
      std::string::npos);
}

TEST(Json, UnknownIsNullAndTextIsUtf8) {
  FileAnalysis file = sample();
  file.programs[0].sites[0].expression = "tile[\xff]";
  const std::vector<FileAnalysis> files{file};
  const std::vector<Finding> findings = find_all(files);
  const std::string json = json_report({files, findings, "1.2.3"});
  EXPECT_NE(json.find("\"wavefronts\": null"), std::string::npos);
  EXPECT_NE(json.find("\"wavefronts\": 16777216"), std::string::npos);
  EXPECT_EQ(json.find('\xff'), std::string::npos);
}

TEST(Json, NothingAnalysedIsStillAReport) {
  const std::string json = json_report({{}, {}, "1.2.3"});
  EXPECT_NE(json.find("\"arch\": null"), std::string::npos);
  EXPECT_NE(json.find("\"launches\": []"), std::string::npos);
}

} // namespace
} // namespace smem
