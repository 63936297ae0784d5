#include "report/diff_report.h"

#include "report/figures.h"
#include "report/format.h"
#include "report/launch_floor.h"
#include "report/machine_text.h"
#include "report/rules.h"
#include "sinks/escape.h"

#include <algorithm>
#include <cstdio>

namespace smem {
namespace {

std::string figure(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// `32 wavefronts/request (32-way)`, `4 sectors/request`; "-" without a finding.
std::string cost(const SiteChange &site, const std::optional<Metrics> &metrics) {
  if (site.rule->id == rule::floor_raised) // the kernel's row has it
    return "";
  if (!metrics)
    return "-";
  if (site.rule->id == rule::uncoalesced || site.rule->id == rule::narrow_access)
    return figure(metrics->sectors) + " sectors/request";
  if (site.rule->id == rule::copy_lines)
    return figure(metrics->wavefronts) + " wavefronts/request";
  if (site.rule->id == rule::bank_conflict || site.rule->id == rule::atomic_serialization)
    return figure(metrics->wavefronts) + " wavefronts/request (" + std::to_string(metrics->degree) + "-way)";
  return "yes";
}

std::string sum(const std::optional<Counts> &counts, bool bound, std::uint64_t Counts::*field) {
  if (!counts)
    return "-";
  const std::uint64_t value = (*counts).*field;
  return to_string(Figure{bound && value == 0 ? std::nullopt : std::optional(value), bound});
}

/// `215 us -> 281 us`; "-" where no launch is known on both sides.
std::string floors(const KernelChange &kernel, const char *sign) {
  if (!kernel.floor_before)
    return "-";
  const std::string before = duration_text(*kernel.floor_before), after = duration_text(*kernel.floor_after);
  return before == after ? before : before + sign + after;
}

bool has_floors(const DiffReport &report) {
  return std::ranges::any_of(report.kernels,
                             [](const KernelChange &kernel) { return kernel.floor_before.has_value(); });
}

std::string arrow(const std::string &before, const std::string &after, const char *sign) {
  return before == after ? before : before + sign + after;
}

Style style_of(Change change) {
  switch (change) {
  case Change::New:
  case Change::Worse: return Style::Red;
  case Change::Gone:
  case Change::Better: return Style::Green;
  case Change::Mixed:
  case Change::Unknown: return Style::Yellow;
  case Change::Unchanged: break;
  }
  return Style::Plain;
}

/// What was not known before is not known "any more".
std::string_view word_of_kernel(const KernelChange &kernel) {
  return kernel.change == Change::Unknown && kernel.before_bound ? "not known" : to_string(kernel.change);
}

/// A new kernel is neither good nor bad.
Style style_of_kernel(Change change) {
  return change == Change::New || change == Change::Gone ? Style::Plain : style_of(change);
}

std::string place(const SiteChange &site) { return site.path + (site.line ? ":" + std::to_string(site.line) : ""); }

std::string counts_text(const DiffReport &report) {
  std::string out;
  for (const Change change : {Change::New, Change::Worse, Change::Better, Change::Gone, Change::Unknown})
    if (const std::size_t n = report.count(change); n != 0)
      out += (out.empty() ? "" : ", ") + std::to_string(n) + " " + std::string(to_string(change));
  return out.empty() ? "no finding has changed" : "findings: " + out;
}

std::string verdict_text(const DiffReport &report) { return report.regressed() ? "regression" : "no regression"; }

} // namespace

std::string_view to_string(Change change) {
  switch (change) {
  case Change::New: return "new";
  case Change::Gone: return "gone";
  case Change::Worse: return "worse";
  case Change::Better: return "better";
  case Change::Mixed: return "mixed";
  case Change::Unknown: return "not known any more";
  case Change::Unchanged: return "unchanged";
  }
  return "?";
}

bool is_about_a_cost(const Rule &rule) {
  return rule.id == rule::uncoalesced || rule.id == rule::narrow_access || rule.id == rule::copy_lines ||
         rule.id == rule::bank_conflict || rule.id == rule::atomic_serialization;
}

std::size_t DiffReport::count(Change change) const {
  return static_cast<std::size_t>(
      std::count_if(sites.begin(), sites.end(), [&](const SiteChange &site) { return site.change == change; }));
}

bool DiffReport::regressed() const {
  return std::any_of(sites.begin(), sites.end(), [](const SiteChange &site) { return site.gates; });
}

std::string diff_text(const DiffReport &report, bool color) {
  using Align = Table::Align;
  std::string out;
  if (!report.kernels.empty()) {
    const bool timed = has_floors(report);
    Table table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right});
    table.row({{"", Style::Dim},
               {"kernel", Style::Dim},
               {"wavefronts", Style::Dim},
               {"sectors", Style::Dim},
               {timed ? "floor" : "", Style::Dim}});
    for (const KernelChange &kernel : report.kernels)
      table.row({{std::string(word_of_kernel(kernel)), style_of_kernel(kernel.change)},
                 {kernel.path + ": " + short_kernel(kernel.kernel, 60)},
                 {arrow(sum(kernel.before, kernel.before_bound, &Counts::wavefronts),
                        sum(kernel.after, kernel.after_bound, &Counts::wavefronts), " -> ")},
                 {arrow(sum(kernel.before, kernel.before_bound, &Counts::sectors),
                        sum(kernel.after, kernel.after_bound, &Counts::sectors), " -> ")},
                 {timed ? floors(kernel, " -> ") : ""}});
    out += table.print("", color) + "\n";
  }
  if (!report.sites.empty()) {
    Table table({Align::Left, Align::Left, Align::Left, Align::Left});
    for (const SiteChange &site : report.sites)
      table.row({{std::string(to_string(site.change)), style_of(site.change)},
                 {place(site)},
                 {std::string(site.rule->id) + (site.expression.empty() ? "" : " at " + shorten(site.expression, 40))},
                 {arrow(cost(site, site.before), cost(site, site.after), " -> ")}});
    out += table.print("", color) + "\n";
  }
  return out + plural(report.files, "file") + " against " + sinks::line(report.revision) + ": " + counts_text(report) +
         "; " + styled(verdict_text(report), report.regressed() ? Style::BoldRed : Style::Green, color) + "\n";
}

