#include "report/html_contents.h"

#include "report/format.h"
#include "report/html_floor.h"
#include "report/machine_text.h"
#include "sinks/escape.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;
using Key = std::pair<SourceLocation, std::string>;

Key key_of(const Program &program) { return {program.location, program.kernel.substr(0, program.kernel.find('<'))}; }

HtmlSums sums_of(const SiteRow &row) {
  HtmlSums sums;
  const auto one = [&](bool moves, std::uint64_t actual, std::uint64_t excess) {
    return moves ? HtmlSum{actual, excess, row.verdict == Verdict::Unknown, row.verdict == Verdict::Assumed}
                 : HtmlSum();
  };
  sums.wavefronts = one(row.moves_shared, row.counts.wavefronts, row.excess_wavefronts());
  sums.sectors = one(row.moves_global, row.counts.sectors, row.excess_sectors());
  return sums;
}

double avoidable(const HtmlSums &sums) { return std::max(sums.wavefronts.avoidable(), sums.sectors.avoidable()); }

void count_findings(const Report &report, const std::map<Key, std::size_t> &known, std::vector<HtmlKernel> &kernels) {
  for (const Finding &finding : report.findings) {
    if (is_about_the_analysis(finding))
      continue;
    std::set<std::size_t> of;
    const auto add = [&](std::size_t file, std::size_t program) {
      if (program == Finding::kNoIndex)
        return;
      if (const auto kernel = known.find(key_of(report.files[file].programs[program])); kernel != known.end())
        of.insert(kernel->second);
    };
    add(finding.file, finding.program);
    for (const Instance &instance : finding.instances)
      add(instance.file, instance.program);
    for (const std::size_t i : of)
      ++(finding.severity == Severity::Error     ? kernels[i].errors
         : finding.severity == Severity::Warning ? kernels[i].warnings
                                                 : kernels[i].notes);
  }
}

std::string cells(const HtmlSum &sum) {
  std::string actual =
      sum.actual == 0 ? (sum.at_least ? "?" : "–") : (sum.at_least ? "≥ " : "") + thousands(sum.actual);
  std::string excess =
      sum.excess == 0 ? (sum.at_least ? "?" : "–") : (sum.at_least ? "≥ +" : "+") + thousands(sum.excess);
  if (sum.assumed && sum.actual != 0)
    actual += "*";
  if (sum.excess != 0 && !sum.at_least)
    excess += " (" + percent(sum.avoidable()) + ")";
  if (sum.assumed && sum.excess != 0)
    excess += "*";
  return "<td>" + actual + "</td><td" + (sum.excess ? " class=\"bad\">" : ">") + excess + "</td>";
}

std::string findings_text(const HtmlKernel &kernel) {
  std::string out;
  const auto part = [&](std::size_t count, const char *noun) {
    if (count != 0)
      out += (out.empty() ? "" : ", ") + plural(count, noun);
  };
  part(kernel.errors, "error");
  part(kernel.warnings, "warning");
  part(kernel.notes, "note");
  return out.empty() ? "–" : out;
}

} // namespace

void HtmlSum::add(const HtmlSum &other) {
  actual += other.actual;
  excess += other.excess;
  at_least |= other.at_least;
  assumed |= other.assumed;
}

void HtmlSums::add(const HtmlSums &other) {
  wavefronts.add(other.wavefronts);
  sectors.add(other.sectors);
}

