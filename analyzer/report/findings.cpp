#include "report/findings.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "report/format.h"
#include "report/launch_findings.h"
#include "report/launch_setup_findings.h"
#include "report/problem_findings.h"
#include "report/race_findings.h"
#include "report/report.h"
#include "report/row_finder.h"

namespace smem {
namespace {

using Severity = Diagnostic::Severity;

/// Of one launch, before those of several are merged.
void find_in_launch(const FileAnalysis &file, std::size_t file_index, std::size_t launch, const FindingOptions &options,
                    std::vector<Finding> &out) {
  const LaunchAnalysis &analysis = file.launches[launch];
  const Program &program = file.programs[analysis.program];
  const std::vector<SiteRow> rows = site_rows(program, analysis.result, patterns_of(file, analysis.program));
  const AccessNames names(program, rows);
  RowFinder::Samples samples;
  for (const SampledRequest &each : analysis.samples)
    samples[each.site].push_back(each.request);
  for (const SiteRow &row : rows)
    RowFinder(file, file_index, launch, options, row, names, rows, samples, out).run();
  for (const Problem &problem : analysis.result.problems)
    if (std::optional<Finding> finding = problem_finding(file, file_index, launch, problem, rows, names))
      out.push_back(std::move(*finding));
  std::ranges::move(race_findings(file, file_index, launch), std::back_inserter(out));
  std::ranges::move(launch_findings(file, file_index, launch, options), std::back_inserter(out));
  std::ranges::move(launch_setup_findings(file, file_index, launch), std::back_inserter(out));
}

double excess_ratio(const Metrics &metrics) {
  const auto quotient = [](double actual, double ideal) { return ideal > 0 ? actual / ideal : 1; };
  return std::max(quotient(metrics.wavefronts, metrics.ideal_wavefronts),
                  quotient(metrics.sectors, metrics.ideal_sectors));
}

/// Of several launches of a kernel the worst one stands for it.
void add_occurrences(std::vector<Occurrence> &all, std::vector<Occurrence> more) {
  for (Occurrence &occurrence : more) {
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Occurrence &other) { return other.kernel == occurrence.kernel; });
    if (same == all.end())
      all.push_back(std::move(occurrence));
    else if (excess_ratio(occurrence.metrics) > excess_ratio(same->metrics))
      *same = std::move(occurrence);
  }
}

/// Of several instances of a finding the worst stands for all. How often an access runs may not be known: then the cost of a request decides.
std::tuple<Severity, std::uint64_t, double> badness_of(const Finding &finding) {
  return {finding.severity, finding.excess(),
          finding.occurrences.empty() ? 0 : excess_ratio(finding.occurrences.front().metrics)};
}

Instance instance_of(const Finding &finding) {
  return {finding.file,    finding.launch, finding.program, finding.site, finding.severity,
          finding.verdict, finding.cost,   finding.traffic, finding.reach};
}

/// The names of all kernels by where they are defined: the instantiations of a template have one place.
using Kernels = std::map<SourceLocation, std::set<std::string>>;

Kernels kernels_of(std::span<const FileAnalysis> files) {
  Kernels kernels;
  for (const FileAnalysis &file : files)
    for (const Program &program : file.programs)
      kernels[program.location].insert(program.kernel);
  return kernels;
}

/// Does a request cost nowhere more than in the instance that stands for all?
bool is_worst(const Finding &finding, std::span<const FileAnalysis> files) {
  if (finding.program == Finding::kNoIndex)
    return true;
  const std::string &kernel = files[finding.file].programs[finding.program].kernel;
  double shown = 0, most = 0;
  for (const Occurrence &occurrence : finding.occurrences) {
    const double ratio = excess_ratio(occurrence.metrics);
    most = std::max(most, ratio);
    if (occurrence.kernel == kernel)
      shown = ratio;
  }
  return shown >= most ||
         std::none_of(finding.instances.begin(), finding.instances.end(),
                      [](const Instance &instance) { return instance.traffic && instance.traffic->at_least; });
}

