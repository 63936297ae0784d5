#include "gate/expectations.h"

#include "plan/kernel_names.h"
#include "plan/launch_spec.h"
#include "report/claim.h"
#include "report/format.h"
#include "report/identity.h"
#include "support/nearest.h"
#include "support/paths.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace smem {
namespace {

using Metric = Expectation::Metric;

constexpr std::string_view kMarker = "smem-lint:";
constexpr std::string_view kRaceFree = "race-free";
constexpr unsigned kMostLinesOfSignature = 4; ///< `template <...>` and attributes before a kernel's name
constexpr std::pair<std::string_view, Metric> kMetrics[] = {{"degree", Metric::Degree},
                                                            {"wavefronts/request", Metric::WavefrontsPerRequest},
                                                            {"sectors/request", Metric::SectorsPerRequest}};

bool has_metric(const SiteRow &row, Metric metric) {
  return metric == Metric::SectorsPerRequest ? row.moves_global : row.moves_shared;
}

double value_of(const Metrics &metrics, Metric metric) {
  switch (metric) {
  case Metric::Degree: return metrics.degree;
  case Metric::WavefrontsPerRequest: return metrics.wavefronts;
  case Metric::SectorsPerRequest: return metrics.sectors;
  case Metric::RaceFree: break;
  }
  return 0;
}

/// `4`, `4.5`: as few digits as say it.
std::string figure(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

/// One `metric<=number`; empty on success.
std::string parse_one(std::string_view word, Expectation &expectation) {
  if (word == kRaceFree) {
    expectation.metric = Metric::RaceFree;
    expectation.text = kRaceFree;
    return {};
  }
  const std::size_t sign = word.find_first_of("<>=!");
  const std::string_view name = word.substr(0, sign);
  const auto metric =
      std::find_if(std::begin(kMetrics), std::end(kMetrics), [&](const auto &known) { return known.first == name; });
  std::vector<std::string> names;
  for (const auto &known : kMetrics)
    names.emplace_back(known.first);
  names.emplace_back(kRaceFree);
  if (metric == std::end(kMetrics))
    return "unknown figure '" + std::string(name) + "'" + did_you_mean(name, names);
  const std::string_view rest = sign == std::string_view::npos ? std::string_view() : word.substr(sign);
  if (!rest.starts_with("<=") && !rest.starts_with("=="))
    return "'" + std::string(word) + "': write " + std::string(name) + "<=N or " + std::string(name) + "==N";
  const std::string digits(rest.substr(2));
  char *end = nullptr;
  expectation.limit = std::strtod(digits.c_str(), &end);
  if (digits.empty() || !std::isdigit(static_cast<unsigned char>(digits[0])) || *end != '\0')
    return "'" + std::string(word) + "': '" + digits + "' is not a number";
  expectation.metric = metric->second;
  expectation.equal = rest.starts_with("==");
  expectation.text = std::string(word);
  return {};
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = text.find_first_not_of(" \t,;");
    if (start == std::string_view::npos)
      return words;
    text.remove_prefix(start);
    const std::size_t end = std::min(text.find_first_of(" \t,;"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// The first line behind `line` that has code: neither blank nor only a comment.
unsigned next_code_line(std::string_view source, std::span<const CommentLine> comments, unsigned line) {
  std::set<unsigned> comment_only;
  for (const CommentLine &comment : comments)
    if (comment.alone)
      comment_only.insert(comment.line);
  unsigned number = 0;
  while (!source.empty()) {
    const std::size_t end = source.find('\n');
    const std::string_view text = source.substr(0, end);
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    if (++number > line && text.find_first_not_of(" \t\r") != std::string_view::npos && !comment_only.count(number))
      return number;
  }
  return line + 1;
}

Finding finding_of(std::string_view rule_id, const SourceLocation &location, std::string message) {
  Finding finding;
  finding.rule = find_rule(rule_id);
  finding.severity = finding.rule->severity;
  finding.location = location;
  finding.message = std::move(message);
  return finding;
}

/// What a limit meets at one access in one launch.
struct Met {
  enum class Kind : std::uint8_t { Holds, Broken, Undecided } kind = Kind::Holds;
  double value = 0;        ///< Broken
  std::string where;       ///< Broken: of which launches it is, to follow the value; empty: of this one
  std::string why;         ///< Undecided
  std::string cause, hint; ///< Undecided: the cases, and what to state
  bool assumed = false;    ///< Broken: it rests on an assumption
};

bool holds(const Expectation &expectation, double value) {
  return expectation.equal ? value == expectation.limit : value <= expectation.limit;
}

/// Of a launch of which something was assumed: by what all launches have, never by what was counted in one of the tool's own making.
Met met_in_all(const Expectation &expectation, const SiteRow &row, const FileAnalysis &file,
               const LaunchAnalysis &analysis) {
  Met met;
  const Metric metric = expectation.metric;
  const Program &program = file.programs[analysis.program];
  const Extremes extremes = extremes_of(row, analysis.launch);
  const bool met_by_most = extremes.most && value_of(*extremes.most, metric) <= expectation.limit;
  if (met_by_most && (!expectation.equal || (extremes.least && value_of(*extremes.least, metric) == expectation.limit)))
    return met;
  const auto broken = [&](double value, std::string where) {
    met.kind = Met::Kind::Broken;
    met.value = value;
    met.where = std::move(where);
    met.assumed = true;
    return met;
  };
  Claim claim = claim_of(row, file, analysis, metric == Metric::SectorsPerRequest ? Unit::Sectors : Unit::Wavefronts);
  if (claim.reach != Reach::Assumed && claim.has_request) {
    const double least = metric == Metric::Degree                 ? claim.request.conflict_degree
                         : metric == Metric::WavefrontsPerRequest ? claim.request.wavefronts
                                                                  : claim.request.sectors;
    if (least > expectation.limit)
      return broken(least, (claim.words.empty() ? "" : ", ") + claim.words);
  }
  if (extremes.least && value_of(*extremes.least, metric) > expectation.limit)
    return broken(value_of(*extremes.least, metric), ", in all launches");
  if (expectation.equal && extremes.most && value_of(*extremes.most, metric) < expectation.limit)
    return broken(value_of(*extremes.most, metric), ", in all launches");
  met.kind = Met::Kind::Undecided;
  if (row.verdict == Verdict::Unknown && !row.reason.empty()) {
    met.why = row.reason;
  } else {
    claim.rests_on.clear();
    claim.to_state.clear();
    name_assumed(claim, row, program, analysis.launch);
    met.why = (row.counts.requests == 0 ? std::string("it does not run")
                                        : "it is " + figure(value_of(metrics_of(row.counts), metric))) +
              if_assumed(claim);
    met.hint = how_to_state(claim, program.kernel);
  }
  met.cause = pattern_words(row, analysis.launch);
  return met;
}

Met met_by(const Expectation &expectation, const SiteRow &row, const FileAnalysis &file,
           const LaunchAnalysis &analysis) {
  Met met;
  if (rests_on_launch(row, analysis)) {
    const bool never = row.counts.requests == 0 && row.verdict != Verdict::Unknown && !may_be_reached(row, analysis);
    return never ? met : met_in_all(expectation, row, file, analysis);
  }
  double value = value_of(metrics_of(row.counts), expectation.metric);
  // Where not all was counted, the dearest request of any launch that is left stands for it; a mean it bounds from above.
  const bool counted = row.verdict == Verdict::Exact;
  const std::optional<Metrics> pattern = counted ? std::nullopt : pattern_metrics(row, analysis.launch);
  const bool always = pattern && row.pattern->verdict == PatternVerdict::Always;
  const bool bounded = pattern && !expectation.equal && value_of(*pattern, expectation.metric) <= expectation.limit;
  if (always || bounded)
    value = value_of(*pattern, expectation.metric);
  // Known requests bound a maximum from below; of a mean they say nothing.
  if (row.verdict == Verdict::Unknown && !always && !bounded &&
      (expectation.metric != Metric::Degree || value <= expectation.limit)) {
    met.kind = Met::Kind::Undecided;
    met.why = row.reason.empty() ? "not all of it is known" : row.reason;
    return met;
  }
  if (!holds(expectation, value)) {
    met.kind = Met::Kind::Broken;
    met.value = value;
    met.assumed = !always && !bounded && (row.verdict == Verdict::Assumed || !analysis.launch.assumptions.empty());
  }
  return met;
}

/// The worst of what several accesses or launches have: what is broken most, else what is undecided first.
struct WorstMet {
  Met met;
  bool open = false; ///< something is undecided
  bool any = false;
  std::size_t file = 0, launch = 0;
  Occurrence occurrence;

  void add(const Expectation &expectation, Met one, std::size_t in_file, std::size_t in_launch, Occurrence access) {
    const auto badness = [&](const Met &of) {
      return expectation.equal ? std::abs(of.value - expectation.limit) : of.value;
    };
    const auto rank = [](const Met &of) {
      return of.kind == Met::Kind::Broken ? 2 : of.kind == Met::Kind::Undecided ? 1 : 0;
    };
    open |= one.kind == Met::Kind::Undecided;
    if (any && (rank(one) < rank(met) ||
                (rank(one) == rank(met) && (one.kind != Met::Kind::Broken || badness(one) <= badness(met)))))
      return;
    any = true;
    met = std::move(one);
    file = in_file;
    launch = in_launch;
    occurrence = std::move(access);
  }
};

void meet(WorstMet &worst, const Expectation &expectation, std::size_t file_index, const FileAnalysis &file,
          std::size_t launch_index) {
  const LaunchAnalysis &launch = file.launches[launch_index];
  const Program &program = file.programs[launch.program];
  const std::vector<SiteRow> rows = site_rows(program, launch.result, patterns_of(file, launch.program));
  const AccessNames names(program, rows);
  for (const SiteRow &row : rows) {
    const SourceLocation &place = row.site->location;
    if (place.file == expectation.location.file && place.line == expectation.line &&
        has_metric(row, expectation.metric))
      worst.add(expectation, met_by(expectation, row, file, launch), file_index, launch_index, names.occurrence(row));
  }
}

/// Of the kernel that begins on the expectation's line, the first launch that is not known to be free of races.
void check_races(const Expectation &expectation, std::span<const FileAnalysis> files, std::vector<Finding> &findings) {
  const SourceLocation *kernel = nullptr;
  for (const FileAnalysis &file : files)
    for (const Program &program : file.programs)
      if (const SourceLocation &at = program.location;
          at.file == expectation.location.file && at.line >= expectation.line &&
          at.line <= expectation.line + kMostLinesOfSignature && (!kernel || at.line < kernel->line))
        kernel = &at;
  if (!kernel) {
    if (std::ranges::all_of(files, [](const FileAnalysis &file) { return file.left_out.empty(); }))
      findings.push_back(finding_of(rule::expectation_stale, expectation.location,
                                    "expectation `" + expectation.text + "` is stale: no kernel begins on line " +
                                        std::to_string(expectation.line)));
    return;
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = 0; j < files[i].launches.size(); ++j) {
      const LaunchAnalysis &launch = files[i].launches[j];
      const Program &program = files[i].programs[launch.program];
      if (program.location != *kernel)
        continue;
      const RaceVerdict verdict = launch.races ? launch.races->verdict() : RaceVerdict::Unknown;
      if (verdict == RaceVerdict::Free && !launch.races->assumed)
        continue;
      const bool races = verdict == RaceVerdict::Race;
      Finding finding =
          finding_of(rule::expectation_broken, expectation.location,
                     "expectation `" + expectation.text + "` " +
                         (races ? "is broken: threads of " + short_kernel(program.kernel, 60) + " race" +
                                      (launch.races->assumed ? " in a launch that is assumed" : "")
                                : "cannot be shown to hold: " +
                                      (launch.races ? launch.races->reason : "smem-race is not checked")));
      finding.cause =
          "in the launch with grid=" + to_string(launch.launch.grid) + " block=" + to_string(launch.launch.block);
      finding.file = i;
      finding.launch = j;
      finding.program = launch.program;
      finding.verdict = races ? Verdict::Exact : Verdict::Unknown;
      finding.occurrences = {{normalise_kernel(program.kernel), std::string(kRaceFree), 0, {}}};
      findings.push_back(std::move(finding));
      return;
    }
}

} // namespace

Expectations find_expectations(const std::string &file, std::string_view source,
                               std::span<const CommentLine> comments) {
  Expectations found;
  for (const CommentLine &comment : comments) {
    const std::size_t marker = comment.text.find(kMarker);
    if (marker == std::string::npos || comment.text.find_first_not_of(" \t*/!<") != marker)
      continue;
    std::string_view text = std::string_view(comment.text).substr(marker + kMarker.size());
    text = text.substr(0, text.find("//")); // a comment within the comment: an explanation, a NOLINT
    const std::vector<std::string_view> words = words_of(text);
    if (words.empty() || words[0] != "expect")
      continue;
    const SourceLocation location{file, comment.line, comment.column + static_cast<unsigned>(marker)};
    std::string error = words.size() == 1 ? "nothing is expected; write for instance `expect degree<=2`" : "";
    const unsigned line = comment.alone ? next_code_line(source, comments, comment.line) : comment.line;
    for (std::size_t i = 1; i < words.size() && error.empty(); ++i) {
      Expectation expectation{location, line, Metric::Degree, false, 0, {}};
      error = parse_one(words[i], expectation);
      if (error.empty())
        found.expectations.push_back(std::move(expectation));
    }
    if (!error.empty())
      found.diagnostics.push_back({Diagnostic::Severity::Error, location, "expect comment: " + error});
  }
  return found;
}

std::vector<Finding> check_expectations(std::span<const FileAnalysis> files,
                                        std::span<const Expectation> expectations) {
  std::vector<Finding> findings;
  for (const Expectation &expectation : expectations) {
    if (expectation.metric == Metric::RaceFree) {
      check_races(expectation, files, findings);
      continue;
    }
    WorstMet worst;
    for (std::size_t i = 0; i < files.size(); ++i)
      for (std::size_t j = 0; j < files[i].launches.size(); ++j)
        meet(worst, expectation, i, files[i], j);
    if (!worst.any) {
      if (std::any_of(files.begin(), files.end(), [](const FileAnalysis &file) { return !file.left_out.empty(); }))
        continue; // it may speak of a kernel that was left out
      findings.push_back(finding_of(rule::expectation_stale, expectation.location,
                                    "expectation `" + expectation.text + "` is stale: line " +
                                        std::to_string(expectation.line) + " has no such memory instruction"));
      continue;
    }
    Met &met = worst.met;
    if (met.kind == Met::Kind::Holds)
      continue;
    const bool broken = met.kind == Met::Kind::Broken;
    Finding finding =
        finding_of(rule::expectation_broken, expectation.location,
                   broken ? "expectation `" + expectation.text + "` is broken: it is " + figure(met.value) + met.where
                          : "expectation `" + expectation.text + "` cannot be shown to hold: " + met.why);
    finding.cause = met.cause;
    finding.hint = met.hint;
    finding.file = worst.file;
    finding.launch = worst.launch;
    finding.program = files[worst.file].launches[worst.launch].program;
    finding.verdict = !broken ? Verdict::Unknown : met.assumed ? Verdict::Assumed : Verdict::Exact;
    finding.occurrences = {std::move(worst.occurrence)};
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> check_budgets(std::span<const FileAnalysis> files,
                                   const std::vector<const std::vector<KernelBudget> *> &budgets_of) {
  std::vector<Finding> findings;
  std::map<SourceLocation, std::pair<const KernelBudget *, bool>> of_files; ///< whether a kernel matched
  std::set<std::string> names;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const FileAnalysis &file = files[i];
    for (const Program &program : file.programs)
      names.insert(program.kernel);
    for (const KernelBudget &budget : *budgets_of[i]) {
      if (budget.file && *budget.file != normalise_path(file.file))
        continue;
      if (budget.file && file.parsed && file.left_out.empty())
        of_files.emplace(budget.location, std::pair{&budget, false});
      for (std::size_t j = 0; j < file.launches.size(); ++j) {
        const LaunchAnalysis &launch = file.launches[j];
        const Program &program = file.programs[launch.program];
        if (!kernel_matches(budget.kernel, program))
          continue;
        if (const auto known = of_files.find(budget.location); known != of_files.end())
          known->second.second = true;
        const std::vector<SiteRow> rows = site_rows(program, launch.result, patterns_of(file, launch.program));
        const auto report = [&](const char *what, double limit, const Met &met, bool open) {
          if (met.kind == Met::Kind::Holds)
            return;
          const bool broken = met.kind == Met::Kind::Broken;
          Finding finding =
              finding_of(rule::expectation_broken, program.location,
                         "budget of " + short_kernel(program.kernel, 60) + ": " + what + " " +
                             (broken ? (open ? "at least " : "") + figure(met.value) + " instead of at most " +
                                           figure(limit) + met.where
                                     : "cannot be shown to be at most " + figure(limit) + ": " + met.why));
          finding.cause =
              (met.cause.empty() ? "" : met.cause + "; ") + "in the launch with grid=" + to_string(launch.launch.grid) +
              " block=" + to_string(launch.launch.block) + "; the budget stands at " + to_string(budget.location);
          finding.hint = met.hint;
          finding.file = i;
          finding.launch = j;
          finding.program = launch.program;
          finding.verdict = !broken                             ? Verdict::Unknown
                            : launch.launch.assumptions.empty() ? Verdict::Exact
                                                                : Verdict::Assumed;
          finding.occurrences = {{normalise_kernel(program.kernel), what, 0, {}}};
          findings.push_back(std::move(finding));
        };
        const auto of_requests = [&](const char *what, Metric metric, const std::optional<double> &limit) {
          if (!limit)
            return;
          Expectation expectation;
          expectation.metric = metric;
          expectation.limit = *limit;
          WorstMet worst;
          for (const SiteRow &row : rows)
            if (has_metric(row, metric))
              worst.add(expectation, met_by(expectation, row, file, launch), i, j, {});
          report(what, *limit, worst.met, worst.open);
        };
        // What was counted in a launch of the tool's own making neither breaks a limit of its sums nor shows that it holds.
        const auto of_sums = [&](const char *what, const std::optional<double> &limit, double sum, double known,
                                 std::string why_open) {
          if (!limit)
            return;
          Met met;
          met.value = known;
          met.why = std::move(why_open);
          met.kind = known > *limit ? Met::Kind::Broken : !met.why.empty() ? Met::Kind::Undecided : Met::Kind::Holds;
          if (met.kind == Met::Kind::Undecided && known != sum)
            met.why = "it is " + figure(sum) + " in a launch that is assumed";
          report(what, *limit, met, known != sum || !met.why.empty());
        };
        Counts sum, known;
        std::string open;
        for (const SiteRow &row : rows) {
          sum += row.counts;
          const bool rests = rests_on_launch(row, launch);
          if (!rests)
            known += row.counts;
          if (row.verdict == Verdict::Unknown && open.empty())
            open = row.reason.empty() ? "not all of it is known" : row.reason;
          else if (rests && open.empty() && (row.counts.requests != 0 || may_be_reached(row, launch)))
            open = "it rests on a launch that is assumed";
        }
        const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
        const std::uint64_t bytes = launch.result.shared_bytes;
        const std::uint64_t assumed_bytes =
            launch.launch.dynamic_known ? 0 : std::min(bytes, launch.launch.dynamic_shared_bytes);
        of_requests("conflict degree", Metric::Degree, budget.degree);
        of_requests("wavefronts/request", Metric::WavefrontsPerRequest, budget.wavefronts_per_request);
        of_requests("sectors/request", Metric::SectorsPerRequest, budget.sectors_per_request);
        of_sums("wavefronts", budget.wavefronts, number(sum.wavefronts), number(known.wavefronts), open);
        of_sums("sectors", budget.sectors, number(sum.sectors), number(known.sectors), open);
        of_sums("bytes of shared memory", budget.shared_bytes, number(bytes), number(bytes - assumed_bytes),
                assumed_bytes == 0 ? "" : "the dynamic part is assumed");
      }
    }
  }
  for (const auto &[location, entry] : of_files)
    if (!entry.second)
      findings.push_back(finding_of(rule::expectation_stale, location,
                                    "budget of '" + entry.first->kernel + "' is stale: its file has no such kernel" +
                                        did_you_mean(entry.first->kernel, {names.begin(), names.end()})));
  return findings;
}

} // namespace smem
