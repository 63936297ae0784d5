#include "report/text_parts.h"

#include "report/figures.h"
#include "report/launch_floor.h"
#include "report/machine_text.h"
#include "sinks/escape.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;

/// Findings that one edit is likely to settle: indices, the worst first.
struct Group {
  std::vector<std::size_t> findings;
  std::size_t places = 0;                ///< in how many lines of the source
  std::vector<const Finding *> accesses; ///< each access by itself, where a statement's are one finding
};

const Site *site_of(const Report &report, const Finding &finding) {
  return finding.site && finding.program != Finding::kNoIndex
             ? &report.files[finding.file].programs[finding.program].sites[*finding.site]
             : nullptr;
}

/// The array or pointer, by its name: as the analysis knows it, else what stands before the first index. Empty: it has none.
std::string array_of(const Site &site) {
  if (!site.array.empty())
    return site.array;
  const std::string &text = site.expression;
  const std::size_t end = text.find('[');
  const bool name =
      end != std::string::npos && end != 0 &&
      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '>' || c == '-';
      });
  return name ? text.substr(0, end) : std::string();
}

/// Of lanes of one warp, which is a note: a warp-synchronous reduction has one for each pair of its lines, which one note tells. Null for other findings.
const RaceWitness *lanes_of_warp(const Report &report, const Finding &finding) {
  if (!finding.witness || finding.severity != Severity::Note)
    return nullptr;
  const RaceWitness &witness = report.files[finding.file].launches[finding.launch].races->witnesses[*finding.witness];
  return witness.within_warp ? &witness : nullptr;
}

using Key = std::tuple<std::string_view, Severity, SourceLocation, SourceLocation, std::string, bool>;

Key key_of(const Report &report, const Finding &finding) {
  const Site *site = site_of(report, finding);
  if (const RaceWitness *witness = lanes_of_warp(report, finding))
    return {finding.rule->id,
            finding.severity,
            report.files[finding.file].programs[finding.program].location,
            {},
            witness->array + (witness->first.writes && witness->second.writes ? " written twice" : "") +
                std::string(to_string(finding.baseline)),
            finding.reach == Reach::Assumed};
  if (!site)
    return {finding.rule->id, finding.severity, finding.location, {}, finding.message, false};
  const std::string array = array_of(*site);
  const SourceLocation kernel = report.files[finding.file].programs[finding.program].location;
  const SourceLocation line{finding.location.file, finding.location.line, 0};
  return {finding.rule->id,
          finding.severity,
          kernel,
          array.empty() ? line : site->array_location,
          array,
          finding.reach == Reach::Assumed};
}

/// By rule, kernel and array; what is in no array that is known, by its line.
std::vector<Group> groups_of(const Report &report, std::span<const Finding> all) {
  std::map<Key, std::size_t> known;
  std::vector<Group> groups;
  for (const std::size_t index : worst_first(report.findings)) {
    const Finding &finding = report.findings[index];
    if (is_about_the_analysis(finding)) // said once for all kernels
      continue;
    const auto [entry, added] = known.emplace(key_of(report, finding), groups.size());
    if (added)
      groups.emplace_back();
    groups[entry->second].findings.push_back(index);
  }
  for (const Finding &finding : all)
    if (const auto entry = known.find(key_of(report, finding)); entry != known.end())
      groups[entry->second].accesses.push_back(&finding);
  for (Group &group : groups) {
    std::set<std::pair<std::string, unsigned>> lines;
    for (const std::size_t index : group.findings)
      lines.emplace(report.findings[index].location.file, report.findings[index].location.line);
    group.places = lines.size();
  }
  return groups;
}

std::uint32_t degree_of(const Finding &finding) {
  std::uint32_t degree = finding.counts.conflict_degree;
  for (const Occurrence &one : finding.occurrences)
    degree = std::max(degree, one.metrics.degree);
  return degree;
}

