#include "report/text_parts.h"

#include "report/figures.h"
#include "report/finding_groups.h"
#include "report/launch_floor.h"
#include "report/machine_text.h"
#include "sinks/escape.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;

std::vector<std::string> kernel_names(const FileAnalysis &file) {
  std::vector<std::string> names;
  for (const Program &program : file.programs)
    names.push_back(program.kernel);
  return names;
}

bool is_counted(const Finding &finding) { return finding.traffic && finding.traffic->requests != 0; }

/// How much it matters, and what else the launch has of the same group. Sums over a launch that is assumed are left to the tables: their share of the
/// kernel says what they can.
std::string weight(const Report &report, const Finding &finding, std::span<const Finding *const> together) {
  if (!is_counted(finding) || finding.program == Finding::kNoIndex)
    return finding.cost;
  Traffic sum = *finding.traffic;
  sum.requests = sum.actual = sum.ideal = 0;
  Verdict verdict = Verdict::Exact; // of the least certain
  std::size_t counted = 0;
  for (const Finding *one : together) {
    if (!one->traffic || one->traffic->unit != sum.unit)
      continue;
    verdict = std::max(verdict, one->verdict);
    sum.at_least |= one->traffic->at_least || !is_counted(*one);
    sum.requests += one->traffic->requests;
    sum.actual += one->traffic->actual;
    sum.ideal += one->traffic->ideal;
    counted += is_counted(*one);
  }
  if (finding.verdict == Verdict::Exact && (counted < 2 || verdict != Verdict::Exact))
    return finding.cost;
  const FileAnalysis &file = report.files[finding.file];
  const std::string kernel = short_kernel(file.programs[finding.program].kernel, 60, kernel_names(file)),
                    share = share_text(sum, kernel), all = counted > 1 ? "together " : "";
  if (verdict == Verdict::Exact)
    return all + traffic_text(sum) + "; " + share + "; exact";
  return all + share +
         (finding.reach == Reach::Assumed       ? ""
          : finding.verdict == Verdict::Unknown ? "; how often it runs is not known"
                                                : "; how often it runs is assumed");
}

void print(std::string &out, const Report &report, const FindingGroup &group, bool more, bool color) {
  const Finding &finding = report.findings[group.findings.front()];
  const std::string others = is_race_of_lanes(report, finding) ? other_places(report, group) : std::string();
  out +=
      heading(finding.location, finding.severity, with_state(finding) + (others.empty() ? "" : "; " + others), color) +
      styled(" [" + std::string(finding.rule->id) + "]", Style::Dim, color) + "\n";
  if (!more)
    return;
  std::vector<const Finding *> together; // those that the launch of the worst one has
  std::ranges::copy_if(group.accesses, std::back_inserter(together), [&](const Finding *each) {
    return each->file == finding.file && each->launch == finding.launch;
  });
  std::string cost = weight(report, finding, together);
  const std::string ends = other_races(report, group);
  for (const std::string &part :
       {calling_places(report, group), ends.empty() ? other_places(report, group) : std::string(), finding.extent})
    if (!part.empty())
      cost += (cost.empty() ? "" : "; ") + part;
  details(out, "cost:", cost, color);
  if (finding.fixes.empty())
    details(out, "hint:", finding.hint + (ends.empty() ? "" : ", " + ends), color);
  else
    details(out, "fix: ", fix_text(finding.fixes.front()), color);
  details(out, "floor:", worth_of(report, together), color);
}

