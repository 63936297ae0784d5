#include "driver/lint.h"

#include "driver/display_paths.h"
#include "driver/judge.h"
#include "driver/output.h"
#include "driver/run.h"
#include "driver/settings.h"
#include "driver/version.h"
#include "plan/recorded_launches.h"
#include "report/report.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <unistd.h>

namespace smem {
namespace {

std::string read_standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

/// The configuration of every path, read once; its errors are collected.
class Settings {
public:
  explicit Settings(const DriverOptions &options) : options(options), configurations(make_configurations(options, diagnostics)) {}

  const FileSettings &of(const std::string &path) {
    const auto known = by_path.find(path);
    if (known != by_path.end())
      return known->second;
    return by_path.emplace(path, settings_for(options, configurations.for_file(path, diagnostics))).first->second;
  }

  std::vector<Diagnostic> diagnostics;

private:
  const DriverOptions &options;
  Configurations configurations;
  std::map<std::string, FileSettings> by_path;
};

std::string render(const Report &report, SourceLines &sources, const DriverOptions &options) {
  switch (options.format) {
  case Format::Json: return json_report(report);
  case Format::Sarif: return sarif_report(report, sources);
  case Format::Github: return github_report(report);
  case Format::Gitlab: return gitlab_report(report);
  case Format::Markdown: return markdown_report(report);
  case Format::Text: break;
  }
  const bool to_terminal = options.output.empty();
  const bool color = to_terminal ? wants_color(options.color, STDOUT_FILENO) : options.color == ColorWish::Always;
  return text_report(report, sources, {color, !options.quiet, options.verbose});
}

/// An error text, or empty.
std::string deliver(const std::string &text, const std::string &output) {
  if (!output.empty())
    return write_file(output, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) != 0 || std::ferror(stdout) ? "cannot write to standard output" : std::string();
}

/// Everything behind the analysis: findings, report, exit code. `failed`: something has gone wrong already.
int conclude(const DriverOptions &options, const std::vector<FileAnalysis> &files, SourceLines &sources, Settings &settings,
             const std::string &line_filter_text, bool failed) {
  const std::string baseline = options.baseline.empty() ? settings.of(".").config.baseline.value_or("") : options.baseline;
  const Judgement judgement =
      judge(options, files, sources, [&](const std::string &path) -> const FileSettings & { return settings.of(path); }, baseline, line_filter_text);
  failed |= print_diagnostics(judgement.diagnostics, options);

  Report report{files, judgement.shown, SMEM_LINT_VERSION};
  report.suppressed = judgement.suppressed;
  report.known = judgement.known;
  report.baseline = judgement.baseline;
  report.repository_paths = judgement.repository_paths;
  if (const std::string error = deliver(render(report, sources, options), options.output); !error.empty()) {
    complain(error);
    failed = true;
  }
  return failed ? kFailure : judgement.gated ? kFindings : kClean;
}

bool print_file_diagnostics(const std::vector<FileAnalysis> &files, const DriverOptions &options) {
  bool failed = false;
  for (const FileAnalysis &file : files) {
    failed |= print_diagnostics(file.diagnostics, options);
    failed |= !file.parsed;
    if (file.parsed && file.programs.empty()) {
      const Diagnostic none{Diagnostic::Severity::Note, {file.file, 0, 0}, "no kernel in this file"};
      print_diagnostics({&none, 1}, options);
    }
  }
  return failed;
}

/// What cannot go together with what is configured, before anything is analysed.
bool refuse(const DriverOptions &options, Settings &settings) {
  const bool has_baseline = !options.baseline.empty() || settings.of(".").config.baseline;
  const char *needs = options.baseline_action != BaselineAction::Compare ? "--update-baseline and --prune-baseline need --baseline FILE"
                      : settings.of(".").fail_on == FailOn::Regression   ? "--fail-on=regression needs --baseline FILE to compare with"
                                                                         : nullptr;
  if (has_baseline || !needs)
    return false;
  complain(needs);
  return true;
}

} // namespace

void complain(const std::string &message) { std::fprintf(stderr, "smem-lint: error: %s\n", message.c_str()); }

bool print_diagnostics(std::span<const Diagnostic> diagnostics, const DriverOptions &options) {
  const bool color = wants_color(options.color, STDERR_FILENO);
  bool failed = false;
  for (const Diagnostic &diagnostic : diagnostics) {
    const bool error = diagnostic.severity == Diagnostic::Severity::Error;
    failed |= error;
    if (error || !options.quiet)
      std::fputs(diagnostic_text(diagnostic, color).c_str(), stderr);
  }
  return failed;
}

int lint(const DriverOptions &options) {
  Settings settings(options);
  settings.of(".");
  for (const std::string &file : options.files)
    settings.of(file);
  if (print_diagnostics(settings.diagnostics, options) || refuse(options, settings))
    return kFailure;

  SourceLines sources;
  std::string stdin_contents;
  if (std::find(options.files.begin(), options.files.end(), "-") != options.files.end()) {
    stdin_contents = read_standard_input();
    sources.add(stdin_name(options), stdin_contents);
  }
  const std::string line_filter_text = options.line_filter == "-" ? read_standard_input() : options.line_filter;
  std::optional<RecordedLaunches> recorded;
  if (!options.recorded_launches.empty()) {
    std::string error, warning;
    recorded = RecordedLaunches::load(options.recorded_launches, error, warning);
    if (!recorded) {
      complain("--launches: " + error);
      return kFailure;
    }
    if (!warning.empty() && !options.quiet)
      std::fprintf(stderr, "smem-lint: warning: --launches: %s\n", warning.c_str());
  }

  AnalysisInputs inputs;
  inputs.configuration_of = [&](const std::string &path) -> const Config & { return settings.of(path).config; };
  inputs.toolkit = find_toolkit(options.cuda_path.empty() ? settings.of(".").config.cuda_path.value_or("") : options.cuda_path);
  inputs.stdin_contents = stdin_contents;
  inputs.recorded = recorded ? &*recorded : nullptr;
  std::vector<FileAnalysis> files = analyze_all(options, inputs);
  std::vector<std::string> typed = options.files;
  typed.push_back(stdin_name(options));
  const DisplayPaths paths(typed);
  for (FileAnalysis &file : files)
    paths.apply(file);

  bool failed = print_file_diagnostics(files, options);
  for (const std::string &message : unmatched_wishes(options, files)) {
    complain(message);
    failed = true;
  }
  if (const std::string message = recorded ? unmatched_recording(*recorded, files) : std::string(); !message.empty()) {
    complain(message);
    failed = true;
  }
  return conclude(options, files, sources, settings, line_filter_text, failed);
}

} // namespace smem
