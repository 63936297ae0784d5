#include "report/statistics.h"

#include "report/format.h"
#include "report/text_parts.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;
using Key = std::pair<std::string, SourceLocation>;
using ByName = std::map<Key, FindingCounts>;

void count(ByName &counts, Key key, Severity severity) {
  FindingCounts &one = counts[std::move(key)];
  ++(severity == Severity::Error ? one.errors : severity == Severity::Warning ? one.warnings : one.notes);
}

std::vector<FindingCounts> sorted(ByName counts) {
  std::vector<FindingCounts> out;
  for (auto &[key, one] : counts) {
    std::tie(one.name, one.location) = key;
    out.push_back(std::move(one));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const FindingCounts &a, const FindingCounts &b) { return a.all() > b.all(); });
  return out;
}

void print(Table &table, const std::vector<FindingCounts> &counts) {
  for (const FindingCounts &one : counts) {
    std::string severities;
    const auto part = [&](std::size_t n, const char *noun) {
      if (n != 0)
        severities += (severities.empty() ? "" : ", ") + plural(n, noun);
    };
    part(one.errors, "error");
    part(one.warnings, "warning");
    part(one.notes, "note");
    table.row({{thousands(one.all())},
               {short_kernel(one.name, 100), Style::Bold},
               {severities},
               {one.location.known() ? to_string(one.location) : std::string(), Style::Dim}});
  }
}

} // namespace

Statistics statistics(const Report &report) {
  ByName rules, files, kernels;
  for (const Finding &finding : report.findings) {
    count(rules, {std::string(finding.rule->id), {}}, finding.severity);
    if (!finding.location.file.empty())
      count(files, {finding.location.file, {}}, finding.severity);
    if (finding.program != Finding::kNoIndex) {
      const Program &program = report.files[finding.file].programs[finding.program];
      count(kernels, {program.kernel.substr(0, program.kernel.find('<')), program.location}, finding.severity);
    }
  }
  return {sorted(std::move(rules)), sorted(std::move(files)), sorted(std::move(kernels))};
}

std::string statistics_text(const Report &report, bool color) {
  const Statistics all = statistics(report);
  std::string out;
  const std::pair<const char *, const std::vector<FindingCounts> *> parts[] = {
      {"rule", &all.rules}, {"file", &all.files}, {"kernel", &all.kernels}};
  for (const auto &[name, counts] : parts) {
    if (counts->empty())
      continue;
    using Align = Table::Align;
    Table table({Align::Right, Align::Left, Align::Left, Align::Left});
    print(table, *counts);
    out += std::string("findings by ") + name + ":\n" + table.print("  ", color);
  }
  return out;
}

} // namespace smem
