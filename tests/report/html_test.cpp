// What the HTML report ranks, sums and groups, on a hand-made analysis.
#include <gtest/gtest.h>

#include "report/html_cases.h"
#include "report/html_contents.h"
#include "report/html_data.h"
#include "report/html_json.h"
#include "sample.h"

namespace smem {
namespace {

using testing::sample;

struct Html {
  std::vector<FileAnalysis> files;
  std::vector<Finding> findings;
  std::vector<HtmlSite> sites;

  explicit Html(std::vector<FileAnalysis> analysed) : files(std::move(analysed)) {
    findings = find_all(files);
    sites = html_sites(report());
  }
  Report report() const { return {files, findings, "0"}; }
};

/// The sample with a second launch of a quarter of the blocks, as another instantiation.
std::vector<FileAnalysis> two_instantiations() {
  FileAnalysis file = sample();
  file.programs.push_back(file.programs[0]);
  file.programs[0].kernel = "transpose<float>";
  file.programs[1].kernel = "transpose<int>";
  LaunchAnalysis other = file.launches[0];
  other.program = 1;
  other.launch.grid = {64, 64, 1};
  for (SiteResult &site : other.result.sites) {
    Counts &counts = site.counts;
    for (std::uint64_t *figure :
         {&counts.requests, &counts.wavefronts, &counts.ideal_wavefronts, &counts.sectors, &counts.ideal_sectors})
      *figure /= 4;
  }
  other.result.sites[0].verdict = Verdict::Assumed;
  file.launches.insert(file.launches.begin(), other);
  return {file};
}

TEST(Html, SharedAndGlobalAreRankedApartWithTheWorstFirst) {
  const Html html({sample()});
  const std::vector<HtmlEntry> entries = html_entries(html.sites);
  ASSERT_EQ(entries.size(), 5u);
  std::map<HtmlKind, std::vector<std::string>> lists;
  for (const HtmlEntry &entry : entries)
    lists[entry.kind].push_back(html.sites[entry.sites.front()].row->site->expression);
  EXPECT_EQ(lists[HtmlKind::Shared],
            (std::vector<std::string>{"tile[threadIdx.x][threadIdx.y]", "tile[threadIdx.y][threadIdx.x]"}));
  EXPECT_EQ(lists[HtmlKind::Global], (std::vector<std::string>{"in[threadIdx.x * n + threadIdx.y]",
                                                               "out[order[threadIdx.x]]", "order[threadIdx.x]"}));
}

TEST(Html, AnAccessIsOneEntryInAllInstantiationsAndLaunches) {
  const Html html(two_instantiations());
  EXPECT_EQ(html.sites.size(), 10u);
  const std::vector<HtmlEntry> entries = html_entries(html.sites);
  ASSERT_EQ(entries.size(), 5u);
  std::set<std::size_t> all;
  for (const HtmlEntry &entry : entries) {
    ASSERT_EQ(entry.sites.size(), 2u);
    EXPECT_GE(html.sites[entry.sites[0]].excess, html.sites[entry.sites[1]].excess);
    all.insert(entry.sites.begin(), entry.sites.end());
  }
  EXPECT_EQ(all.size(), 10u);
}

TEST(Html, AKernelHasTheSumsOfItsLaunches) {
  const Html html(two_instantiations());
  const std::vector<HtmlKernel> kernels = html_kernels(html.report(), html.sites);
  ASSERT_EQ(kernels.size(), 1u);
  const HtmlKernel &kernel = kernels[0];
  EXPECT_EQ(kernel.name, "transpose");
  ASSERT_EQ(kernel.launches.size(), 2u);
  EXPECT_EQ(kernel.launches[0].launch, 1u) << "the larger launch is first";
  const std::uint64_t requests = 16384 * 32;
  EXPECT_EQ(kernel.launches[0].sums.wavefronts.actual, requests * 33);
  EXPECT_EQ(kernel.launches[0].sums.wavefronts.excess, requests * 31);
  EXPECT_FALSE(kernel.launches[0].sums.wavefronts.assumed);
  EXPECT_TRUE(kernel.launches[0].sums.sectors.at_least) << "a store's sectors are not known";
  EXPECT_TRUE(kernel.launches[1].sums.wavefronts.assumed);
  EXPECT_EQ(kernel.sums.wavefronts.excess, requests * 31 + requests / 4 * 31);
  EXPECT_EQ(kernel.sums.sectors.actual, (requests * 36) + (requests * 36) / 4);
  EXPECT_TRUE(kernel.sums.wavefronts.assumed);
  EXPECT_EQ(kernel.warnings, 2u) << "a finding in both instantiations counts once";
  const auto numbers = launch_numbers(kernels);
  EXPECT_EQ(numbers.at({0, 1}), 0u);
  EXPECT_EQ(numbers.at({0, 0}), 1u);
  const std::string table = contents_table(kernels);
  EXPECT_NE(table.find("&lt;float&gt;"), std::string::npos) << "names are text, not markup";
  EXPECT_EQ(table.find("<float>"), std::string::npos);
  EXPECT_NE(table.find("* rests on values that were assumed"), std::string::npos);
}

TEST(Html, KernelsWithWarningsComeBeforeThoseWithout) {
  FileAnalysis clean = sample();
  clean.file = "clean.cu";
  clean.programs[0].kernel = "a_clean_one";
  clean.programs[0].location.file = "clean.cu";
  for (SiteResult &site : clean.launches[0].result.sites) {
    site.verdict = Verdict::Exact;
    site.counts.wavefronts = site.counts.ideal_wavefronts;
    site.counts.sectors = site.counts.ideal_sectors;
    site.counts.conflict_degree = site.counts.wavefronts != 0;
  }
  const Html html({clean, sample()});
  const std::vector<HtmlKernel> kernels = html_kernels(html.report(), html.sites);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "transpose");
  EXPECT_EQ(kernels[1].sums.wavefronts.excess + kernels[1].sums.sectors.excess, 0u);
}

TEST(Html, ACaseHasTheRequestThatCostsAsMuch) {
  FileAnalysis file = sample();
  std::vector<Pattern> patterns(file.programs[0].sites.size());
  PatternCondition whole, other;
  whole.kind = other.kind = PatternCondition::Kind::Shape;
  whole.shapes = 1U << static_cast<unsigned>(BlockShape::WholeWarps);
  other.shapes = 1U << static_cast<unsigned>(BlockShape::Rows16);
  Pattern &pattern = patterns[0];
  pattern.verdict = PatternVerdict::Cases;
  pattern.cases = {{{whole}, 32, 1, 32, 0, 0, false},
                   {{other}, 16, 1, 16, 0, 0, false},
                   {{whole}, 8, 1, 8, 0, 0, false},
                   {{whole}, 32, 1, 32, 0, 0, true}};
  file.patterns = {patterns};
  const Html html({file});
  const auto site =
      std::find_if(html.sites.begin(), html.sites.end(), [](const HtmlSite &one) { return one.cases.size() == 4; });
  ASSERT_NE(site, html.sites.end());
  EXPECT_TRUE(site->cases[0].own);
  EXPECT_EQ(site->cases[0].shared, std::optional<std::size_t>(0));
  EXPECT_FALSE(site->cases[0].global);
  EXPECT_FALSE(site->cases[1].own) << "the launch's block has another shape";
  EXPECT_FALSE(site->cases[1].shared);
  EXPECT_TRUE(site->cases[2].own);
  EXPECT_FALSE(site->cases[2].shared) << "no request of the launch costs that";
  EXPECT_FALSE(site->cases[3].shared) << "a bound is no request's cost";
}

TEST(Html, TextOfAScriptElementEndsItNowhere) {
  EXPECT_EQ(html_data_text(R"(["</script><!--"])").find('<'), std::string::npos);
}

} // namespace
} // namespace smem