/// "also in lines 12, 14 (32-way) and 9 others": the first one costs most, others may have a higher degree.
std::string other_places(const Report &report, const Group &group) {
  constexpr std::size_t kMost = 6;
  const Finding &worst = report.findings[group.findings.front()];
  const SourceLocation &first = worst.location;
  std::map<std::pair<std::string, unsigned>, std::uint32_t> lines; // degrees
  for (const std::size_t index : group.findings)
    if (const SourceLocation &place = report.findings[index].location;
        place.file != first.file || place.line != first.line) {
      std::uint32_t &degree = lines[{place.file == first.file ? std::string() : place.file, place.line}];
      degree = std::max(degree, degree_of(report.findings[index]));
    }
  if (lines.empty())
    return {};
  std::string text;
  std::size_t shown = 0;
  for (const auto &[place, degree] : lines) {
    if (++shown > kMost)
      break;
    const auto &[file, line] = place;
    text += (text.empty() ? "" : ", ") + (file.empty() ? "" : file.substr(file.rfind('/') + 1) + ":") +
            std::to_string(line);
    if (worst.rule->id == rule::bank_conflict && degree > degree_of(worst))
      text += " (" + std::to_string(degree) + "-way)";
  }
  if (lines.size() > kMost)
    text += " and " + std::to_string(lines.size() - kMost) + " others";
  return std::to_string(group.places) + " places: also in " + (lines.size() == 1 ? "line " : "lines ") + text;
}

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

void print(std::string &out, const Report &report, const Group &group, bool more, bool color) {
  const Finding &finding = report.findings[group.findings.front()];
  const std::string others = lanes_of_warp(report, finding) ? other_places(report, group) : std::string();
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
  for (const std::string &part : {other_places(report, group), finding.extent})
    if (!part.empty())
      cost += (cost.empty() ? "" : "; ") + part;
  details(out, "cost:", cost, color);
  if (finding.fixes.empty())
    details(out, "hint:", finding.hint, color);
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
  std::vector<Group> groups = groups_of(report, all);
  const auto is_note = [&](const Group &group) {
    return report.findings[group.findings.front()].severity == Severity::Note;
  };
  const auto notes = static_cast<std::size_t>(std::count_if(groups.begin(), groups.end(), is_note));
  const std::size_t full = groups.size() - notes <= kAllInFull ? kAllInFull : kInFull;
  // What is wrong comes first; a bank conflict that an assumed value decides comes before what global memory could do better.
  std::stable_partition(groups.begin(), groups.end(), [&](const Group &group) {
    const Finding &finding = report.findings[group.findings.front()];
    return !is_note(group) || is_about_correctness(finding) || finding.rule->id == rule::bank_conflict;
  });
  std::string out;
  std::size_t printed = 0;
  for (const Group &group : groups)
    if (!is_note(group))
      print(out, report, group, printed++ < full, color);
  // Notes are few beside what is more than a note.
  const std::size_t room = std::max<std::size_t>(1, lines_of(out) / kLinesForANote);
  std::size_t shown = 0, hidden = 0;
  for (const Group &group : groups) {
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
  std::size_t unknown = 0, cut = 0;
  for (const FileAnalysis &file : report.files) {
    std::set<std::size_t> not_known, stopped;
    for (const LaunchAnalysis &launch : file.launches) {
      if (!launch.launch.assumptions.empty() || !launch.launch.not_known.empty())
        not_known.insert(launch.program);
      if (std::any_of(launch.result.problems.begin(), launch.result.problems.end(),
                      [](const Problem &each) { return each.kind == Problem::Kind::Budget; }))
        stopped.insert(launch.program);
    }
    unknown += not_known.size();
    cut += stopped.size();
  }
  std::string out;
  if (unknown != 0)
    out +=
        plural(unknown, "kernel") + ": launch not known; patterns hold for all launches (--table says what to state)\n";
  if (cut != 0)
    out += plural(cut, "kernel") + ": too long to be followed to the end (--max-steps); patterns hold all the same\n";
  return out;
}

} // namespace smem
