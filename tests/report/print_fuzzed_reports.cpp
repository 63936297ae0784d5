// Prints N reports of random analyses in a format of JSON (json, sarif, gitlab), one after the other, for validate_schema.py. The seed is fixed: a failure can be
// looked at again.
#include "nvcc/uncertainties.h"
#include "report/report.h"
#include "report/statistics.h"
#include "sample.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

namespace smem {
namespace {

class Fuzzer {
public:
  explicit Fuzzer(std::uint64_t seed) : random(seed) {}

  FileAnalysis file() {
    FileAnalysis file = testing::sample();
    file.file = text();
    file.parsed = chance(4);
    file.architecture = &architectures()[below(architectures().size())];
    file.toolkit.shipped = chance(2);
    file.toolkit.version = chance(2) ? "13.0" : "";
    if (chance(2))
      file.compiled = {text(), "", {}, below(9), below(9), below(9), below(9)};
    else if (chance(2))
      file.compiled.unavailable = text();
    Program &program = file.programs[0];
    program.kernel = text();
    if (chance(2))
      file.compiled.kernels[program.mangled] = {maybe(), maybe(), maybe(), static_cast<std::uint32_t>(below(9)),
                                                static_cast<std::uint32_t>(below(9))};
    for (std::uint64_t i = below(6); i > 0; --i)
      program.sites.push_back(site());
    for (std::uint64_t i = below(3); i > 0; --i)
      file.diagnostics.push_back(
          {static_cast<Diagnostic::Severity>(below(3)), place(), "message " + text(), chance(2)});
    for (std::uint64_t i = below(3); i > 0; --i)
      file.launches.push_back(file.launches[0]);
    for (LaunchAnalysis &launch : file.launches)
      fill(launch, program);
    return file;
  }

  /// What fixes/ and the gate add to findings, and findings about no kernel.
  void decorate(std::vector<Finding> &findings) {
    for (std::uint64_t i = below(3); i > 0; --i) {
      Finding finding;
      finding.rule = &rules()[below(rules().size())];
      finding.severity = static_cast<Diagnostic::Severity>(below(3));
      finding.location = place();
      finding.message = "message " + text(); // never empty
      findings.push_back(std::move(finding));
    }
    for (Finding &finding : findings) {
      for (std::uint64_t i = below(3); i > 0; --i)
        finding.fixes.push_back(fix());
      for (std::uint64_t i = below(3); i > 0; --i)
        finding.fingerprints.push_back("0123456789abcde" + std::to_string(below(10)));
      finding.baseline = static_cast<BaselineState>(below(5));
      if (chance(2)) {
        const std::uint64_t actual = count() >> 1;
        finding.traffic = Traffic{static_cast<Unit>(below(2)), count(),   actual,   below(actual + 1),
                                  actual + (count() >> 1),     chance(2), chance(2)};
      }
      if (!chance(3))
        finding.suppression = Suppression{place(), text()};
    }
  }

  std::uint64_t below(std::uint64_t n) { return random() % n; }

private:
  Fix fix() {
    Fix fix;
    fix.kind = static_cast<Fix::Kind>(below(4));
    fix.title = text();
    for (std::uint64_t i = below(3); i > 0; --i)
      fix.edits.push_back({chance(2) ? testing::kSampleFile : text(), below(400), below(9), text()});
    fix.not_written = text();
    fix.before.wavefronts = count();
    fix.after.wavefronts = count();
    fix.verdict = static_cast<Verdict>(below(3));
    fix.shared_bytes_before = below(1000);
    fix.shared_bytes_after = below(1000);
    if (chance(2))
      fix.blocks_per_sm_before = static_cast<unsigned>(below(33));
    return fix;
  }

  bool chance(unsigned n) { return below(n) != 0; }

  std::string text() {
    static const char *const words[] = {
        "", "tile[threadIdx.x]", "\xff\xfe", "a\"b\\c\n\t", "\xc3\xa4", "x<y, 32>", std::string_view("\x01").data()};
    std::string out;
    for (std::uint64_t i = below(4); i > 0; --i)
      out += words[below(std::size(words))];
    return out;
  }

  SourceLocation place() {
    SourceLocation location;
    location.file = text();
    location.line = static_cast<unsigned>(below(4));
    location.column = static_cast<unsigned>(below(4));
    return location;
  }

  Site site() {
    Site site;
    site.location = place();
    site.access.space = static_cast<Space>(below(2));
    site.access.operation = static_cast<Operation>(below(6));
    site.access.width_bits = static_cast<std::uint16_t>(8u << below(5));
    site.generic = chance(2);
    site.compared = static_cast<Agreement>(below(5));
    site.expression = text();
    site.address = text();
    site.array = text();
    site.array_location = place();
    if (chance(2))
      site.inlined_at.push_back({text(), place()});
    return site;
  }

  RacingAccess racing() {
    RacingAccess access;
    access.location = place();
    access.expression = text();
    if (chance(2))
      access.call = place();
    access.thread = {1, 2, static_cast<std::uint32_t>(below(9))};
    access.writes = chance(2);
    access.atomic = chance(3);
    access.asynchronous = chance(4);
    return access;
  }

