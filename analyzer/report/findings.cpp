#include "report/findings.h"

#include "report/format.h"
#include "report/hints.h"
#include "report/identity.h"
#include "report/lanes.h"
#include "smem/trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;

const Rule &rule_of(Problem::Kind kind) {
  const auto id = [kind] {
    switch (kind) {
    case Problem::Kind::OutOfBounds: return rule::out_of_bounds;
    case Problem::Kind::Misaligned: return rule::misaligned;
    case Problem::Kind::DivisionByZero: return rule::division_by_zero;
    case Problem::Kind::DivergentBarrier: return rule::barrier_divergence;
    case Problem::Kind::SharedCapacity: return rule::capacity;
    case Problem::Kind::LaunchLimit: return rule::launch_limit;
    case Problem::Kind::Budget: return rule::analysis_budget;
    case Problem::Kind::UnboundedLoop: return rule::unbounded_loop;
    }
    return rule::analysis_budget;
  }();
  return *find_rule(id);
}

std::string quoted(const Site &site) { return site.expression.empty() ? std::string() : " of " + shorten(site.expression, 60); }

std::string verb(const Access &access) {
  switch (access.operation) {
  case Operation::Load: return "load";
  case Operation::Store: return "store";
  case Operation::Atomic: return "atomic";
  case Operation::AsyncCopy: return "async copy";
  case Operation::MatrixLoad: return "ldmatrix";
  case Operation::MatrixStore: return "stmatrix";
  case Operation::MatrixMultiply: return "wgmma";
  case Operation::BulkCopy: return "bulk copy";
  }
  return "access";
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value < 1)
    return "<1%";
  return std::to_string(static_cast<int>(value + 0.5)) + "%";
}

/// Findings of one file, before those of several launches are merged.
class Finder {
public:
  Finder(const FileAnalysis &file, std::size_t file_index, const FindingOptions &options, std::vector<Finding> &out)
      : file(file), file_index(file_index), options(options), out(out) {}

  void run() {
    for (std::size_t i = 0; i < file.launches.size(); ++i)
      of_launch(i);
  }

private:
  void of_launch(std::size_t index) {
    const LaunchAnalysis &analysis = file.launches[index];
    const Program &program = file.programs[analysis.program];
    const std::vector<SiteRow> rows = site_rows(program, analysis.result);
    const AccessNames names(program, rows);
    Counts total;
    for (const SiteRow &row : rows)
      total += row.counts;
    for (const SiteRow &row : rows) {
      // What of a copy meets in no bank of shared memory has another cause: its source.
      const bool of_source = row.site->access.operation == Operation::AsyncCopy && row.counts.conflict_degree <= 1;
      if (row.moves_shared && row.excess_wavefronts() > 0 && !of_source)
        bank_conflict(index, program, row, names, total);
      const double ideal = static_cast<double>(row.counts.ideal_sectors);
      if (row.moves_global && row.excess_sectors() > 0 &&
          static_cast<double>(row.counts.sectors) >= options.thresholds.least_sector_ratio * ideal)
        uncoalesced(index, program, row, names, total);
    }
    for (const Problem &problem : analysis.result.problems)
      of_problem(index, program, rows, names, problem);
    const Capacity &capacity = file.architecture->capacity;
    if (analysis.result.shared_bytes > capacity.shared_default && analysis.result.shared_bytes <= capacity.shared_per_block &&
        analysis.launch.dynamic_shared_bytes != 0)
      opt_in(index, program);
    if (!analysis.launch.assumptions.empty())
      launch_unknown(index, program);
  }

  /// Those of the first block, or of its beginning where it is long.
  std::vector<Request> requests_of(std::size_t launch, const SiteRow &row) {
    constexpr std::uint64_t kSteps = 100'000;
    const LaunchAnalysis &analysis = file.launches[launch];
    const Program &program = file.programs[analysis.program];
    if (program.blocks.empty()) // of an archive
      return {};
    if (traced != launch) {
      SimulationOptions options;
      options.max_steps = kSteps;
      trace = trace_first_block(program, analysis.launch, *file.architecture, options);
      traced = launch;
    }
    std::vector<Request> requests;
    for (const TracedRequest &each : trace.requests)
      if (std::find(row.ids.begin(), row.ids.end(), program.memory_operations[each.operation].site) != row.ids.end())
        requests.push_back(each.request);
    return requests;
  }

  Finding start(const Rule &rule, std::size_t launch) {
    Finding finding;
    finding.rule = &rule;
    finding.severity = rule.severity;
    finding.file = file_index;
    finding.launch = launch;
    finding.program = file.launches[launch].program;
    return finding;
  }

