// smem-lint: reads the command line, has the files analysed, prints, and says by its exit code how it went.
#include "driver/conclude.h"
#include "driver/doctor.h"
#include "driver/generate.h"
#include "driver/lint.h"
#include "driver/options.h"
#include "driver/settings.h"
#include "frontend/llvm_settings.h"
#include "report/rules.h"

#include <cstdio>
#include <exception>
#include <string>

namespace smem {
namespace {

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
  std::vector<Diagnostic> diagnostics;
  Configurations configurations = make_configurations(options, diagnostics);
  const FileSettings settings = settings_for(options, configurations.for_file(options.files.empty() ? "." : options.files.front(), diagnostics));
  if (print_diagnostics(diagnostics, options))
    return kFailure;
  for (const Rule &rule : rules())
    if (settings.findings.checks.enabled(rule.id))
      std::printf("%-20s %-8s %s\n", std::string(rule.id).c_str(), std::string(to_string(rule.severity)).c_str(),
                  std::string(rule.title).c_str());
  return kClean;
}

int verify_config(const DriverOptions &options) {
  std::vector<Diagnostic> diagnostics;
  Configurations configurations = make_configurations(options, diagnostics);
  for (const std::string &path : options.files.empty() ? std::vector<std::string>{"."} : options.files)
    configurations.for_file(path, diagnostics);
  if (print_diagnostics(diagnostics, options))
    return kFailure;
  std::puts("No config errors detected.");
  return kClean;
}

/// The configuration with the command line on top, as it holds for the first file.
int dump_config(const DriverOptions &options) {
  std::vector<Diagnostic> diagnostics;
  Configurations configurations = make_configurations(options, diagnostics);
  Config config = configurations.for_file(options.files.empty() ? "." : options.files.front(), diagnostics);
  if (print_diagnostics(diagnostics, options))
    return kFailure;
  for (const std::string &globs : options.checks)
    config.checks.push_back({globs, {}});
  for (const std::string &globs : options.warnings_as_errors)
    config.warnings_as_errors.push_back({globs, {}});
  if (options.header_filter)
    config.header_filter = options.header_filter;
  if (options.fail_on)
    config.fail_on = options.fail_on;
  std::fputs(dump(config).c_str(), stdout);
  return kClean;
}

int run(int argc, const char *const *argv) {
  const ParsedOptions parsed = parse_options(argc, argv);
  if (!parsed.error.empty()) {
    complain(parsed.error);
    return kFailure;
  }
  const Action action = parsed.options.action;
  if (action == Action::Lint || action == Action::Diff || action == Action::Doctor)
    if (const std::string &lacks = prepare_llvm(); !lacks.empty()) {
      complain(lacks);
      return kFailure;
    }
  switch (action) {
  case Action::Help: std::fputs(help_text().c_str(), stdout); return kClean;
  case Action::Version: std::puts(version_text().c_str()); return kClean;
  case Action::ListChecks: return list_checks(parsed.options);
  case Action::Explain: return explain(parsed.options);
  case Action::Doctor: return doctor(parsed.options);
  case Action::DumpConfig: return dump_config(parsed.options);
  case Action::VerifyConfig: return verify_config(parsed.options);
  case Action::Generate:
    std::fputs((parsed.options.generate == "man" ? man_page() : bash_completion()).c_str(), stdout);
    return kClean;
  case Action::Lint: return lint(parsed.options);
  case Action::Merge: return merge_parts(parsed.options);
  case Action::Diff: return diff(parsed.options);
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
