#include "report/findings.h"

#include "report/claim.h"
#include "report/format.h"
#include "report/hints.h"
#include "report/identity.h"
#include "report/lanes.h"
#include "report/launch_findings.h"
#include "report/race_findings.h"
#include "report/report.h"
#include "report/sector_texts.h"
#include "report/word_sharing.h"
#include "support/scalar_text.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
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

std::string quoted(const Site &site) {
  return site.expression.empty() ? std::string() : " of " + shorten(site.expression, 60);
}

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

/// The text without its numbers: what the findings of two launches of one kernel have in common.
std::string shape(std::string_view message) {
  std::string out;
  for (const char c : message)
    if (c < '0' || c > '9')
      out += c;
  return out;
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
    const std::vector<SiteRow> rows = site_rows(program, analysis.result, patterns_of(file, analysis.program));
    const AccessNames names(program, rows);
    for (const SiteRow &row : rows) {
      if (by_pattern(index, program, row, names, rows))
        continue;
      // What of a copy meets in no bank of shared memory has another cause: its source.
      const bool of_source = row.site->access.operation == Operation::AsyncCopy && row.counts.conflict_degree <= 1;
      const std::uint64_t serial = row.counts.serial_wavefronts;
      if (row.moves_shared && of_source && row.excess_wavefronts() > 0)
        copy_lines(index, program, row, names, rows);
      else if (row.moves_shared && row.excess_wavefronts() > serial)
        bank_conflict(index, program, row, names, rows);
      if (serial > 0)
        serial_atomic(index, program, row, names, rows);
      else if (row.loop_example)
        serial_loop(index, program, row, names, rows);
      const double ideal = static_cast<double>(row.counts.ideal_sectors);
      if (row.moves_global && row.excess_sectors() > 0 &&
          static_cast<double>(row.counts.sectors) >= options.thresholds.least_sector_ratio * ideal)
        is_narrow(row, options.thresholds.least_sector_ratio) ? narrow(index, program, row, names, rows)
                                                              : uncoalesced(index, program, row, names, rows);
    }
    for (const Problem &problem : analysis.result.problems)
      of_problem(index, program, rows, names, problem);
    std::ranges::move(race_findings(file, file_index, index), std::back_inserter(out));
    std::ranges::move(launch_findings(file, file_index, index, options), std::back_inserter(out));
    const Capacity &capacity = file.architecture->capacity;
    if (analysis.result.shared_bytes > capacity.shared_default &&
        analysis.result.shared_bytes <= capacity.shared_per_block && analysis.launch.dynamic_shared_bytes != 0 &&
        analysis.launch.dynamic_known && analysis.launch.dynamic_shared_bytes > analysis.launch.opted_in_bytes)
      opt_in(index, program);
    if (!analysis.launch.assumptions.empty() || !analysis.launch.not_known.empty())
      launch_unknown(index, program);
  }

  /// Nothing of the access was counted, or it could not be counted to the end, and its pattern proves what a request costs all the same.
  bool by_pattern(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names,
                  std::span<const SiteRow> rows) {
    const LaunchAnalysis &analysis = file.launches[launch];
    const bool open = row.verdict == Verdict::Unknown || (row.counts.requests == 0 && may_be_reached(row, analysis));
    if (!open || row.site->compared == Agreement::Absent)
      return false;
    const auto says = [&](Unit unit, double least_ratio) {
      const Counts &counts = row.counts;
      const bool counted = unit == Unit::Wavefronts ? counts.wavefronts > counts.ideal_wavefronts
                                                    : counts.sectors > counts.ideal_sectors;
      if (counted) // the counts have an example, too
        return false;
      const Claim claim = claim_of(row, file, analysis, unit, least_ratio);
      if (!claim.has_request)
        return false;
      of_pattern(launch, program, row, names, rows, unit, claim);
      return true;
    };
    const bool shared =
        row.moves_shared && row.site->access.operation != Operation::AsyncCopy && says(Unit::Wavefronts, 1);
    const bool global = row.moves_global && says(Unit::Sectors, options.thresholds.least_sector_ratio);
    return shared || global;
  }

  void of_pattern(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names,
                  std::span<const SiteRow> rows, Unit unit, const Claim &claim) {
    const bool shared = unit == Unit::Wavefronts, atomic = row.site->access.operation == Operation::Atomic;
    const PatternCase &request = claim.request;
    const std::string_view id = !shared ? rule::uncoalesced : atomic ? rule::atomic_serialization : rule::bank_conflict;
    Finding finding = start(*find_rule(id), launch);
    Traffic moved = traffic(row, rows, unit);
    moved.at_least = true; // whatever was counted, it is not all
    of_row(finding, row, names, moved, claim);
    // Whether the accesses next to it use the rest of its sectors is known of requests that were counted only; whether all lanes ever come there
    // in a launch that is known, its data decide.
    const bool lanes_by_data = claim.all_lanes && row.verdict == Verdict::Unknown && !claim.launch_assumed;
    if (!shared || lanes_by_data)
      finding.severity = Severity::Note;
    finding.message = (!shared  ? "uncoalesced "
                       : atomic ? "serialised "
                                : degree_words(claim, request.conflict_degree)) +
                      verb(row.site->access) + quoted(*row.site) + claimed_cost(claim, unit) +
                      (lanes_by_data && claim.words.empty() ? ", in warps whose lanes are all active" : "") +
                      where(claim);
    finding.cost = (row.verdict == Verdict::Unknown
                        ? "how often it runs is not known" + (row.reason.empty() ? "" : ": " + row.reason)
                        : "not reached in the launch that was assumed") +
                   ", in " + short_kernel(program.kernel, 60) +
                   (claim.if_modelled.empty() ? "" : "; assumed: " + claim.if_modelled);
    if (const Launch &stated = file.launches[launch].launch; !stated.assumptions.empty() || !stated.not_known.empty())
      finding.hint = "state the launch to see how much it costs in all: --launch, --set or a comment above the kernel";
    if (row.counts.requests == 0)
      finding.occurrences[0].metrics = {request.conflict_degree, static_cast<double>(request.wavefronts),
                                        static_cast<double>(request.ideal_wavefronts),
                                        static_cast<double>(request.sectors),
                                        static_cast<double>(request.ideal_sectors)};
    out.push_back(std::move(finding));
  }

  /// To follow what a request costs: where that holds, or on which assumed values it rests.
  static std::string where(const Claim &claim) {
    if (claim.reach != Reach::Assumed)
      return claim.words.empty() ? "" : ", " + claim.words;
    return (claim.words.empty() ? "" : ", " + claim.words + ",") + if_assumed(claim);
  }

  /// Of a launch of which something was assumed a message has the figures of the claim, never those that were counted.
  static bool by_claim(const Claim &claim) {
    return claim.launch_assumed && claim.has_request && claim.reach != Reach::Assumed;
  }

  /// "8-way bank conflict: ", "at least 8-way bank conflict: ".
  static std::string degree_words(const Claim &claim, unsigned degree) {
    return (claim.at_least ? "at least " : "") + std::to_string(degree) + "-way bank conflict: ";
  }

  /// " takes at least 8 wavefronts instead of 1"
  static std::string claimed_cost(const Claim &claim, Unit unit) {
    const PatternCase &request = claim.request;
    const std::string least = claim.at_least ? "at least " : claim.up_to ? "up to " : "";
    return unit == Unit::Wavefronts ? " takes " + least + plural(request.wavefronts, "wavefront") + " instead of " +
                                          std::to_string(request.ideal_wavefronts)
                                    : " moves " + least + plural(request.sectors, "sector") + " instead of " +
                                          std::to_string(request.ideal_sectors);
  }

  /// Of the first block.
  std::vector<Request> requests_of(std::size_t launch, const SiteRow &row) const {
    std::vector<Request> requests;
    for (const SampledRequest &each : file.launches[launch].samples)
      if (std::ranges::find(row.ids, each.site) != row.ids.end())
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

  /// `f` of `f<float, 32>`.
  static std::string without_arguments(const Program &program) {
    return program.kernel.substr(0, program.kernel.find('<'));
  }

  void of_row(Finding &finding, const SiteRow &row, const AccessNames &names, const Traffic &traffic,
              const Claim &claim) {
    finding.location = row.site->location;
    finding.site = row.ids.front();
    finding.subject = verb(row.site->access) + quoted(*row.site);
    finding.verdict = row.verdict;
    finding.uncertainties = row.uncertainties;
    finding.counts = row.counts;
    finding.traffic = traffic;
    finding.operation = row.site->access.operation;
    // Of an access that is not fully counted, the share may be larger.
    if (traffic.avoidable() < options.thresholds.note_below_share && !traffic.at_least)
      finding.severity = Severity::Note;
    else if (traffic.avoidable() > options.thresholds.error_above_share && finding.severity != Severity::Note)
      finding.severity = Severity::Error;
    finding.reach = claim.reach;
    // A cost that another value may not have is no claim.
    if (claim.reach == Reach::Assumed)
      finding.severity = Severity::Note;
    finding.occurrences = {names.occurrence(row)};
  }

  /// Of an access that was counted: what holds as modelled only, its counts say.
  Claim claim(std::size_t launch, const SiteRow &row, Unit unit) const {
    Claim claim = claim_of(row, file, file.launches[launch], unit,
                           unit == Unit::Wavefronts ? 1 : options.thresholds.least_sector_ratio);
    if (!claim.if_modelled.empty() && !claim.launch_assumed) {
      claim.has_request = false;
      claim.words.clear();
    }
    return claim;
  }

  /// What would settle a finding that rests on an assumption: its cases, and how to state the values.
  void add_what_to_state(Finding &finding, const SiteRow &row, const Claim &claim, const Program &program) const {
    if (claim.reach != Reach::Assumed)
      return;
    // Cases that turn on what has no name are nothing that anybody could state.
    if (const std::string cases = pattern_words(row, file.launches[finding.launch].launch);
        !cases.empty() && cases.find("not named") == std::string::npos)
      finding.cause += (finding.cause.empty() ? "" : "; ") + cases;
    if (const std::string how = how_to_state(claim, program.kernel); !how.empty())
      finding.hint = how + (finding.hint.empty() ? "" : "; " + finding.hint);
  }

  std::string certainty(const SiteRow &row, const Claim &claim) {
    if (row.verdict == Verdict::Unknown)
      return "at least: " + (row.reason.empty() ? std::string("not all of it is known") : row.reason);
    if (row.verdict == Verdict::Assumed && claim.certain && claim.launch_assumed)
      return "how often it runs is assumed";
    return std::string(to_string(row.verdict));
  }

  /// How much, how often, how sure.
  std::string cost(const Program &program, const SiteRow &row, const Traffic &traffic, const Claim &claim) {
    return traffic_text(traffic) + "; " + share_text(traffic, short_kernel(program.kernel, 60)) + "; " +
           certainty(row, claim);
  }

  /// ` takes 8 wavefronts instead of 1`; of the worst request, and the mean where that is another.
  static std::string worst_and_mean(const char *verb, std::uint64_t worst, std::uint64_t ideal, std::uint64_t sum,
                                    std::uint64_t requests, const char *unit) {
    const bool all = requests == 0 || sum == worst * requests;
    std::string text = std::string(" ") + verb + (all ? " " : " up to ") + plural(worst, unit) + " instead of " +
                       std::to_string(ideal);
    const double mean = requests == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(requests);
    if (!all && mean < 0.99 * static_cast<double>(worst)) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.3g", mean);
      text += std::string(" (") + digits + " on average)";
    }
    return text;
  }

  void bank_conflict(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names,
                     std::span<const SiteRow> rows) {
    Finding finding = start(*find_rule(rule::bank_conflict), launch);
    const Access &access = row.site->access;
    Traffic moved = traffic(row, rows, Unit::Wavefronts);
    moved.actual -= row.counts.serial_wavefronts; // which is a finding of its own
    const Claim claim = this->claim(launch, row, Unit::Wavefronts);
    of_row(finding, row, names, moved, claim);
    unsigned degree = row.counts.conflict_degree;
    if (access.operation == Operation::Atomic && row.shared_example)
      degree = worst_pileup(row.shared_example->request, access, *file.architecture).words;
    const std::uint32_t serial =
        row.shared_example ? serial_wavefronts(row.shared_example->request, access, *file.architecture) : 0;
    if (by_claim(claim) && serial == 0) {
      finding.message =
          degree_words(claim, access.operation == Operation::Atomic ? degree : claim.request.conflict_degree) +
          verb(access) + quoted(*row.site) + claimed_cost(claim, Unit::Wavefronts);
    } else {
      finding.message = std::to_string(degree) + "-way bank conflict: " + verb(access) + quoted(*row.site);
      if (row.shared_example)
        finding.message +=
            worst_and_mean("takes", row.shared_example->cost.wavefronts - serial,
                           row.shared_example->cost.ideal_wavefronts, moved.actual, moved.requests, "wavefront");
    }
    if (row.shared_example)
      finding.cause = shared_cause(row.shared_example->request, row.site->access, *file.architecture);
    finding.message += where(claim);
    finding.cost = cost(program, row, *finding.traffic, claim);
    finding.hint = shared_hint(program, row, rows, *file.architecture,
                               [&](const SiteRow &each) { return requests_of(launch, each); });
    add_what_to_state(finding, row, claim, program);
    out.push_back(std::move(finding));
  }

  /// Lanes that update one word.
  void serial_atomic(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names,
                     std::span<const SiteRow> rows) {
    Finding finding = start(*find_rule(rule::atomic_serialization), launch);
    Traffic moved = traffic(row, rows, Unit::Wavefronts);
    moved.ideal = moved.actual - row.counts.serial_wavefronts;
    const Claim claim = this->claim(launch, row, Unit::Wavefronts);
    of_row(finding, row, names, moved, claim);
    finding.message = "serialised " + verb(row.site->access) + quoted(*row.site);
    if (row.shared_example) {
      const Request &request = row.shared_example->request;
      const std::uint32_t wavefronts = row.shared_example->cost.wavefronts;
      finding.message +=
          (by_claim(claim) && claim.request.wavefronts != wavefronts
               ? claimed_cost(claim, Unit::Wavefronts)
               : worst_and_mean("takes", wavefronts,
                                wavefronts - serial_wavefronts(request, row.site->access, *file.architecture),
                                moved.actual, by_claim(claim) ? 0 : moved.requests, "wavefront")) +
          ": lanes update one word";
      finding.cause = serial_cause(request, row.site->access);
      finding.hint = serial_hint(request, row.site->access);
    }
    finding.message += where(claim);
    finding.cost = cost(program, row, *finding.traffic, claim);
    add_what_to_state(finding, row, claim, program);
    out.push_back(std::move(finding));
  }

  /// The same of an atomic that is a loop, where each lane of a word takes a round.
  void serial_loop(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names,
                   std::span<const SiteRow> rows) {
    const Request &request = row.loop_example->request;
    const auto lanes = static_cast<unsigned>(std::popcount(shared_words(request, row.site->access).lanes));
    if (lanes < 2)
      return;
    Finding finding = start(*find_rule(rule::atomic_serialization), launch);
    const Claim claim = this->claim(launch, row, Unit::Wavefronts);
    of_row(finding, row, names, traffic(row, rows, Unit::Wavefronts), claim);
    if (claim.reach != Reach::Assumed)
      finding.severity = finding.rule->severity; // in rounds of the loop, not in wavefronts of a round
    finding.traffic.reset();
    finding.message = "serialised " + verb(row.site->access) + quoted(*row.site) +
                      " is a loop of compare-and-swap of " + plural(lanes, "round") +
                      " instead of 1: lanes update one word" + (claim.reach == Reach::Assumed ? where(claim) : "");
    finding.cost = "a round is a load and a compare-and-swap of the lanes that are left, in " +
                   short_kernel(program.kernel, 60) + "; " + std::string(to_string(row.verdict)) +
                   (row.verdict == Verdict::Unknown ? ": " + row.reason : "");
    finding.cause = serial_cause(request, row.site->access);
    finding.hint = serial_hint(request, row.site->access);
    out.push_back(std::move(finding));
  }

  void copy_lines(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names,
                  std::span<const SiteRow> rows) {
    Finding finding = start(*find_rule(rule::copy_lines), launch);
    const Claim claim = this->claim(launch, row, Unit::Wavefronts);
    of_row(finding, row, names, traffic(row, rows, Unit::Wavefronts), claim);
    finding.message = "async copy" + quoted(*row.site) + " fills lines of shared memory piece by piece";
    if (row.shared_example) {
      const RequestCost &cost = row.shared_example->cost;
      finding.message +=
          ":" + (by_claim(claim) ? " it" + claimed_cost(claim, Unit::Wavefronts)
                                 : worst_and_mean("it takes", cost.wavefronts, cost.ideal_wavefronts,
                                                  row.counts.wavefronts, row.counts.requests, "wavefront"));
      if (row.global_example)
        finding.cause = plural(distinct_lines(row.global_example->request, *file.architecture), "line") +
                        " of global memory go to " +
                        plural(distinct_lines(row.shared_example->request, *file.architecture), "line") +
                        " of shared memory; a wavefront moves from one line to one line";
    }
    finding.message += where(claim);
    finding.cost = cost(program, row, *finding.traffic, claim);
    finding.hint = "make the rows of the tile a multiple of 128 bytes, and begin them on one";
    add_what_to_state(finding, row, claim, program);
    out.push_back(std::move(finding));
  }

  /// What it leaves of its sectors, the accesses next to it use.
  void narrow(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names,
              std::span<const SiteRow> rows) {
    Finding finding = start(*find_rule(rule::narrow_access), launch);
    const Claim claim = this->claim(launch, row, Unit::Sectors);
    of_row(finding, row, names, traffic(row, rows, Unit::Sectors), claim);
    finding.message = "narrow " + verb(row.site->access) + quoted(*row.site) + " uses " + own_use(*row.sector_use) +
                      " of its sectors, with the accesses next to it " + whole_use(*row.sector_use);
    if (row.global_example) {
      Access access = row.site->access;
      access.space = Space::Global;
      finding.cause = global_cause(row.global_example->request, access, row.global_example->cost, *file.architecture);
    }
    finding.cause += finding.cause.empty() ? "" : "; ";
    finding.cause += row.site->access.operation == Operation::Store ? "L2 merges what each of these stores sends"
                                                                    : "L1 fetches them once for all of these accesses";
    if (claim.reach == Reach::Assumed)
      finding.message += where(claim);
    finding.cost = cost(program, row, *finding.traffic, claim);
    finding.hint = narrow_hint(row);
    add_what_to_state(finding, row, claim, program);
    out.push_back(std::move(finding));
  }

  void uncoalesced(std::size_t launch, const Program &program, const SiteRow &row, const AccessNames &names,
                   std::span<const SiteRow> rows) {
    Finding finding = start(*find_rule(rule::uncoalesced), launch);
    const Claim claim = this->claim(launch, row, Unit::Sectors);
    of_row(finding, row, names, traffic(row, rows, Unit::Sectors), claim);
    finding.message = "uncoalesced " + verb(row.site->access) + quoted(*row.site);
    Access access = row.site->access;
    access.space = Space::Global;
    if (row.global_example) {
      const RequestCost &cost = row.global_example->cost;
      finding.message += by_claim(claim) ? claimed_cost(claim, Unit::Sectors)
                                         : worst_and_mean("moves", cost.sectors, cost.ideal_sectors, row.counts.sectors,
                                                          row.counts.requests, "sector");
      finding.cause = global_cause(row.global_example->request, access, cost, *file.architecture);
      if (const std::string use = use_text(row); !use.empty())
        finding.cause += "; " + use;
    }
    finding.message += where(claim);
    finding.cost = cost(program, row, *finding.traffic, claim);
    finding.hint = global_hint(row, program);
    add_what_to_state(finding, row, claim, program);
    out.push_back(std::move(finding));
  }

  void of_problem(std::size_t launch, const Program &program, const std::vector<SiteRow> &rows,
                  const AccessNames &names, const Problem &problem) {
    Finding finding = start(rule_of(problem.kind), launch);
    const Launch &configuration = file.launches[launch].launch;
    finding.location = problem.location;
    if (!finding.location.known() && problem.site && *problem.site < program.sites.size())
      finding.location = program.sites[*problem.site].location;
    if (!finding.location.known())
      finding.location = configuration.location.known() ? configuration.location : program.location;
    finding.site = problem.site;
    finding.message = problem.message;
    finding.subject = shape(problem.message);
    finding.cost = "in " + short_kernel(program.kernel, 60) + " launched with grid=" + to_string(configuration.grid) +
                   " block=" + to_string(configuration.block);
    finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
    for (const SiteRow &row : rows)
      if (finding.site && std::find(row.ids.begin(), row.ids.end(), *finding.site) != row.ids.end()) {
        finding.occurrences = {names.occurrence(row)};
        finding.occurrences[0].metrics = {}; // what is wrong is not a matter of degree
      }
    // A defect that only an assumed launch has may be the assumption's fault. Limits concern what is assumed only if they are about it.
    const bool stated =
        (problem.kind == Problem::Kind::LaunchLimit && configuration.grid_known && configuration.block_known) ||
        (problem.kind == Problem::Kind::SharedCapacity && configuration.dynamic_known);
    if ((!configuration.assumptions.empty() && !stated) || !configuration.reached) {
      // Of a launch of its own making, or that host code does not come to, the tool does not report that it leaves an array, or has too much of something.
      if (problem.kind == Problem::Kind::OutOfBounds || problem.kind == Problem::Kind::Misaligned ||
          problem.kind == Problem::Kind::DivisionByZero || problem.kind == Problem::Kind::SharedCapacity ||
          problem.kind == Problem::Kind::LaunchLimit)
        return;
      finding.reach = Reach::Assumed;
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
    finding.subject = without_arguments(program);
    finding.location = configuration.location.known() ? configuration.location : program.location;
    finding.message = thousands(bytes) + " bytes of shared memory a block of " + short_kernel(program.kernel, 60) +
                      ": more than " + thousands(capacity.shared_default) +
                      " fail to launch unless cudaFuncSetAttribute() allows them";
    finding.cost = "shared memory leaves room for " +
                   plural(capacity.shared_per_sm / (bytes + capacity.reserved_per_block), "block") + " an SM";
    finding.hint = "cudaFuncSetAttribute(" + short_kernel(program.kernel, 60) +
                   ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                   std::to_string(configuration.dynamic_shared_bytes) + ") before the launch";
    if (configuration.opted_in_bytes != 0)
      finding.hint += "; host code asks for " + thousands(configuration.opted_in_bytes);
    finding.verdict = configuration.assumptions.empty() ? Verdict::Exact : Verdict::Assumed;
    finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
    out.push_back(std::move(finding));
  }

  /// What the user can say of a launch and nothing has said, to be filled in: "grid=<value> n=<value>".
  static std::string missing_words(const Launch &launch, const Program &program) {
    std::string words;
    const auto add = [&](const std::string &name) { words += (words.empty() ? "" : " ") + name + "=<value>"; };
    if (!launch.block_known)
      add("block");
    if (!launch.grid_known)
      add("grid");
    if (!launch.dynamic_known)
      add("dynamic");
    const std::vector<PassedScalar> scalars = passed_scalars(program);
    for (const ArgumentValue &argument : launch.arguments) {
      const auto passed = std::ranges::find_if(scalars, [&](const PassedScalar &one) {
        return one.index == argument.index && one.scalar.offset == argument.offset;
      });
      if ((argument.provenance == Provenance::Assumed || !argument.value) && !argument.pointer &&
          passed != scalars.end() && !is_floating_type(passed->scalar.type) && // launches state integers
          argument.width_bits == 8 * passed->scalar.size)
        add(passed->scalar.name);
    }
    return words;
  }

  /// "assumed n=1024: no launch found; not known: k: depends on a loop whose iterations are not followed".
  static std::string what_is_missing(const Launch &launch) {
    std::string text = launch.assumptions.empty() ? std::string() : "assumed " + to_string(launch.assumptions);
    for (const std::string &part : launch.not_known)
      text += (text.empty() ? "" : "; ") + std::string("not known: ") + part;
    return text;
  }

  /// The first launch that was tried takes more shared memory than a block can have.
  bool too_large(std::size_t launch) const {
    return !file.launches[launch].launch.dynamic_known &&
           file.launches[launch].result.shared_bytes > file.architecture->capacity.shared_per_block;
  }

  void launch_unknown(std::size_t launch, const Program &program) {
    const Launch &configuration = file.launches[launch].launch;
    Finding finding = start(*find_rule(rule::launch_unknown), launch);
    finding.location = configuration.location.known() ? configuration.location : program.location;
    finding.subject = without_arguments(program);
    finding.verdict = Verdict::Assumed;
    finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
    finding.message =
        "launch of " + short_kernel(program.kernel, 60) + " is not known entirely; " +
        (configuration.consistent ? what_is_missing(configuration)
         : too_large(launch)
             ? "the launch that was tried takes " + thousands(file.launches[launch].result.shared_bytes) +
                   " bytes of shared memory a block, more than " +
                   thousands(file.architecture->capacity.shared_per_block) + ", so it is not reported"
             : "every launch that was tried reads or writes outside of an array, so none of them is reported");
    const std::string missing = missing_words(configuration, program);
    if (!configuration.consistent && too_large(launch)) // with these values there is none
      finding.hint = "if it is launched with less, say so: --launch, or a comment above the kernel";
    else if (!missing.empty())
      finding.hint = "say what is not known: --launch '" + program.kernel + ":" + missing + "'" +
                     (file.machine_code.empty() ? ", or above the kernel `// smem-lint: launch " + missing + "`" : "");
    out.push_back(std::move(finding));
  }

  const FileAnalysis &file;
  std::size_t file_index;
  const FindingOptions &options;
  std::vector<Finding> &out;
};

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

/// In how many instantiations, kernels or launches a finding is.
std::string extent_of(const Finding &finding, std::span<const FileAnalysis> files, const Kernels &kernels) {
  std::set<std::string> names;
  std::set<SourceLocation> places;
  for (const Instance &instance : finding.instances) {
    const Program &program = files[instance.file].programs[instance.program];
    names.insert(program.kernel);
    places.insert(program.location);
  }
  const std::string worst = finding.traffic ? "; the worst is shown" : "";
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
    Finder(files[i], i, options_of(i), all).run();

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
    if (std::pair(finding.severity, finding.excess()) > std::pair(kept.severity, kept.excess()))
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
