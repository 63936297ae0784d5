// What a baseline tolerates.
#include "gate/baseline.h"
#include "sample.h"

#include <gtest/gtest.h>

namespace smem {
namespace {

using testing::sample;

const auto all_rules = [](std::string_view) { return true; };

Baseline read(const std::string &text) {
  std::string error;
  const std::optional<Baseline> parsed = Baseline::parse(text, error);
  EXPECT_EQ(error, "");
  return parsed.value_or(Baseline());
}

struct Compared {
  std::vector<Finding> findings;
  BaselineComparison result;
};
Compared compare(const Baseline &baseline, const FileAnalysis &file) {
  const std::vector<FileAnalysis> files{file};
  RepositoryPaths paths;
  Compared compared{find_all(files), {}};
  compared.result = compare_with(baseline, files, compared.findings, paths, all_rules);
  return compared;
}

Baseline baseline_of(const FileAnalysis &file) {
  const std::vector<FileAnalysis> files{file};
  RepositoryPaths paths;
  return Baseline::of(find_all(files), paths);
}

TEST(Baseline, IsReadBackAsItWasWritten) {
  const Baseline baseline = baseline_of(sample());
  EXPECT_EQ(baseline.entries().size(), 2u);
  EXPECT_EQ(read(baseline.text()).text(), baseline.text());
  EXPECT_EQ(read(Baseline().text()).entries().size(), 0u);
}

TEST(Baseline, HasFloors) {
  const std::vector<FileAnalysis> files{sample()};
  RepositoryPaths paths;
  const FloorKey here{paths.show(testing::kSampleFile), "kernel", "n=1", "h200"},
      elsewhere{"other.cu", "k", "", "h200"};
  Baseline old;
  old.floors = {{here, 100}, {elsewhere, 5}};
  EXPECT_EQ(read(old.text()).floors, old.floors);
  EXPECT_EQ(updated(old, files, {}, {{here, 200}}, paths).floors, (Floors{{here, 200}, {elsewhere, 5}}));
  EXPECT_EQ(updated(old, files, {}, {}, paths).floors, (Floors{{elsewhere, 5}}));
  EXPECT_EQ(pruned(old, {}, {}, {{here, 200}}, paths).floors, old.floors); // never raised
  EXPECT_EQ(pruned(old, {}, {}, {{here, 90}, {{"new.cu", "k", "", "h200"}, 1}}, paths).floors,
            (Floors{{here, 90}, {elsewhere, 5}}));
}

TEST(Baseline, ThreePercentRaiseAFloor) {
  EXPECT_FALSE(is_raised(1000, 1029));
  EXPECT_TRUE(is_raised(1000, 1030));
  EXPECT_FALSE(is_raised(1000, 500));
}

TEST(Baseline, RefusesWhatIsNone) {
  std::string error;
  for (const char *wrong :
       {"", "{", "[]", "{}", "{\"kind\": \"something\", \"schema_version\": \"1.0\", \"entries\": []}",
        "{\"kind\": \"smem-lint-baseline\", \"schema_version\": \"1.0\"}",
        "{\"kind\": \"smem-lint-baseline\", \"schema_version\": \"x\", \"entries\": []}",
        "{\"kind\": \"smem-lint-baseline\", \"schema_version\": \"1.0\", \"entries\": [{\"rule\": \"r\"}]}"}) {
    EXPECT_FALSE(Baseline::parse(wrong, error)) << wrong;
    EXPECT_NE(error, "") << wrong;
  }
  EXPECT_FALSE(
      Baseline::parse("{\"kind\": \"smem-lint-baseline\", \"schema_version\": \"2.0\", \"entries\": []}", error));
  EXPECT_NE(error.find("newer"), std::string::npos);
  EXPECT_TRUE(Baseline::parse(
      "{\"kind\": \"smem-lint-baseline\", \"schema_version\": \"1.9\", \"entries\": [], \"more\": 1}", error));
}

TEST(Baseline, SurvivesOtherLinesAndWhiteSpace) {
  const Baseline baseline = baseline_of(sample());
  FileAnalysis moved = sample();
  for (Site &site : moved.programs[0].sites) {
    site.location.line += 17;
    site.location.column = 1;
    for (std::size_t at = site.expression.find('['); at != std::string::npos; at = site.expression.find('[', at + 2))
      site.expression.replace(at, 1, "[ ");
  }
  const Compared compared = compare(baseline, moved);
  EXPECT_EQ(compared.result.unchanged, 2u);
  EXPECT_EQ(compared.result.added + compared.result.worse + compared.result.better, 0u);
  EXPECT_TRUE(compared.result.gone.empty());
}

TEST(Baseline, SeesOneInstantiationGetWorseBehindAnotherThatIsWorst) {
  FileAnalysis file = sample();
  file.programs[0].kernel = "transpose<double>";
  file.programs.push_back(file.programs[0]);
  file.programs[1].kernel = "transpose<float>";
  file.launches.push_back(file.launches[0]);
  file.launches[1].program = 1;
  Counts &better = file.launches[1].result.sites[0].counts;
  better.wavefronts = 2 * better.requests;
  better.conflict_degree = 2;
  const Baseline baseline = baseline_of(file);
  EXPECT_EQ(baseline.entries().size(), 4u);
  EXPECT_EQ(compare(baseline, file).result.unchanged, 2u);
  better.wavefronts = 4 * better.requests;
  better.conflict_degree = 4;
  const Compared compared = compare(baseline, file);
  EXPECT_EQ(compared.result.worse, 1u);
  const Finding &conflict = compared.findings.back();
  EXPECT_EQ(conflict.counts.conflict_degree, 32u);
  EXPECT_EQ(conflict.baseline, BaselineState::Worse);
  EXPECT_EQ(conflict.extent, "in all 2 instantiations; the worst is shown; worse in transpose<float>");
  EXPECT_EQ(conflict.occurrences.size(), 2u);
}

TEST(Baseline, TellsWorseFromBetterAndNew) {
  const FileAnalysis file = sample();
  const Baseline baseline = baseline_of(file);
  const auto with_degree = [&](unsigned degree) {
    FileAnalysis changed = file;
    Counts &counts = changed.launches[0].result.sites[0].counts;
    counts.wavefronts = counts.requests * degree;
    counts.conflict_degree = degree;
    return changed;
  };
  const auto state = [](const Compared &compared) { return compared.findings.back().baseline; };
  EXPECT_EQ(state(compare(baseline, with_degree(16))), BaselineState::Better);
  EXPECT_EQ(state(compare(baseline_of(with_degree(16)), file)), BaselineState::Worse);
  EXPECT_EQ(state(compare(Baseline(), file)), BaselineState::New);
  EXPECT_EQ(state(compare(baseline, file)), BaselineState::Unchanged);
  // Twice the blocks cost twice as much, and the access is as good as before.
  FileAnalysis larger = file;
  for (SiteResult &site : larger.launches[0].result.sites)
    site.counts += site.counts;
  EXPECT_EQ(state(compare(baseline, larger)), BaselineState::Unchanged);
  // A conflict-free access has no finding.
  const Compared gone = compare(baseline, with_degree(1));
  ASSERT_EQ(gone.result.gone.size(), 1u);
  EXPECT_EQ(gone.result.gone[0].rule, rule::bank_conflict);
}

TEST(Baseline, AnUnknownCostIsNoImprovement) {
  FileAnalysis file = sample();
  const Baseline baseline = baseline_of(file);
  file.launches[0].result.sites[0] = {};
  file.launches[0].result.sites[0].verdict = Verdict::Unknown;
  const Compared compared = compare(baseline, file);
  EXPECT_TRUE(compared.result.gone.empty());
  EXPECT_EQ(compared.result.not_known.size(), 1u);
}

TEST(Baseline, SaysNothingOfOtherFilesAndDisabledRules) {
  const std::vector<FileAnalysis> none;
  std::vector<Finding> findings;
  RepositoryPaths paths;
  const Baseline baseline = baseline_of(sample());
  EXPECT_TRUE(compare_with(baseline, none, findings, paths, all_rules).gone.empty());
  const std::vector<FileAnalysis> files{sample()};
  EXPECT_TRUE(compare_with(baseline, files, findings, paths, [](std::string_view) { return false; }).gone.empty());
  EXPECT_EQ(updated(baseline, none, findings, {}, paths).text(), baseline.text());
}

TEST(Baseline, PruningTakesOutAndLowersButNeverAdds) {
  const FileAnalysis file = sample();
  Baseline worse = baseline_of(file);
  BaselineEntry gone{"smem-bank-conflict", "sample.cu", {"old", "tile[x]", 0, {4, 4, 1, 0, 0}}};
  worse.add(gone);
  FileAnalysis better = file;
  Counts &counts = better.launches[0].result.sites[0].counts;
  counts.wavefronts = counts.requests * 2;
  counts.conflict_degree = 2;
  better.programs[0].sites[1].expression = "in[0]"; // a finding that the baseline has not
  const std::vector<FileAnalysis> files{better};
  RepositoryPaths paths;
  std::vector<Finding> findings = find_all(files);
  // The path of an entry is relative to the repository; the sample is no file, so take the one that it gets.
  const std::string path = paths.show(testing::kSampleFile);
  Baseline old;
  for (const auto &[key, entry] : worse.entries())
    old.add({entry.rule, path, entry.occurrence});
  const Baseline result = pruned(old, compare_with(old, files, findings, paths, all_rules), findings, {}, paths);
  ASSERT_EQ(result.entries().size(), 1u);
  EXPECT_EQ(result.entries().begin()->second.occurrence.metrics.degree, 2u);
}

TEST(Fingerprint, DependsOnEveryPart) {
  const Occurrence occurrence{"k<float>", "tile[x]", 0, {}};
  const std::string one = fingerprint("r", "a.cu", occurrence);
  EXPECT_EQ(one.size(), 16u);
  Occurrence other = occurrence;
  other.metrics.degree = 9;
  EXPECT_EQ(fingerprint("r", "a.cu", other), one);
  other = occurrence;
  other.ordinal = 1;
  EXPECT_NE(fingerprint("r", "a.cu", other), one);
  EXPECT_NE(fingerprint("q", "a.cu", occurrence), one);
  EXPECT_NE(fingerprint("r", "b.cu", occurrence), one);
}

} // namespace
} // namespace smem
