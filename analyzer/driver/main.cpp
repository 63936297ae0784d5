// smem-lint: reads the command line, has the files analysed, prints, and says by its exit code how it went.
#include "driver/display_paths.h"
#include "driver/doctor.h"
#include "driver/options.h"
#include "driver/output.h"
#include "driver/run.h"
#include "driver/version.h"
#include "plan/recorded_launches.h"
#include "report/report.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <unistd.h>

namespace smem {
namespace {

constexpr int kClean = 0, kFindings = 1, kFailure = 2;

void complain(const std::string &message) { std::fprintf(stderr, "smem-lint: error: %s\n", message.c_str()); }

int explain(const DriverOptions &options) {
  bool first = true;
  for (const Rule &rule : rules()) {
    if (options.explain != "all" && rule.id != options.explain)
      continue;
    const std::string text = options.explain_markdown ? explain_markdown(rule) : explain_text(rule);
    std::printf("%s%s", first ? "" : "\n", text.c_str());
    first = false;
  }
  return kClean;
}

int list_checks(const DriverOptions &options) {
  for (const Rule &rule : rules())
    if (options.findings.checks.enabled(rule.id))
      std::printf("%-20s %-8s %s\n", std::string(rule.id).c_str(), std::string(to_string(rule.severity)).c_str(),
                  std::string(rule.title).c_str());
  return kClean;
}

bool gates(const Finding &finding, FailOn level) {
  switch (level) {
  case FailOn::Note: return true;
  case FailOn::Warning: return finding.severity != Diagnostic::Severity::Note;
  case FailOn::Error: return finding.severity == Diagnostic::Severity::Error;
  case FailOn::Never: return false;
  }
  return true;
}

/// The messages about the files; whether one of them means that the analysis failed.
bool print_diagnostics(const std::vector<FileAnalysis> &files, const DriverOptions &options) {
  const bool color = wants_color(options.color, STDERR_FILENO);
  bool failed = false;
  for (const FileAnalysis &file : files) {
    for (const Diagnostic &diagnostic : file.diagnostics) {
      const bool error = diagnostic.severity == Diagnostic::Severity::Error;
      failed |= error;
      if (error || !options.quiet)
        std::fputs(diagnostic_text(diagnostic, color).c_str(), stderr);
    }
    failed |= !file.parsed;
    if (file.parsed && file.programs.empty() && !options.quiet)
      std::fputs(diagnostic_text({Diagnostic::Severity::Note, {file.file, 0, 0}, "no kernel in this file"}, color).c_str(), stderr);
  }
  return failed;
}

int lint(const DriverOptions &options) {
  SourceLines sources;
  std::string stdin_contents;
  if (std::find(options.files.begin(), options.files.end(), "-") != options.files.end()) {
    stdin_contents.assign(std::istreambuf_iterator<char>(std::cin), {});
    sources.add(stdin_name(options), stdin_contents);
  }
  const Toolkit toolkit = find_toolkit(options.cuda_path);
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

  std::vector<FileAnalysis> files = analyze_all(options, toolkit, stdin_contents, recorded ? &*recorded : nullptr);
  std::vector<std::string> typed = options.files;
  typed.push_back(stdin_name(options));
  const DisplayPaths paths(typed);
  for (FileAnalysis &file : files)
    paths.apply(file);

  bool failed = print_diagnostics(files, options);
  for (const std::string &message : unmatched_wishes(options, files)) {
    complain(message);
    failed = true;
  }

  if (const std::string message = recorded ? unmatched_recording(*recorded, files) : std::string(); !message.empty()) {
    complain(message);
    failed = true;
  }

  const std::vector<Finding> findings = find_all(files, options.findings);
  const Report report{files, findings, SMEM_LINT_VERSION};
  std::string text;
  if (options.format == Format::Json) {
    text = json_report(report);
  } else {
    const bool to_terminal = options.output.empty();
    const bool color = to_terminal ? wants_color(options.color, STDOUT_FILENO) : options.color == ColorWish::Always;
    text = text_report(report, sources, {color, !options.quiet, options.verbose});
  }

  if (!options.output.empty()) {
    if (const std::string error = write_file(options.output, text); !error.empty()) {
      complain(error);
      failed = true;
    }
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
      complain("cannot write to standard output");
      failed = true;
    }
  }
  if (failed)
    return kFailure;
  const bool gated = std::any_of(findings.begin(), findings.end(), [&](const Finding &f) { return gates(f, options.fail_on); });
  return gated ? kFindings : kClean;
}

int run(int argc, const char *const *argv) {
  const ParsedOptions parsed = parse_options(argc, argv);
  if (!parsed.error.empty()) {
    complain(parsed.error);
    return kFailure;
  }
  switch (parsed.options.action) {
  case Action::Help: std::fputs(help_text().c_str(), stdout); return kClean;
  case Action::Version: std::puts(version_text().c_str()); return kClean;
  case Action::ListChecks: return list_checks(parsed.options);
  case Action::Explain: return explain(parsed.options);
  case Action::Doctor: return doctor(parsed.options);
  case Action::Lint: return lint(parsed.options);
  }
  return kFailure;
}

} // namespace
} // namespace smem

int main(int argc, char **argv) {
  try {
    return smem::run(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "smem-lint: internal error: %s\n", error.what());
    return smem::kFailure;
  }
}