  void of_row(Finding &finding, const SiteRow &row, const AccessNames &names, std::uint64_t excess, std::uint64_t traffic) {
    finding.location = row.site->location;
    finding.site = row.ids.front();
    finding.verdict = row.verdict;
    finding.counts = row.counts;
    finding.excess = excess;
    finding.share = traffic ? static_cast<double>(excess) / static_cast<double>(traffic) : 0;
    if (finding.share < options.thresholds.note_below_share)
      finding.severity = Severity::Note;
    else if (finding.share > options.thresholds.error_above_share)
      finding.severity = Severity::Error;
    finding.occurrences = {names.occurrence(row)};
  }

  std::string certainty(const SiteRow &row) {
    if (row.verdict == Verdict::Unknown)
      return "at least: " + (row.reason.empty() ? std::string("not all of it is known") : row.reason);
    return std::string(to_string(row.verdict));
  }

  void bank_conflict(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names, const Counts &total) {
    Finding finding = start(*find_rule(rule::bank_conflict), launch);
    of_row(finding, row, names, row.excess_wavefronts(), total.wavefronts);
    finding.message = std::to_string(row.counts.conflict_degree) + "-way bank conflict: " + verb(row.site->access) +
                      quoted(*row.site);
    if (row.shared_example) {
      const RequestCost &cost = row.shared_example->cost;
      finding.message += " takes " + plural(cost.wavefronts, "wavefront") + " instead of " + std::to_string(cost.ideal_wavefronts);
      finding.cause = shared_cause(row.shared_example->request, row.site->access, *file.architecture);
    }
    finding.cost = thousands(row.counts.wavefronts) + " wavefronts where " + thousands(row.counts.ideal_wavefronts) + " would do (" +
                   ratio(row.counts.wavefronts, row.counts.ideal_wavefronts) + ") in " + plural(row.counts.requests, "request") +
                   "; " + percent(finding.share) + " of the wavefronts of " + shorten(program.kernel, 60) + "; " + certainty(row);
    finding.hint = shared_hint(program, row, *file.architecture, [&](const SiteRow &each) { return requests_of(launch, each); });
    out.push_back(std::move(finding));
  }

  void uncoalesced(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names, const Counts &total) {
    Finding finding = start(*find_rule(rule::uncoalesced), launch);
    of_row(finding, row, names, row.excess_sectors(), total.sectors);
    finding.message = "uncoalesced " + verb(row.site->access) + quoted(*row.site);
    Access access = row.site->access;
    access.space = Space::Global;
    if (row.global_example) {
      const RequestCost &cost = row.global_example->cost;
      finding.message += " moves " + plural(cost.sectors, "sector") + " instead of " + std::to_string(cost.ideal_sectors);
      finding.cause = global_cause(row.global_example->request, access, cost, *file.architecture);
    }
    finding.cost = thousands(row.counts.sectors) + " sectors where " + thousands(row.counts.ideal_sectors) + " would do (" +
                   ratio(row.counts.sectors, row.counts.ideal_sectors) + ") in " + plural(row.counts.requests, "request") + "; " +
                   percent(finding.share) + " of the sectors of " + shorten(program.kernel, 60) + "; " + certainty(row);
    finding.hint = global_hint(row);
    out.push_back(std::move(finding));
  }

  void of_problem(std::size_t launch, const Program &program, const std::vector<SiteRow> &rows, const AccessNames &names, const Problem &problem) {
    Finding finding = start(rule_of(problem.kind), launch);
    const Launch &configuration = file.launches[launch].launch;
    finding.location = problem.location;
    if (!finding.location.known() && problem.site && *problem.site < program.sites.size())
      finding.location = program.sites[*problem.site].location;
    if (!finding.location.known())
      finding.location = configuration.location.known() ? configuration.location : program.location;
    finding.site = problem.site;
    finding.message = problem.message;
    finding.cost = "in " + shorten(program.kernel, 60) + " launched with grid=" + to_string(configuration.grid) +
                   " block=" + to_string(configuration.block);
    finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
    for (const SiteRow &row : rows)
      if (finding.site && std::find(row.ids.begin(), row.ids.end(), *finding.site) != row.ids.end()) {
        finding.occurrences = {names.occurrence(row)};
        finding.occurrences[0].metrics = {}; // what is wrong is not a matter of degree
      }
    // A defect that only an assumed launch has may be the assumption's fault.
    if (!configuration.assumptions.empty()) {
      finding.severity = Severity::Note;
      finding.verdict = Verdict::Assumed;
      finding.cost += ", which is assumed";
    }
    out.push_back(std::move(finding));
  }

  /// Within the architecture's limit, but not without a word from the host.
  void opt_in(std::size_t launch, const Program &program) {
    const Launch &configuration = file.launches[launch].launch;
    const Capacity &capacity = file.architecture->capacity;
    const std::uint64_t bytes = file.launches[launch].result.shared_bytes;
    Finding finding = start(*find_rule(rule::capacity), launch);
    finding.severity = Severity::Note;
    finding.location = configuration.location.known() ? configuration.location : program.location;
    finding.message = thousands(bytes) + " bytes of shared memory a block of " + shorten(program.kernel, 60) + ": more than " +
                      thousands(capacity.shared_default) + " need the kernel's consent";
    finding.cost = "shared memory leaves room for " + plural(capacity.shared_per_sm / (bytes + capacity.reserved_per_block), "block") + " an SM";
    finding.hint = "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, " + std::to_string(configuration.dynamic_shared_bytes) +
                   ") before the launch, if it is not there";
    finding.verdict = configuration.assumptions.empty() ? Verdict::Exact : Verdict::Assumed;
    finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
    out.push_back(std::move(finding));
  }

