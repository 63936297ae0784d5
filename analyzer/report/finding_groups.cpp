#include "report/finding_groups.h"

#include "report/format.h"
#include "report/machine_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;
using Line = std::pair<std::string, unsigned>;

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

/// Null: the finding is of no race in shared memory.
const RaceWitness *witness_of(const Report &report, const Finding &finding) {
  return finding.witness ? &report.files[finding.file].launches[finding.launch].races->witnesses[*finding.witness]
                         : nullptr;
}

using Key = std::tuple<std::string_view, Severity, SourceLocation, SourceLocation, std::string, bool>;

/// Races that the same barriers end are one mistake; without barriers that were found, those in one array.
std::string race_key(const RaceWitness &witness, const Finding &finding) {
  const bool of_lanes = witness.within_warp && finding.severity == Severity::Note;
  const bool written_twice = witness.first.writes && witness.second.writes;
  return (finding.hint.empty() || of_lanes ? witness.array : finding.hint) + (of_lanes ? " of lanes" : "") +
         (written_twice && finding.severity == Severity::Note ? " written twice" : "") +
         std::string(to_string(finding.baseline));
}

Key key_of(const Report &report, const Finding &finding) {
  const bool assumed = finding.reach == Reach::Assumed;
  if (const RaceWitness *witness = witness_of(report, finding))
    return {finding.rule->id,
            finding.severity,
            report.files[finding.file].programs[finding.program].location,
            {},
            race_key(*witness, finding),
            assumed};
  const Site *site = site_of(report, finding);
  if (!site)
    return {finding.rule->id, finding.severity, finding.location, {}, finding.message, false};
  const std::string array = array_of(*site);
  const SourceLocation kernel = report.files[finding.file].programs[finding.program].location;
  const SourceLocation line{finding.location.file, finding.location.line, 0};
  return {finding.rule->id, finding.severity, kernel, array.empty() ? line : site->array_location, array, assumed};
}

std::uint32_t degree_of(const Finding &finding) {
  std::uint32_t degree = finding.counts.conflict_degree;
  for (const Occurrence &one : finding.occurrences)
    degree = std::max(degree, one.metrics.degree);
  return degree;
}

/// As a reader of the first sees it: of the same file without its name.
Line line_of(const SourceLocation &location, const Finding &first) {
  return {location.file == first.location.file ? std::string() : location.file, location.line};
}
Line line_of(const Finding &finding, const Finding &first) { return line_of(finding.location, first); }

/// "lines 12, tile.h:14 (32-way) and 6 others", with what is remarked of each.
std::string lines_text(const std::map<Line, std::string> &lines) {
  constexpr std::size_t kMost = 6;
  std::string text;
  std::size_t shown = 0;
  for (const auto &[place, remark] : lines) {
    if (++shown > kMost)
      break;
    const auto &[file, line] = place;
    text += (text.empty() ? "" : ", ") + (file.empty() ? "" : file.substr(file.rfind('/') + 1) + ":") +
            std::to_string(line) + remark;
  }
  if (lines.size() > kMost)
    text += " and " + std::to_string(lines.size() - kMost) + " others";
  return (lines.size() == 1 ? "line " : "lines ") + text;
}

} // namespace

bool is_race_of_lanes(const Report &report, const Finding &finding) {
  const RaceWitness *witness = witness_of(report, finding);
  return witness && finding.severity == Severity::Note && witness->within_warp;
}

std::vector<FindingGroup> group_findings(const Report &report, std::span<const Finding> all) {
  std::map<Key, std::size_t> known;
  std::vector<FindingGroup> groups;
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
  for (FindingGroup &group : groups) {
    std::set<Line> lines;
    for (const std::size_t index : group.findings)
      lines.insert(line_of(report.findings[index], report.findings[group.findings.front()]));
    group.places = lines.size();
  }
  return groups;
}

std::string other_places(const Report &report, const FindingGroup &group) {
  const Finding &worst = report.findings[group.findings.front()];
  std::map<Line, std::uint32_t> degrees;
  for (const std::size_t index : group.findings)
    if (const Finding &finding = report.findings[index]; line_of(finding, worst) != line_of(worst, worst)) {
      std::uint32_t &degree = degrees[line_of(finding, worst)];
      degree = std::max(degree, degree_of(finding));
    }
  if (degrees.empty())
    return {};
  std::map<Line, std::string> lines;
  for (const auto &[line, degree] : degrees)
    lines[line] = worst.rule->id == rule::bank_conflict && degree > degree_of(worst)
                      ? " (" + std::to_string(degree) + "-way)"
                      : "";
  return std::to_string(group.places) + " places: also in " + lines_text(lines);
}

std::string calling_places(const Report &report, const FindingGroup &group) {
  const Finding &shown = report.findings[group.findings.front()];
  std::map<Line, std::string> calls;
  for (const Finding *each : group.accesses)
    if (const Site *site = site_of(report, *each); site && each->file == shown.file && each->launch == shown.launch &&
                                                   each->location == shown.location && !site->inlined_at.empty())
      calls.emplace(line_of(site->inlined_at.front().call, shown), "");
  return calls.empty() ? std::string() : "called from " + lines_text(calls);
}

std::string other_races(const Report &report, const FindingGroup &group) {
  const Finding &shown = report.findings[group.findings.front()];
  if (!witness_of(report, shown) || shown.hint.empty() || group.findings.size() < 2)
    return {};
  std::map<Line, std::string> lines;
  for (const std::size_t index : group.findings)
    if (index != group.findings.front())
      lines.emplace(line_of(report.findings[index], shown), "");
  const std::size_t others = group.findings.size() - 1;
  return (others == 1 ? "nor does " : "nor do ") + plural(others, "other pair") + " (" + lines_text(lines) + ")";
}

} // namespace smem
