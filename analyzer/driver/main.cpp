// smem-lint: reads the command line, has the files analysed, prints, and says by its exit code how it went.
#include "driver/completion.h"
#include "driver/conclude.h"
#include "driver/doctor.h"
#include "driver/generate.h"
#include "driver/init.h"
#include "driver/install_prefix.h"
#include "driver/lint.h"
#include "driver/options.h"
#include "driver/settings.h"
#include "driver/watch.h"
#include "driver/what_if.h"
#include "lsp/serve.h"
#include "nvcc/cicc/llvm_settings.h"
#include "report/rules.h"
#include "report/uncertainty_text.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

namespace smem {
namespace {

int print(const std::string &text) { return show(text) ? kClean : kFailure; }

int explain(const DriverOptions &options) {
  std::string text;
  for (const Rule &rule : rules()) {
    if (options.explain != "all" && rule.id != options.explain)
      continue;
    text += (text.empty() ? "" : "\n") + (options.explain_markdown ? explain_markdown(rule) : explain_text(rule));
  }
  for (const UncertaintyInfo &info : all_uncertainties())
    if (options.explain == kExplainUncertainties || options.explain == info.id)
      text += (text.empty() ? "" : "\n") + (options.explain_markdown ? explain_markdown(info) : explain_text(info));
  return print(text);
}

int list_checks(const DriverOptions &options) {
  std::vector<Diagnostic> diagnostics;
  Configurations configurations = make_configurations(options, diagnostics);
  const std::string file = options.files.empty() ? "." : options.files.front();
  const FileSettings settings = settings_for(options, configurations.for_file(file, diagnostics));
  if (print_diagnostics(diagnostics, options))
    return kFailure;
  std::string text;
  for (const Rule &rule : rules())
    if (settings.findings.checks.enabled(rule.id, file)) {
      char line[256];
      std::snprintf(
          line, sizeof line, "%-20s %-8s %s\n", std::string(rule.id).c_str(),
          std::string(to_string(settings.findings.severities.of(rule.id, file).value_or(rule.severity))).c_str(),
          std::string(rule.title).c_str());
      text += line;
    }
  return print(text);
}

int verify_config(const DriverOptions &options) {
  std::vector<Diagnostic> diagnostics;
  Configurations configurations = make_configurations(options, diagnostics);
  for (const std::string &path : options.files.empty() ? std::vector<std::string>{"."} : options.files)
    configurations.for_file(path, diagnostics);
  if (print_diagnostics(diagnostics, options))
    return kFailure;
  return print("No config errors detected.\n");
}

/// The configuration with the command line on top, as it holds for the first file.
int dump_config(const DriverOptions &options) {
  std::vector<Diagnostic> diagnostics;
  Configurations configurations = make_configurations(options, diagnostics);
  Config config = configurations.for_file(options.files.empty() ? "." : options.files.front(), diagnostics);
  if (print_diagnostics(diagnostics, options))
    return kFailure;
  for (const std::string &globs : options.checks)
    config.checks.push_back({globs, {}, nullptr});
  for (const std::string &globs : options.warnings_as_errors)
    config.warnings_as_errors.push_back({globs, {}, nullptr});
  if (options.header_filter)
    config.header_filter = options.header_filter;
  if (options.fail_on)
    config.fail_on = options.fail_on;
  return print(dump(config));
}

int generate(const DriverOptions &options) {
  return print(options.generate == "man"    ? man_page()
               : options.generate == "bash" ? bash_completion()
               : options.generate == "zsh"  ? zsh_completion()
                                            : fish_completion());
}

/// Every analysis gets the options of this run, which are known to be right.
int serve_editor(int argc, const char *const *argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  arguments.erase(std::find(arguments.begin(), arguments.end(), "lsp"));
  return lsp::serve(arguments);
}

int run(int argc, const char *const *argv) {
  const ParsedOptions parsed = parse_options(argc, argv);
  if (!parsed.error.empty()) {
    complain(parsed.error);
    return kFailure;
  }
  const Action action = parsed.options.action;
  if (action == Action::Lint || action == Action::Watch || action == Action::Diff || action == Action::Init ||
      action == Action::WhatIf || action == Action::Doctor || action == Action::BuildPrefix)
    if (const std::string &lacks = prepare_llvm(); !lacks.empty()) {
      complain(lacks);
      return kFailure;
    }
  switch (action) {
  case Action::Help: return print(help_text());
  case Action::Version: return print(version_text() + "\n");
  case Action::ListChecks: return list_checks(parsed.options);
  case Action::Explain: return explain(parsed.options);
  case Action::Doctor: return doctor(parsed.options);
  case Action::BuildPrefix: return install_prefix(parsed.options);
  case Action::DumpConfig: return dump_config(parsed.options);
  case Action::VerifyConfig: return verify_config(parsed.options);
  case Action::Generate: return generate(parsed.options);
  case Action::Lint: return lint(parsed.options);
  case Action::Watch: return watch(parsed.options);
  case Action::Init: return init(parsed.options);
  case Action::Merge: return merge_parts(parsed.options);
  case Action::Diff: return diff(parsed.options);
  case Action::Lsp: return serve_editor(argc, argv);
  case Action::WhatIf: return what_if(parsed.options);
  }
  return kFailure;
}

} // namespace
} // namespace smem

int main(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN); // a reader that is gone is an error of the write, which says so
  try {
    return smem::run(argc, argv);
  } catch (const std::exception &error) {
    smem::remark(std::string("internal error: ") + error.what());
    return smem::kFailure;
  }
}