std::string diff_markdown(const DiffReport &report) {
  std::string out = "### smem-lint: " + verdict_text(report) + " against " + sinks::markdown_code(report.revision) +
                    "\n\n" + counts_text(report) + "\n";
  if (!report.sites.empty()) {
    out += "\n| | place | finding | before | now |\n|---|---|---|---:|---:|\n";
    for (const SiteChange &site : report.sites)
      out += std::string("| ") + (site.gates ? "**" : "") + std::string(to_string(site.change)) +
             (site.gates ? "**" : "") + " | " + sinks::markdown_code(place(site)) + " | " +
             sinks::markdown_code(std::string(site.rule->id)) +
             (site.expression.empty() ? "" : " at " + sinks::markdown_code(site.expression)) + " in " +
             sinks::markdown_code(site.kernel) + " | " + cost(site, site.before) + " | " + cost(site, site.after) +
             " |\n";
  }
  if (!report.kernels.empty()) {
    const bool timed = has_floors(report);
    out += timed ? "\n| | kernel | wavefronts | sectors | floor |\n|---|---|---:|---:|---:|\n"
                 : "\n| | kernel | wavefronts | sectors |\n|---|---|---:|---:|\n";
    for (const KernelChange &kernel : report.kernels)
      out += "| " + std::string(word_of_kernel(kernel)) + " | " + sinks::markdown_code(kernel.kernel) + " in " +
             sinks::markdown_code(kernel.path) + " | " +
             arrow(sum(kernel.before, kernel.before_bound, &Counts::wavefronts),
                   sum(kernel.after, kernel.after_bound, &Counts::wavefronts), " → ") +
             " | " +
             arrow(sum(kernel.before, kernel.before_bound, &Counts::sectors),
                   sum(kernel.after, kernel.after_bound, &Counts::sectors), " → ") +
             (timed ? " | " + floors(kernel, " → ") : std::string()) + " |\n";
  }
  return out + "\n" + plural(report.files, "file") + ", " + plural(report.unchanged_kernels, "kernel") +
         " unchanged.\n";
}

} // namespace smem
