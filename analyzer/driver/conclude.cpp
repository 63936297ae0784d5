#include "driver/conclude.h"

#include "driver/judge.h"
#include "driver/run.h"
#include "driver/unmatched.h"
#include "driver/version.h"
#include "fixes/attach.h"
#include "fixes/export_yaml.h"
#include "report/report.h"
#include "report/statistics.h"
#include "sinks/escape.h"
#include "sinks/files.h"
#include "sinks/stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <unistd.h>

namespace smem {
namespace {

std::string render(const Report &report, SourceLines &sources, const DriverOptions &options) {
  switch (options.format) {
  case Format::Json: return json_report(report);
  case Format::Sarif: return sarif_report(report, sources);
  case Format::Github: return github_report(report);
  case Format::Gitlab: return gitlab_report(report);
  case Format::Markdown: return markdown_report(report);
  case Format::Html: return html_report(report, sources);
  case Format::Editor: return editor_report(report, sources);
  case Format::Text:
  case Format::Oneline: break;
  }
  const bool to_terminal = options.output.empty();
  const bool color = to_terminal ? wants_color(options.color, STDOUT_FILENO) : options.color == ColorWish::Always;
  std::string text =
      options.format == Format::Oneline
          ? oneline_report(report, color)
          : text_report(report, sources, {color, !options.quiet, options.table || options.verbose, options.verbose});
  if (report.statistics)
    text += statistics_text(report, color);
  return sinks::terminal(text, color);
}

} // namespace

bool print_diagnostics(std::span<const Diagnostic> diagnostics, const DriverOptions &options) {
  const bool color = wants_color(options.color, STDERR_FILENO);
  bool failed = false;
  for (const Diagnostic &diagnostic : diagnostics) {
    const bool error = diagnostic.severity == Diagnostic::Severity::Error;
    failed |= error;
    if (error || diagnostic.incomplete || !options.quiet)
      (void)sinks::print(STDERR_FILENO, diagnostic_text(diagnostic, color), color);
  }
  return failed;
}

namespace {

/// What several files have to say alike: of the same line of a header, or of a header that is not there, wherever it is included.
class SaidBefore {
public:
  explicit SaidBefore(std::span<const FileAnalysis> files) {
    for (const FileAnalysis &file : files) {
      std::set<Key> own;
      for (const Diagnostic &each : file.diagnostics)
        if (own.insert(key_of(each)).second)
          ++files_[key_of(each)];
    }
  }

  /// Those of a file that no file before it had; of how many files they are.
  std::vector<Diagnostic> news_of(const FileAnalysis &file) {
    std::vector<Diagnostic> out;
    constexpr std::size_t kMostHeaders = 3; // the note about them has how many there are
    std::set<Key> own;
    bool dropped = false;
    std::size_t headers = 0;
    for (const Diagnostic &each : file.diagnostics) {
      if (dropped && explains(each))
        continue;
      const Key key = key_of(each);
      dropped = (each.message.ends_with(kNotFound) && ++headers > kMostHeaders) ||
                (!own.contains(key) && !said_.insert(key).second);
      if (dropped)
        continue;
      own.insert(key);
      out.push_back(each);
      if (const std::size_t files = files_[key]; files > 1) {
        if (const std::string &of_all = std::get<std::string>(key); of_all.starts_with(kTaken))
          out.back().message = "headers of this project are" + of_all;
        out.back().message += " (in " + std::to_string(files) + " files)";
      }
    }
    return out;
  }

private:
  static constexpr const char *kNotFound = "file not found", *kTaken = " taken from ";
  using Key = std::tuple<SourceLocation, Diagnostic::Severity, std::string>;

  static Key key_of(const Diagnostic &diagnostic) {
    const std::string &message = diagnostic.message;
    // Which headers of a folder are taken differs from file to file; that they are is news once.
    if (const std::size_t taken = message.find(kTaken);
        taken != std::string::npos && diagnostic.severity == Diagnostic::Severity::Note)
      return {SourceLocation(), diagnostic.severity, message.substr(taken, message.find(": this project") - taken)};
    const bool of_header = message.ends_with(kNotFound) ||
                           message.find("in no folder of this project") < message.size() ||
                           message.find("` would find ") < message.size();
    return {of_header ? SourceLocation() : diagnostic.location, diagnostic.severity, message};
  }

