#include "report/report.h"

#include "report/format.h"
#include "report/lanes.h"
#include "report/launch_floor.h"
#include "report/launch_table.h"
#include "report/machine_text.h"
#include "report/text_parts.h"
#include "sinks/escape.h"

#include <algorithm>

namespace smem {
namespace {

using Severity = Diagnostic::Severity;

/// The source line and a caret, as Clang draws them. A very long line is cut round the caret.
std::string excerpt(const SourceLocation &location, SourceLines &sources, bool color) {
  std::string_view line = sources.line(location.file, location.line);
  if (line.empty())
    return {};
  constexpr std::size_t kWidth = 108;
  std::size_t column = location.column == 0 ? 0 : std::min<std::size_t>(location.column - 1, line.size());
  std::string before, after;
  if (line.size() > kWidth) {
    const std::size_t start = column < kWidth - 20 ? 0 : column - (kWidth - 40);
    before = start ? "..." : "";
    after = line.size() - start > kWidth ? "..." : "";
    line = line.substr(start, kWidth);
    column -= start;
  }
  std::string number = std::to_string(location.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  std::string out = number + " | " + before + sinks::source_line(line) + after + "\n";
  if (location.column != 0) {
    std::string pad(before.size(), ' ');
    for (const char c : sinks::source_line(
             line.substr(0, column))) // tabs stay tabs, so that the caret stands where the terminal put the text
      if ((static_cast<unsigned char>(c) & 0xc0) != 0x80)
        pad += c == '\t' ? '\t' : ' ';
    out += std::string(number.size(), ' ') + " | " + pad + styled("^", Style::Green, color) + "\n";
  }
  return out;
}

std::string indented(const std::string &text) {
  std::string out = "      ";
  for (const char c : text) {
    out += c;
    if (c == '\n')
      out += "      ";
  }
  out.resize(out.find_last_not_of(' ') + 1);
  return out;
}

void explain_site(std::string &out, const Report &report, const Finding &finding, bool color) {
  const FileAnalysis &file = report.files[finding.file];
  const Program &program = file.programs[finding.program];
  const SiteResult &result = file.launches[finding.launch].result.sites[*finding.site];
  const Site &site = program.sites[*finding.site];
  details(out, "kernel:", program.kernel, color);
  for (const InlineFrame &frame : site.inlined_at)
    details(out, "inlined:", "into " + frame.function + " at " + to_string(frame.call), color);
  details(out, "address:", site.address, color);
  if (finding.rule->id == rule::bank_conflict && result.shared_example) {
    const Example &example = *result.shared_example;
    details(out, "request:", "warp " + std::to_string(example.warp) + " of block " + to_string(example.block_index),
            color);
    out += indented(lane_map(example.request, site.access, *file.architecture));
  }
}

/// Where one launch has the finding, and what it costs there.
std::string instance_text(const Report &report, const Instance &instance) {
  const FileAnalysis &file = report.files[instance.file];
  const Launch &launch = file.launches[instance.launch].launch;
  std::string text = file.programs[instance.program].kernel + " grid=" + short_dim(launch.grid) +
                     " block=" + short_dim(launch.block) + " on " + std::string(file.architecture->name) + ": " +
                     std::string(to_string(instance.severity));
  if (instance.traffic)
    text += ", " + instance.cost;
  return text;
}

void print_finding(std::string &out, const Report &report, const Finding &finding, SourceLines &sources,
                   const TextOptions &options) {
  std::string message = with_state(finding);
  if (!finding.extent.empty())
    message += " (" + finding.extent + ")";
  out += heading(finding.location, finding.severity, message, options.color);
  out += styled(" [" + std::string(finding.rule->id) + "]", Style::Dim, options.color) + "\n";
  out += excerpt(finding.location, sources, options.color);
  for (std::size_t i = 1; i < finding.threads.size(); ++i)
    if (finding.threads[i].location.known() && finding.threads[i].location != finding.location) {
      out += heading(finding.threads[i].location, Severity::Note, finding.threads[i].text, options.color) + "\n";
      out += excerpt(finding.threads[i].location, sources, options.color);
    }
  details(out, "cost: ", finding.cost, options.color);
  details(out, "cause:", finding.cause, options.color);
  if (finding.fixes.empty())
    details(out, "hint: ", finding.hint, options.color);
  else
    details(out, "fix:  ", fix_text(finding.fixes.front()), options.color);
  if (const Finding *const one = &finding; options.verbose) // six lines at most without
    details(out, "floor:", worth_of(report, std::span(&one, 1)), options.color);
  if (options.verbose && finding.site)
    explain_site(out, report, finding, options.color);
  if (options.verbose && finding.instances.size() > 1)
    for (const Instance &instance : finding.instances)
      details(out, "in:   ", instance_text(report, instance), options.color);
}

/// Of the short text, which has none of the notes about the analysis: they are counted beside the findings.
std::string summary(const Report &report, bool color, bool full) {
  Tally count = tally(report);
  const auto about_the_analysis =
      full ? std::size_t{0} : static_cast<std::size_t>(std::ranges::count_if(report.findings, is_about_the_analysis));
  count.notes -= about_the_analysis; // all of them are notes
  std::string out;
  const std::size_t findings = count.notes + count.warnings + count.errors;
  const auto failed = static_cast<std::size_t>(
      std::count_if(report.files.begin(), report.files.end(), [](const FileAnalysis &file) { return !file.parsed; }));
  if (failed != 0) {
    out += styled(plural(failed, "file") + " could not be analysed", Style::BoldRed, color) + "\n";
    if (failed == report.files.size())
      return out;
  }
  const auto hidden = static_cast<std::size_t>(std::count_if(report.files.begin(), report.files.end(), overlooked));
  if (hidden != 0)
    out += styled(plural(hidden, "file") + " of which no kernel was analysed: the messages say why", Style::BoldRed,
                  color) +
           "\n";
  const auto in_part =
      static_cast<std::size_t>(std::count_if(report.files.begin(), report.files.end(), [](const FileAnalysis &file) {
        return file.parsed && !overlooked(file) &&
               std::any_of(file.diagnostics.begin(), file.diagnostics.end(),
                           [](const Diagnostic &each) { return each.incomplete || each.severity == Severity::Error; });
      }));
  if (in_part != 0)
    out += styled(plural(in_part, "file") + " analysed in part only: the messages say what is missing", Style::BoldRed,
                  color) +
           "\n";
  out += findings == 0 ? styled("no findings", failed + hidden + in_part ? Style::Plain : Style::Green, color)
                       : plural(findings, "finding");
  if (findings != 0) {
    std::string parts;
    const auto part = [&](std::size_t n, const char *noun, Severity severity) {
      if (n != 0)
        parts += (parts.empty() ? "" : ", ") + styled(plural(n, noun), severity_style(severity), color);
    };
    part(count.errors, "error", Severity::Error);
    part(count.warnings, "warning", Severity::Warning);
    part(count.notes, "note", Severity::Note);
    out += " (" + parts + ")";
  }
  if (about_the_analysis != 0)
    out += ", " + plural(about_the_analysis, "note") + " about the analysis,";
  out += " in " + plural(report.files.size() - failed, "file") + ", " + plural(count.kernels, "kernel") + ", " +
         plural(count.launches, "launch");
  if (const std::string names = architectures_text(report.files); !names.empty())
    out += " on " + names;
  if (report.baseline) {
    const BaselineSummary &baseline = *report.baseline;
    out += "\nbaseline: " + std::to_string(baseline.added) + " new, " + std::to_string(baseline.worse) + " worse, " +
           std::to_string(baseline.better) + " better, " + std::to_string(baseline.gone.size()) + " gone, " +
           std::to_string(baseline.unchanged) + " unchanged";
    if (!baseline.not_known.empty())
      out += ", " + std::to_string(baseline.not_known.size()) + " not known any more";
    for (const std::string &gone : baseline.gone)
      out += "\n  gone: " + sinks::line(gone);
    for (const std::string &lost : baseline.not_known)
      out += "\n  not known any more: " + sinks::line(lost);
  }
  out += "\nmemory instructions: " +
         styled(thousands(count.exact) + " exact", count.exact ? Style::Green : Style::Plain, color) + ", " +
         styled(thousands(count.assumed) + " assumed", count.assumed ? Style::Yellow : Style::Plain, color) + ", " +
         styled(thousands(count.unknown) + " unknown", count.unknown ? Style::Magenta : Style::Plain, color) +
         (count.by_pattern
              ? " (" + thousands(count.by_pattern) + " of them with a cost per request, for all launches or by cases)"
              : "") +
         "\n";
  std::map<std::string, std::size_t> unavailable;
  for (const FileAnalysis &file : report.files)
    if (!file.compiled.unavailable.empty())
      ++unavailable[file.compiled.unavailable];
  for (const auto &[why, files] : unavailable)
    out += "from source" +
           (unavailable.size() == 1 && files == report.files.size() ? "" : " (" + plural(files, "file") + ")") + ": " +
           sinks::line(why) + "\n";
  std::map<std::string, std::vector<const FileAnalysis *>> by_tools; // of machine code: what was run to read it
  for (const FileAnalysis &file : report.files)
    if (!file.machine_code.empty() && file.parsed)
      by_tools[file.machine_code.substr(std::min(file.machine_code.find(", "), file.machine_code.size()))].push_back(
          &file);
  for (const auto &[tools, files] : by_tools)
    out += "from machine code (" +
           sinks::line(files.size() == 1 ? files.front()->machine_code : plural(files.size(), "file") + tools) + ")\n";
  for (const FileAnalysis &file : report.files)
    if (const CompiledUse &use = file.compiled; !use.from.empty())
      out += "as compiled (" + sinks::line(use.from) + "): " + plural(use.confirmed, "row") + " confirmed, " +
             std::to_string(use.corrected) + " corrected, " + std::to_string(use.absent) + " without an instruction, " +
             std::to_string(use.open) + " left open\n";
  return out;
}

} // namespace

std::string diagnostic_text(const Diagnostic &diagnostic, bool color) {
  return heading(diagnostic.location, diagnostic.severity, diagnostic.message, color) + "\n";
}

std::string text_report(const Report &all, SourceLines &sources, const TextOptions &options) {
  const std::vector<Finding> shown = one_per_statement(all.findings);
  Report report = all;
  report.findings = shown;
  std::string out;
  if (!options.full) {
    out = short_findings(report, all.findings, options.color);
    return options.summary ? out + worst_kernels(all, shown, options.color) + open_launches(report) +
                                 summary(report, options.color, false)
                           : out;
  }
  for (const Finding &finding : report.findings) {
    print_finding(out, report, finding, sources, options);
    out += '\n';
  }
  if (!options.summary)
    return out;
  const bool several = architectures_text(report.files).find(',') != std::string::npos;
  for (const FileAnalysis &file : report.files)
    for (const LaunchAnalysis &launch : file.launches)
      out += launch_table(file, launch, options, report.gpu, several) + "\n";
  return out + summary(report, options.color, true);
}

} // namespace smem