/// In how many instantiations, kernels or launches a finding is.
std::string extent_of(const Finding &finding, std::span<const FileAnalysis> files, const Kernels &kernels) {
  std::set<std::string> names;
  std::set<SourceLocation> places;
  for (const Instance &instance : finding.instances) {
    const Program &program = files[instance.file].programs[instance.program];
    names.insert(program.kernel);
    places.insert(program.location);
  }
  const std::string worst = !finding.traffic           ? ""
                            : is_worst(finding, files) ? "; the worst is shown"
                                                       : "; the one that is known to cost most is shown";
  if (names.size() > 1 && places.size() == 1 && places.begin()->known()) {
    const std::size_t all = kernels.at(*places.begin()).size();
    return "in " + (names.size() == all ? "all " : thousands(names.size()) + " of ") + thousands(all) +
           " instantiations" + worst;
  }
  if (names.size() > 1)
    return "in " + plural(names.size(), "kernel") + worst;
  if (finding.launches > 1)
    return (finding.traffic ? "worst of " : "in ") + plural(finding.launches, "launch");
  return {};
}

} // namespace

void apply_severity(Finding &finding, const FindingOptions &options) {
  const std::string_view rule = finding.rule->id;
  const Severity usual = finding.rule->severity;
  if (const std::optional<Severity> wanted = options.severities.of(rule, finding.location.file)) {
    const bool made_a_note = finding.severity < usual || finding.reach == Reach::Assumed;
    const bool made_an_error = finding.severity > usual && *wanted != Severity::Note;
    if (!made_a_note && !made_an_error)
      finding.severity = *wanted;
  }
  if (finding.severity == Severity::Warning && options.warnings_as_errors.enabled(rule, finding.location.file))
    finding.severity = Severity::Error;
}

void sort_findings(std::vector<Finding> &findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) {
    return std::tie(a.location, a.rule->id, a.message) < std::tie(b.location, b.rule->id, b.message);
  });
}

std::vector<Finding> find_all(std::span<const FileAnalysis> files, const FindingOptions &options) {
  return find_all(files, [&](std::size_t) -> const FindingOptions & { return options; });
}

std::vector<Finding> find_all(std::span<const FileAnalysis> files,
                              const std::function<const FindingOptions &(std::size_t)> &options_of) {
  std::vector<Finding> all;
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t launch = 0; launch < files[i].launches.size(); ++launch)
      find_in_launch(files[i], i, launch, options_of(i), all);

  std::vector<Finding> merged;
  std::map<std::tuple<SourceLocation, std::string_view, std::string>, std::size_t> seen;
  for (Finding &finding : all) {
    const FindingOptions &options = options_of(finding.file);
    if (!options.checks.enabled(finding.rule->id, finding.location.file))
      continue;
    apply_severity(finding, options);
    finding.instances = {instance_of(finding)};
    const auto [entry, added] =
        seen.emplace(std::tuple{finding.location, finding.rule->id, finding.subject}, merged.size());
    if (added) {
      merged.push_back(std::move(finding));
      continue;
    }
    Finding &kept = merged[entry->second];
    std::vector<Occurrence> occurrences = std::move(kept.occurrences);
    std::vector<Instance> instances = std::move(kept.instances);
    add_occurrences(occurrences, finding.occurrences);
    instances.push_back(finding.instances.front());
    if (badness_of(finding) > badness_of(kept))
      kept = std::move(finding);
    kept.occurrences = std::move(occurrences);
    kept.instances = std::move(instances);
  }
  const Kernels kernels = kernels_of(files);
  const bool one_architecture = architectures_text(files).find(',') == std::string::npos;
  for (Finding &finding : merged) {
    std::sort(finding.occurrences.begin(), finding.occurrences.end(),
              [](const Occurrence &a, const Occurrence &b) { return a.kernel < b.kernel; });
    std::set<std::pair<std::size_t, std::size_t>> launches;
    for (const Instance &instance : finding.instances)
      launches.emplace(instance.file, instance.launch);
    finding.launches = launches.size();
    finding.extent = extent_of(finding, files, kernels);
    if (!one_architecture)
      finding.cost += (finding.cost.empty() ? "on " : ", on ") + std::string(files[finding.file].architecture->name);
  }
  sort_findings(merged);
  return merged;
}

} // namespace smem
