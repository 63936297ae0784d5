#include "driver/option_conflicts.h"

#include <algorithm>

namespace smem {
namespace po = boost::program_options;

std::string conflict_of_fixes(const po::variables_map &given, const DriverOptions &options) {
  if (options.show_fixes) {
    if (given.count("format") || options.statistics || options.table || options.verbose)
      return "--diff prints a diff and nothing else: it excludes --format, --table, --verbose and --statistics";
    if (!options.export_fixes.empty() || options.baseline_action != BaselineAction::Compare)
      return "--diff writes nothing: it excludes --export-fixes, --update-baseline and --prune-baseline";
    if (std::find(options.files.begin(), options.files.end(), "-") != options.files.end())
      return "--diff is about files that --fix can write, not standard input; --suggest-fixes shows what to change";
  }
  if (options.fix && std::find(options.files.begin(), options.files.end(), "-") != options.files.end())
    return "--fix cannot write to standard input; --export-fixes says what to change";
  return {};
}

std::string conflict_of_machine_code(const DriverOptions &options) {
  if (options.machine_code && options.machine_code->from != compiled::MachineCodeWish::From::Nowhere) {
    for (const std::string &file : options.files)
      if (file.ends_with(".sass") || file.ends_with(".cubin"))
        return "'" + file + "' is no source file; `--as-compiled=" + file + "` takes it as machine code";
    if (options.suggest_fixes) // edited source has no machine code yet
      return "--as-compiled is about the code as it is: it excludes --fix, --diff, --suggest-fixes and --export-fixes";
    if (options.action == Action::Diff && options.machine_code->from == compiled::MachineCodeWish::From::File)
      return "diff compares two versions of the source, and '" + options.machine_code->file +
             "' was made of one: --as-compiled has nvcc compile both";
    if (std::find(options.files.begin(), options.files.end(), "-") != options.files.end())
      return "--as-compiled needs a file that nvcc can read, not standard input";
  }
  return {};
}

std::string conflict_of_output(const po::variables_map &given, const DriverOptions &options) {
  if (options.force && options.action != Action::Init)
    return "--force is of init";
  if (options.action == Action::Init && (options.shard || given.count("format") || !options.baseline.empty()))
    return "init writes a configuration: --format, --baseline and --shard have no meaning there";
  if (options.action == Action::Init && options.files.empty() && !options.build_path)
    return "init: no file is named; `smem-lint init kernel.cu` writes what is known of its launches";
  if (options.action != Action::Lint && (options.fix || options.show_fixes || !options.export_fixes.empty()))
    return "--fix, --diff and --export-fixes are for runs that analyse files";
  if (options.action == Action::Merge && options.format == Format::Html)
    return "merge: an HTML report shows code that was executed for it, which the parts of a run do not carry";
  if (options.shard && (options.fix || options.show_fixes || !options.export_fixes.empty()))
    return "a part of a run writes no fixes: --shard excludes --fix, --diff and --export-fixes";
  if (options.statistics && options.format != Format::Text && options.format != Format::Oneline &&
      options.format != Format::Json)
    return "--statistics: only --format=text, oneline and json have a place for them";
  if (options.statistics && options.shard)
    return "--statistics is about all parts of a run: `smem-lint merge --statistics`";
  if (options.quiet && options.verbose)
    return "--quiet and --verbose exclude one another";
  if (options.shard && options.output.empty())
    return "--shard needs --output FILE: what it writes is for `smem-lint merge`";
  return {};
}

std::string conflict_of_lsp(const po::variables_map &given, const DriverOptions &options) {
  if (options.action == Action::Lsp) {
    if (!options.files.empty())
      return "lsp: the editor names the files; '" + options.files.front() + "' is none of the options";
    if (given.count("format") || !options.output.empty() || options.shard || options.fix || options.show_fixes ||
        options.baseline_action != BaselineAction::Compare || !options.changed_since.empty())
      return "lsp answers an editor: --format, --output, --fix, --diff, --shard, --changed-since and what writes a baseline have no meaning there";
  }
  return {};
}

std::string conflict_of_inputs(Action subcommand, const DriverOptions &options) {
  if (options.action == Action::Merge && options.files.empty())
    return "merge: no part is named; --shard writes them";
  if ((options.action == Action::Lint || options.action == Action::Watch || options.action == Action::WhatIf) &&
      options.files.empty() && !options.build_path && !options.triton)
    return "no file is named; `smem-lint kernel.cu` analyses one, `smem-lint src` those in a folder, `smem-lint --help` lists the options";
  if (std::count(options.files.begin(), options.files.end(), "-") + (options.line_filter == "-") + options.for_editor >
      1)
    return "standard input (`-`) can be read only once";
  if ((subcommand != Action::Lint || options.shard) &&
      std::find(options.files.begin(), options.files.end(), "-") != options.files.end())
    return "standard input (`-`) cannot be a file of a subcommand or a shard";
  return {};
}

} // namespace smem
