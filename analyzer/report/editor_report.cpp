// What a language server shows of an analysis.
#include "report/report.h"

#include "plan/launch_spec.h"
#include "plan/statable.h"
#include "report/editor_hover.h"
#include "report/format.h"
#include "report/launch_floor.h"
#include "report/launch_table.h"
#include "report/machine_text.h"
#include "report/text_parts.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <optional>

namespace smem {
namespace {

using llvm::json::Array;
using llvm::json::Object;

/// Texts of sources may hold anything; JSON holds UTF-8.
std::string text(std::string_view any) { return llvm::json::fixUTF8(llvm::StringRef(any.data(), any.size())); }

Object place(const SourceLocation &location) {
  return Object{{"file", text(location.file)}, {"line", location.line}, {"column", location.column}};
}

Object problem(const Diagnostic &diagnostic) {
  Object object = place(diagnostic.location);
  object["severity"] = std::string(to_string(diagnostic.severity));
  object["message"] = text(diagnostic.message);
  object["incomplete"] = diagnostic.incomplete;
  return object;
}

Array fixes_of(const Finding &finding) {
  Array fixes;
  for (const Fix &fix : finding.fixes) {
    if (fix.edits.empty())
      continue;
    Array edits;
    for (const Edit &edit : fix.edits)
      edits.push_back(Object{{"file", text(edit.file)},
                             {"offset", static_cast<std::int64_t>(edit.offset)},
                             {"length", static_cast<std::int64_t>(edit.length)},
                             {"text", text(edit.replacement)}});
    fixes.push_back(Object{{"title", text(fix.title)}, {"edits", std::move(edits)}});
  }
  return fixes;
}

Object finding_object(const Report &report, const Finding &finding) {
  Object object = place(finding.location);
  const Site *site = finding.site && finding.program != Finding::kNoIndex
                         ? &report.files[finding.file].programs[finding.program].sites[*finding.site]
                         : nullptr;
  object["expression"] = text(site ? site->expression : std::string());
  object["severity"] = std::string(to_string(finding.severity));
  object["rule"] = std::string(finding.rule->id);
  object["message"] = text(with_state(finding) + (finding.extent.empty() ? "" : " (" + finding.extent + ")"));
  Array lines;
  const auto line = [&](const char *label, const std::string &words) {
    if (!words.empty())
      lines.push_back(std::string(label) + text(words));
  };
  line("cost: ", finding.cost);
  line("cause: ", finding.cause);
  if (finding.fixes.empty())
    line("hint: ", finding.hint);
  else
    line("fix: ", fix_text(finding.fixes.front()));
  const Finding *const one = &finding;
  line("floor: ", worth_of(report, std::span(&one, 1)));
  object["lines"] = std::move(lines);
  if (!report.homepage.empty())
    object["url"] = report.homepage + "/blob/main/docs/rules.md#" + std::string(finding.rule->id);
  Array related;
  for (const ThreadStep &step : finding.threads)
    if (step.location.known() && step.location != finding.location) {
      Object other = place(step.location);
      other["message"] = text(step.text);
      related.push_back(std::move(other));
    }
  if (site && site->array_location.known() && site->array_location != finding.location) {
    Object other = place(site->array_location);
    other["message"] = text("'" + site->array + "' is declared here");
    related.push_back(std::move(other));
  }
  object["related"] = std::move(related);
  object["fixes"] = fixes_of(finding);
  return object;
}

using RowsAt = std::map<SourceLocation, std::vector<PlacedRow>>;

RowsAt rows_of(const Report &report) {
  RowsAt rows;
  for (const FileAnalysis &file : report.files)
    for (const LaunchAnalysis &launch : file.launches)
      for (SiteRow &row : site_rows(file.programs[launch.program], launch.result, patterns_of(file, launch.program)))
        if (const SourceLocation location = row.site->location; location.known())
          rows[location].push_back({&file, &launch, std::move(row)});
  return rows;
}

Array accesses_of(const RowsAt &rows) {
  std::map<std::pair<std::string, unsigned>, std::vector<PlacedRow>> lines;
  for (const auto &[location, placed] : rows) {
    std::vector<PlacedRow> &line = lines[{location.file, location.line}];
    line.insert(line.end(), placed.begin(), placed.end());
  }
  Array accesses;
  for (const auto &[location, placed] : rows) {
    Object object = place(location);
    object["expression"] = text(placed.front().row.site->expression);
    object["label"] = access_label(placed);
    object["costly"] = is_costly(placed);
    object["hover"] = text(access_page(placed));
    object["expect"] = expectable(lines[{location.file, location.line}]);
    accesses.push_back(std::move(object));
  }
  return accesses;
}

/// The line that a comment above a kernel goes before: that of its name, or of what its declaration begins with on the lines before.
unsigned first_line(const SourceLocation &kernel, SourceLines &sources) {
  unsigned line = kernel.line;
  while (line > 1) {
    const std::string_view before = sources.line(kernel.file, line - 1);
    if (before.find_first_not_of(" \t\r") == std::string_view::npos ||
        before.find_first_of(";{}#") != std::string_view::npos || before.find("//") != std::string_view::npos ||
        before.find("*/") != std::string_view::npos || before.ends_with("\\"))
      break;
    --line;
  }
  return line;
}

/// `host code on line 97`: a lens is short.
std::string short_origin(const Launch &launch, const SourceLocation &kernel) {
  std::string words(to_string(launch.shape_provenance));
  if (launch.location.known())
    words += launch.location.file == kernel.file
                 ? " on line " + std::to_string(launch.location.line)
                 : " in " + launch.location.file.substr(launch.location.file.rfind('/') + 1);
  return words;
}

Array kernels_of(const Report &report, const RowsAt &rows, SourceLines &sources) {
  struct Kernel {
    std::string name;
    std::vector<std::pair<const FileAnalysis *, const LaunchAnalysis *>> launches;
    const Finding *worst = nullptr;
  };
  std::map<SourceLocation, Kernel> kernels;
  for (const FileAnalysis &file : report.files)
    for (const LaunchAnalysis &launch : file.launches) {
      const Program &program = file.programs[launch.program];
      if (!program.location.known())
        continue;
      Kernel &kernel = kernels[program.location];
      kernel.name = program.kernel.substr(0, program.kernel.find('<'));
      kernel.launches.emplace_back(&file, &launch);
    }
  for (const Finding &finding : report.findings)
    if (finding.program != Finding::kNoIndex && finding.traffic) {
      Kernel &kernel = kernels[report.files[finding.file].programs[finding.program].location];
      if (!kernel.worst || finding.excess() > kernel.worst->excess())
        kernel.worst = &finding;
    }
  Array out;
  for (const auto &[location, kernel] : kernels) {
    if (kernel.launches.empty())
      continue;
    const auto &[file, analysis] = kernel.launches.front();
    const Launch &launch = analysis->launch;
    const Program &program = file->programs[analysis->program];
    std::string title = "grid=" + short_dim(launch.grid) + " block=" + short_dim(launch.block) + " from " +
                        short_origin(launch, location);
    if (kernel.launches.size() > 1)
      title += " and " + plural(kernel.launches.size() - 1, "launch") + " more";
    if (kernel.worst) {
      const auto at = rows.find(kernel.worst->location);
      title += " | worst: " + (at == rows.end() ? std::string("an access") : access_label(at->second)) + " on line " +
               std::to_string(kernel.worst->location.line);
    }
    if (const std::optional<LaunchFloor> floor = launch_floor(*file, *analysis, report.gpu))
      title += " | floor: " + floor_text(*floor);
    Object object = place(location);
    object["name"] = text(kernel.name);
    object["title"] = text(title);
    object["stated"] = launch.shape_provenance == Provenance::Comment;
    object["launch"] = text(launch_option_text(stated_launch(program, launch, false)));
    object["above"] = first_line(location, sources);
    out.push_back(std::move(object));
  }
  return out;
}

} // namespace

std::string editor_report(const Report &report, SourceLines &sources) {
  Array files, problems, findings, read;
  for (const FileAnalysis &file : report.files) {
    files.push_back(Object{{"file", text(file.file)}, {"parsed", file.parsed}});
    for (const Diagnostic &diagnostic : file.diagnostics)
      problems.push_back(problem(diagnostic));
    for (const std::string &path : file.dependencies.read)
      read.push_back(text(path));
  }
  for (const Diagnostic &diagnostic : report.diagnostics)
    problems.push_back(problem(diagnostic));
  for (const Finding &finding : report.findings)
    findings.push_back(finding_object(report, finding));
  const RowsAt rows = rows_of(report);
  std::string out;
  llvm::raw_string_ostream stream(out);
  stream << llvm::json::Value(Object{{"files", std::move(files)},
                                     {"problems", std::move(problems)},
                                     {"findings", std::move(findings)},
                                     {"read", std::move(read)},
                                     {"accesses", accesses_of(rows)},
                                     {"kernels", kernels_of(report, rows, sources)}})
         << "\n";
  return out;
}

} // namespace smem