  /// A note of Clang's about the message before it.
  static bool explains(const Diagnostic &diagnostic) {
    const std::string &message = diagnostic.message;
    return diagnostic.severity == Diagnostic::Severity::Note &&
           (message.ends_with("requested here") || message.starts_with("candidate ") ||
            message.starts_with("expanded from "));
  }

  std::map<Key, std::size_t> files_;
  std::set<Key> said_;
};

} // namespace

bool print_file_diagnostics(const std::vector<FileAnalysis> &files, const DriverOptions &options) {
  bool failed = false;
  SaidBefore said(files);
  for (const FileAnalysis &file : files) {
    (void)print_diagnostics(options.verbose ? file.diagnostics : said.news_of(file), options);
    failed |= std::ranges::any_of(file.diagnostics,
                                  [](const Diagnostic &each) { return each.severity == Diagnostic::Severity::Error; });
    failed |= !file.parsed;
    failed |= overlooked(file); // clean would mean that kernels were looked at
    if (file.parsed && file.programs.empty() && file.left_out.empty() && !overlooked(file)) {
      const Diagnostic none{Diagnostic::Severity::Note, {file.file, 0, 0}, "no kernel in this file"};
      print_diagnostics({&none, 1}, options);
    }
  }
  return failed;
}

bool complain_of_unmatched(const std::vector<LaunchWish> &wishes, const std::vector<FileAnalysis> &files) {
  const std::vector<std::string> messages = unmatched_wishes(wishes, files);
  for (const std::string &message : messages)
    complain(message);
  return !messages.empty();
}

std::optional<std::string> read_standard_input() {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (count == 0)
      return text;
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 || text.size() + static_cast<std::size_t>(count) > kMost) {
      complain(count < 0 ? std::string("cannot read standard input: ") + std::strerror(errno)
                         : "standard input is longer than 64 MiB, the limit");
      return std::nullopt;
    }
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

int conclude(const DriverOptions &options, const std::vector<FileAnalysis> &files, std::span<const FileFixes> fixes,
             SourceLines &sources, Settings &settings, const std::string &line_filter_text, bool failed) {
  const BaselinePlace baseline = baseline_place(options, settings.of(".").config);
  Judgement judgement = judge(
      options, files, sources, [&](const std::string &path) -> const FileSettings & { return settings.of(path); },
      baseline, line_filter_text);
  failed |= print_diagnostics(judgement.diagnostics, options);
  failed |= print_diagnostics(settings.take_diagnostics(), options);
  for (std::vector<Finding> *findings : {&judgement.shown, &judgement.suppressed, &judgement.known})
    attach_fixes(*findings, fixes);
  if (!options.export_fixes.empty()) {
    const std::string main = options.files.size() == 1 ? options.files.front() : std::string();
    if (const std::string error = sinks::write_file(options.export_fixes, export_fixes(judgement.shown, sources, main));
        !error.empty()) {
      complain("--export-fixes: " + error);
      failed = true;
    }
  }

  Report report{files, judgement.shown, SMEM_LINT_VERSION};
  report.suppressed = judgement.suppressed;
  report.diagnostics = judgement.diagnostics;
  report.known = judgement.known;
  report.baseline = judgement.baseline;
  report.fixes_looked_for = options.suggest_fixes;
  report.statistics = options.statistics;
  report.gpu = options.gpu ? &*options.gpu : nullptr;
  report.repository_paths = judgement.repository_paths;
  report.source_root = judgement.source_root;
  report.homepage = SMEM_LINT_HOMEPAGE;
  if (const std::string error = deliver(render(report, sources, options), options.output); !error.empty()) {
    complain(error);
    failed = true;
  }
  return failed ? kFailure : judgement.gated ? kFindings : kClean;
}

bool lacks_baseline(const DriverOptions &options, Settings &settings) {
  const std::string baseline = baseline_place(options, settings.of(".").config).path;
  const char *needs =
      options.baseline_action != BaselineAction::Compare ? "--update-baseline and --prune-baseline need --baseline FILE"
      : settings.any_fails_on(FailOn::Regression)        ? "--fail-on=regression needs --baseline FILE to compare with"
                                                         : nullptr;
  if (!baseline.empty()) {
    // One that cannot be read is known before --fix writes anything.
    std::vector<Diagnostic> diagnostics;
    read_baseline(baseline, options.baseline_action == BaselineAction::Update, diagnostics);
    return print_diagnostics(diagnostics, options);
  }
  if (!needs)
    return false;
  complain(needs);
  return true;
}

} // namespace smem