  void launch_unknown(std::size_t launch, const Program &program) {
    const Launch &configuration = file.launches[launch].launch;
    Finding finding = start(*find_rule(rule::launch_unknown), launch);
    finding.location = configuration.location.known() ? configuration.location : program.location;
    finding.verdict = Verdict::Assumed;
    finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
    finding.message = "launch of " + shorten(program.kernel, 60) + " is not known entirely; assumed " + to_string(configuration.assumptions);
    // What was analysed, ready to be put right.
    std::string spec = "block=" + short_dim(configuration.block) + " grid=" + short_dim(configuration.grid);
    for (const ArgumentValue &argument : configuration.arguments)
      if (argument.provenance == Provenance::Assumed && !argument.pointer && argument.value && argument.offset == 0 && argument.index < program.parameters.size() &&
          argument.width_bits == 8 * program.parameters[argument.index].size && !program.parameters[argument.index].name.empty())
        spec += " " + program.parameters[argument.index].name + "=" + std::to_string(*argument.value);
    finding.hint = "say it with a comment above the kernel, `// smem-lint: launch " + spec + "`, or --launch";
    out.push_back(std::move(finding));
  }

  const FileAnalysis &file;
  std::size_t file_index;
  const FindingOptions &options;
  std::vector<Finding> &out;
  std::optional<std::size_t> traced; ///< the launch that `trace` is of
  Trace trace;
};

double excess_ratio(const Metrics &metrics) {
  const auto quotient = [](double actual, double ideal) { return ideal > 0 ? actual / ideal : 1; };
  return std::max(quotient(metrics.wavefronts, metrics.ideal_wavefronts), quotient(metrics.sectors, metrics.ideal_sectors));
}

/// Of several launches of a kernel the worst one stands for it.
void add_occurrences(std::vector<Occurrence> &all, std::vector<Occurrence> more) {
  for (Occurrence &occurrence : more) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Occurrence &other) { return other.kernel == occurrence.kernel; });
    if (same == all.end())
      all.push_back(std::move(occurrence));
    else if (excess_ratio(occurrence.metrics) > excess_ratio(same->metrics))
      *same = std::move(occurrence);
  }
}

/// The text without its numbers: what the findings of two launches of one kernel have in common.
std::string shape(std::string_view message) {
  std::string out;
  for (const char c : message)
    if (c < '0' || c > '9')
      out += c;
  return out;
}

} // namespace

void sort_findings(std::vector<Finding> &findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) {
    return std::tie(a.location, a.rule->id, a.message) < std::tie(b.location, b.rule->id, b.message);
  });
}

std::vector<Finding> find_all(std::span<const FileAnalysis> files, const FindingOptions &options) {
  return find_all(files, [&](std::size_t) -> const FindingOptions & { return options; });
}

std::vector<Finding> find_all(std::span<const FileAnalysis> files, const std::function<const FindingOptions &(std::size_t)> &options_of) {
  std::vector<Finding> all;
  for (std::size_t i = 0; i < files.size(); ++i)
    Finder(files[i], i, options_of(i), all).run();

  std::vector<Finding> merged;
  std::map<std::tuple<SourceLocation, std::string_view, std::string>, std::size_t> seen;
  for (Finding &finding : all) {
    const FindingOptions &options = options_of(finding.file);
    if (!options.checks.enabled(finding.rule->id))
      continue;
    if (finding.severity == Severity::Warning && options.warnings_as_errors.enabled(finding.rule->id))
      finding.severity = Severity::Error;
    const auto [entry, added] = seen.emplace(std::tuple{finding.location, finding.rule->id, shape(finding.message)}, merged.size());
    if (added) {
      merged.push_back(std::move(finding));
      continue;
    }
    Finding &kept = merged[entry->second];
    const std::size_t launches = kept.launches + 1;
    std::vector<Occurrence> occurrences = kept.occurrences;
    add_occurrences(occurrences, finding.occurrences);
    if (std::tie(finding.severity, finding.excess) > std::tie(kept.severity, kept.excess))
      kept = std::move(finding);
    kept.launches = launches;
    kept.occurrences = std::move(occurrences);
  }
  for (Finding &finding : merged)
    std::sort(finding.occurrences.begin(), finding.occurrences.end(), [](const Occurrence &a, const Occurrence &b) { return a.kernel < b.kernel; });
  sort_findings(merged);
  return merged;
}

} // namespace smem