std::vector<HtmlKernel> html_kernels(const Report &report, const std::vector<HtmlSite> &sites) {
  std::map<std::pair<std::size_t, std::size_t>, HtmlSums> sums;
  for (const HtmlSite &site : sites)
    if (site.row)
      sums[{site.file, site.launch}].add(sums_of(*site.row));
  std::vector<HtmlKernel> kernels;
  std::map<Key, std::size_t> known;
  for (std::size_t f = 0; f < report.files.size(); ++f)
    for (std::size_t l = 0; l < report.files[f].launches.size(); ++l) {
      const FileAnalysis &file = report.files[f];
      const LaunchAnalysis &analysis = file.launches[l];
      const Program &program = file.programs[analysis.program];
      const Key key = key_of(program);
      const auto [entry, fresh] = known.try_emplace(key, kernels.size());
      if (fresh) {
        HtmlKernel &kernel = kernels.emplace_back();
        kernel.name = key.second;
        kernel.location = key.first;
      }
      HtmlLaunch launch{f, l, {}, sums[{f, l}], launch_floor(file, analysis, report.gpu)};
      launch.text = utf8(short_kernel(program.kernel, 120)) + " · grid " + to_string(analysis.launch.grid) +
                    " · block " + to_string(analysis.launch.block) + " · " + std::string(file.architecture->name);
      kernels[entry->second].sums.add(launch.sums);
      kernels[entry->second].launches.push_back(std::move(launch));
    }
  count_findings(report, known, kernels);
  for (HtmlKernel &kernel : kernels)
    std::stable_sort(kernel.launches.begin(), kernel.launches.end(), [](const HtmlLaunch &a, const HtmlLaunch &b) {
      return a.sums.wavefronts.excess + a.sums.sectors.excess > b.sums.wavefronts.excess + b.sums.sectors.excess;
    });
  const auto rank = [](const HtmlKernel &kernel) {
    return std::tuple(kernel.errors != 0, kernel.warnings != 0, avoidable(kernel.sums),
                      kernel.sums.wavefronts.excess + kernel.sums.sectors.excess);
  };
  std::stable_sort(kernels.begin(), kernels.end(),
                   [&](const HtmlKernel &a, const HtmlKernel &b) { return rank(a) > rank(b); });
  return kernels;
}

std::map<std::pair<std::size_t, std::size_t>, std::size_t> launch_numbers(const std::vector<HtmlKernel> &kernels) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
  for (const HtmlKernel &kernel : kernels)
    for (const HtmlLaunch &launch : kernel.launches)
      numbers.try_emplace({launch.file, launch.launch}, numbers.size());
  return numbers;
}

std::string contents_table(const std::vector<HtmlKernel> &kernels) {
  std::string out =
      "<div class=\"scroll contents\" tabindex=\"0\" role=\"region\" aria-label=\"Kernels\"><table id=\"contents\"><thead><tr>"
      "<th scope=\"col\">kernel</th><th scope=\"col\">launches</th><th scope=\"col\">findings</th>"
      "<th scope=\"col\">wavefronts</th><th scope=\"col\">avoidable</th><th scope=\"col\">sectors</th><th scope=\"col\">avoidable</th>"
      "</tr></thead>\n";
  std::size_t number = 0;
  bool assumed = false;
  for (const HtmlKernel &kernel : kernels) {
    const std::string from = std::to_string(number), to = std::to_string(number + kernel.launches.size() - 1);
    assumed |= kernel.sums.wavefronts.assumed || kernel.sums.sectors.assumed;
    out += "<tbody><tr data-h=\"" + from + " " + to +
           "\"><th scope=\"row\"><button class=\"fold\" aria-expanded=\"false\" aria-label=\"launches of " +
           sinks::markup(short_kernel(kernel.name, 60)) +
           "\"></button><button class=\"pick\" aria-pressed=\"false\"><code>" +
           sinks::markup(short_kernel(kernel.name, 60)) + "</code> <span class=\"soft\">" +
           sinks::markup(to_string(SourceLocation{kernel.location.file, kernel.location.line, 0})) +
           "</span></button></th><td>" + thousands(kernel.launches.size()) + "</td><td>" + findings_text(kernel) +
           "</td>" + cells(kernel.sums.wavefronts) + cells(kernel.sums.sectors) + "</tr>\n";
    for (const HtmlLaunch &launch : kernel.launches) {
      out += "<tr class=\"launch\" hidden data-h=\"" + std::to_string(number) + " " + std::to_string(number) +
             "\"><th scope=\"row\"><button class=\"pick\" aria-pressed=\"false\">" + sinks::markup(launch.text) +
             "</button>" + (launch.floor ? floor_picture(*launch.floor) : std::string()) + "</th><td></td><td></td>" +
             cells(launch.sums.wavefronts) + cells(launch.sums.sectors) + "</tr>\n";
      ++number;
    }
    out += "</tbody>\n";
  }
  return out + "</table></div>\n" +
         (assumed
              ? "<p class=\"soft\">* rests on values that were assumed; what a request costs is in the cases of each access.</p>\n"
              : "");
}

} // namespace smem