std::size_t lines_of(const std::string &text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

Style severity_style(Severity severity) {
  switch (severity) {
  case Severity::Note: return Style::BoldCyan;
  case Severity::Warning: return Style::BoldMagenta;
  case Severity::Error: return Style::BoldRed;
  }
  return Style::Plain;
}

std::string heading(const SourceLocation &location, Severity severity, const std::string &message, bool color) {
  std::string out;
  if (location.known())
    out += styled(to_string(location) + ":", Style::Bold, color) + " ";
  else if (!location.file.empty())
    out += styled(location.file + ":", Style::Bold, color) + " ";
  out += styled(std::string(to_string(severity)) + ":", severity_style(severity), color) + " ";
  return out + styled(message, Style::Bold, color);
}

void details(std::string &out, const char *label, const std::string &text, bool color) {
  if (!text.empty())
    out += "  " + styled(label, Style::Dim, color) + " " + sinks::line(text) + "\n";
}

std::string worth_of(const Report &report, std::span<const Finding *const> findings) {
  const Finding &first = *findings.front();
  if (first.severity == Severity::Note || first.launch == Finding::kNoIndex)
    return {};
  const FileAnalysis &file = report.files[first.file];
  const std::optional<LaunchFloor> launch = launch_floor(file, file.launches[first.launch], report.gpu);
  return launch ? worth_text(*launch, findings) : std::string();
}

std::string with_state(const Finding &finding) {
  std::string message = finding.message;
  if (const std::string_view state = to_string(finding.baseline); !state.empty())
    message += " (" + std::string(state) + (finding.baseline == BaselineState::Worse ? " than in the baseline)" : ")");
  return message;
}

std::string short_findings(const Report &report, std::span<const Finding> all, bool color) {
  constexpr std::size_t kAllInFull = 8, kInFull = 5; // groups: of more than kAllInFull, the first kInFull
  constexpr std::size_t kLinesForANote = 4;
  std::vector<FindingGroup> groups = group_findings(report, all);
  const auto is_note = [&](const FindingGroup &group) {
    return report.findings[group.findings.front()].severity == Severity::Note;
  };
  const auto notes = static_cast<std::size_t>(std::count_if(groups.begin(), groups.end(), is_note));
  const std::size_t full = groups.size() - notes <= kAllInFull ? kAllInFull : kInFull;
  // What is wrong comes first; a bank conflict that an assumed value decides comes before what global memory could do better.
  std::stable_partition(groups.begin(), groups.end(), [&](const FindingGroup &group) {
    const Finding &finding = report.findings[group.findings.front()];
    return !is_note(group) || is_about_correctness(finding) || finding.rule->id == rule::bank_conflict;
  });
  std::string out;
  std::size_t printed = 0;
  for (const FindingGroup &group : groups)
    if (!is_note(group))
      print(out, report, group, printed++ < full, color);
  // Notes are few beside what is more than a note.
  const std::size_t room = std::max<std::size_t>(1, lines_of(out) / kLinesForANote);
  std::size_t shown = 0, hidden = 0;
  for (const FindingGroup &group : groups) {
    if (!is_note(group))
      continue;
    if (shown < room) {
      print(out, report, group, false, color);
      ++shown;
    } else {
      hidden += group.findings.size();
    }
  }
  if (hidden != 0)
    out += plural(hidden, "more note") + ": --table prints " + (hidden == 1 ? "it" : "them") + "\n";
  return out;
}

/// "87% of its wavefronts avoidable"; where not all is counted there is no share to name.
std::string avoidable_words(double share, bool at_least, Unit unit) {
  const std::string of = " of its " + std::string(to_string(unit)) + " avoidable";
  return at_least ? "part" + of + " (how many is not known)" : percent(std::min(1.0, share)) + of;
}

/// "2 errors, 1 warning"
std::string severities(std::size_t errors, std::size_t warnings) {
  const std::string of_errors = errors ? plural(errors, "error") : "",
                    of_warnings = warnings ? plural(warnings, "warning") : "";
  return of_errors + (errors && warnings ? ", " : "") + of_warnings;
}

std::string worst_kernels(const Report &report, std::span<const Finding> shown, bool color) {
  constexpr std::size_t kMost = 5;
  struct Kernel {
    double avoidable = 0;  ///< of its traffic in one unit, 0 to 1
    bool at_least = false; ///< not all that costs is counted
    std::size_t findings = 0;
  };
  std::map<std::tuple<SourceLocation, std::string>, std::map<Unit, Kernel>> kernels;
  std::map<std::tuple<SourceLocation, std::string>, std::size_t> findings_of, errors_of;
  const auto is_counted = [](const Finding &finding) {
    return finding.severity != Severity::Note && finding.program != Finding::kNoIndex;
  };
  const auto key_of = [&](const Finding &finding) {
    const Program &program = report.files[finding.file].programs[finding.program];
    return std::tuple{program.location, program.kernel};
  };
  for (const Finding &finding : shown)
    if (is_counted(finding)) {
      ++findings_of[key_of(finding)];
      errors_of[key_of(finding)] += finding.severity == Severity::Error;
    }
  for (const Finding &finding : report.findings) {
    if (is_counted(finding) && finding.traffic) {
      Kernel &kernel = kernels[key_of(finding)][finding.traffic->unit];
      kernel.avoidable += finding.avoidable();
      kernel.at_least = kernel.at_least || finding.traffic->at_least || finding.traffic->kernel == 0;
    }
  }
  if (findings_of.size() < 2)
    return {};
  std::vector<std::tuple<double, std::size_t, std::tuple<SourceLocation, std::string>>> order;
  for (const auto &[key, count] : findings_of) {
    double most = 0;
    for (const auto &[unit, kernel] : kernels[key])
      most = std::max(most, kernel.avoidable);
    order.emplace_back(-most, count, key);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> names; // what tells them apart stays
  for (const auto &[most, count, key] : order)
    names.push_back(std::get<1>(key));
  using Align = Table::Align;
  Table table({Align::Left, Align::Right, Align::Left, Align::Left});
  for (std::size_t i = 0; i < order.size() && i < kMost; ++i) {
    const auto &[most, count, key] = order[i];
    std::string shares;
    for (const auto &[unit, kernel] : kernels[key])
      shares += (shares.empty() ? "" : ", ") + avoidable_words(kernel.avoidable, kernel.at_least, unit);
    table.row({{short_kernel(std::get<1>(key), 60, names), Style::Bold},
               {severities(errors_of[key], count - errors_of[key])},
               {shares},
               {to_string(std::get<0>(key)), Style::Dim}});
  }
  return "worst kernels" +
         (order.size() > kMost ? " (" + std::to_string(kMost) + " of " + std::to_string(order.size()) + ")"
                               : std::string()) +
         ":\n" + table.print("  ", color);
}

std::string open_launches(const Report &report) {
  std::size_t unknown = 0, cut = 0, undecided = 0;
  for (const FileAnalysis &file : report.files) {
    std::set<std::size_t> not_known, stopped, may_race;
    for (const LaunchAnalysis &launch : file.launches) {
      if (!launch.launch.assumptions.empty() || !launch.launch.not_known.empty())
        not_known.insert(launch.program);
      if (std::any_of(launch.result.problems.begin(), launch.result.problems.end(),
                      [](const Problem &each) { return each.kind == Problem::Kind::Budget; }))
        stopped.insert(launch.program);
      if (launch.races && launch.races->verdict() == RaceVerdict::Unknown)
        may_race.insert(launch.program);
    }
    unknown += not_known.size();
    cut += stopped.size();
    undecided += may_race.size();
  }
  std::string out;
  if (unknown != 0)
    out +=
        plural(unknown, "kernel") + ": launch not known; patterns hold for all launches (--table says what to state)\n";
  if (undecided != 0)
    out += plural(undecided, "kernel") + ": whether threads race is not known (--table says why)\n";
  if (cut != 0)
    out += plural(cut, "kernel") + ": too long to be followed to the end (--max-steps); patterns hold all the same\n";
  return out;
}

} // namespace smem