  Races races() {
    Races races = Races::unknown(text(), place());
    races.between_warps = static_cast<RaceVerdict>(below(3));
    races.within_warp = static_cast<RaceVerdict>(below(3));
    races.between_blocks = static_cast<RaceVerdict>(below(3));
    races.assumed = chance(3);
    for (std::uint64_t i = below(3); i > 0; --i) {
      RaceWitness &witness = races.witnesses.emplace_back();
      witness.within_warp = chance(2);
      witness.between_blocks = !witness.within_warp && chance(3);
      witness.first = racing();
      witness.second = racing();
      witness.byte = count();
      witness.array = text();
      witness.interval = count();
      witness.interval_begin = place();
      if (chance(2))
        witness.edits.push_back({place(), chance(2), chance(2)});
    }
    if (chance(3))
      races.same_value = races.witnesses;
    if (chance(3))
      races.redundant.push_back({"a.cu", 1, 1});
    if (chance(3))
      races.unwritten.push_back({racing(), {1, 2, 3}, count(), text(), count()});
    return races;
  }

  void fill(LaunchAnalysis &launch, const Program &program) {
    launch.launch.shape_provenance = static_cast<Provenance>(below(7));
    launch.launch.location = place();
    if (!chance(3))
      launch.launch.assumptions.push_back({text()});
    launch.launch.arguments.push_back(
        {static_cast<std::uint32_t>(below(9)), below(100), 32, chance(2), std::nullopt, 256, Provenance::Assumed});
    if (!chance(3))
      launch.symbols.push_back({text(), text(), chance(2) ? std::optional(count()) : std::nullopt});
    if (!chance(3))
      launch.races = races();
    if (chance(3))
      launch.global_races = races();
    if (chance(3))
      launch.local = LocalTraffic{below(1000), below(1000), chance(2)};
    launch.result.sites.resize(program.sites.size());
    for (SiteResult &site : launch.result.sites) {
      site.verdict = static_cast<Verdict>(below(3));
      site.reason = text();
      site.reason_location = place();
      if (chance(3))
        site.assumptions.push_back(
            {text(), std::nullopt, std::string(all_uncertainties()[below(all_uncertainties().size())].id)});
      site.space = static_cast<Space>(below(2));
      site.executed = chance(4);
      if (chance(3))
        site.data = DataDependence{count(), span(), span(), span(), mean(), mean(), mean(), text()};
      if (chance(3)) {
        site.symbolic.emplace();
        if (chance(2))
          site.symbolic->reason = text();
        site.symbolic->reason_location = place();
        site.symbolic->conflict_degree = span();
        site.symbolic->wavefronts_formula.add({static_cast<std::int64_t>(below(100)) - 50, {text(), text()}});
        site.symbolic->wavefronts_formula.add({static_cast<std::int64_t>(count() >> 1), {}});
      }
      site.counts = {count(), count(), count(), count(), count(), count(), static_cast<std::uint32_t>(below(33))};
    }
    for (std::uint64_t i = below(3); i > 0; --i)
      launch.result.problems.push_back({static_cast<Problem::Kind>(below(8)), text(), std::nullopt, place()});
  }

  Span span() { return {static_cast<std::uint32_t>(below(9)), static_cast<std::uint32_t>(9 + below(24))}; }
  std::optional<double> mean() {
    return chance(2) ? std::optional(static_cast<double>(below(3200)) / 100) : std::nullopt;
  }
  std::optional<std::uint32_t> maybe() {
    return chance(2) ? std::optional(static_cast<std::uint32_t>(below(300))) : std::nullopt;
  }
  std::uint64_t count() { return chance(2) ? below(1000) : random() >> 8; } // so that sums fit

  std::mt19937_64 random;
};

} // namespace
} // namespace smem

int main(int argc, char **argv) {
  const int reports = argc > 1 ? std::atoi(argv[1]) : 500;
  const std::string_view format = argc > 2 ? argv[2] : "json";
  smem::Fuzzer fuzzer(20240607);
  for (int i = 0; i < reports; ++i) {
    std::vector<smem::FileAnalysis> files;
    for (std::uint64_t n = fuzzer.below(3); n > 0; --n)
      files.push_back(fuzzer.file());
    std::vector<smem::Finding> findings = smem::find_all(files);
    fuzzer.decorate(findings);
    smem::SourceLines sources;
    sources.add(smem::testing::kSampleFile, smem::testing::kSampleSource);
    smem::Report report{files, findings, "0"};
    report.known = findings;
    report.suppressed = findings;
    report.baseline = smem::BaselineSummary{1, 2, 3, 4, {"gone"}, {"lost"}};
    report.homepage = fuzzer.below(2) ? "https://example.org/smem-lint" : "";
    report.source_root = fuzzer.below(2) ? "/a b/" : "";
    report.repository_paths[smem::testing::kSampleFile] = "src/sample.cu";
    // The formats that are no JSON must survive it too.
    smem::text_report(report, sources, {true, true, true, true});
    smem::text_report(report, sources, {});
    smem::oneline_report(report, true);
    report.statistics = fuzzer.below(2) != 0;
    smem::statistics_text(report, true);
    smem::github_report(report);
    smem::markdown_report(report);
    smem::html_report(report, sources);
    std::fputs((format == "sarif"    ? smem::sarif_report(report, sources)
                : format == "gitlab" ? smem::gitlab_report(report)
                                     : smem::json_report(report))
                   .c_str(),
               stdout);
  }
}
