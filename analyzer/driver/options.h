// What the command line says.
#pragma once

#include "analysis/analysis.h"
#include "config/config.h"
#include "smem/gpu.h"
#include "support/path_glob.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace smem {

enum class Action {
  Lint,
  Watch,
  Init,
  Lsp,
  Merge,
  Diff,
  WhatIf,
  Help,
  Version,
  ListChecks,
  Explain,
  Doctor,
  BuildPrefix,
  DumpConfig,
  VerifyConfig,
  Generate
};
enum class Format { Text, Oneline, Json, Sarif, Github, Gitlab, Markdown, Html, Editor };
enum class ColorWish { Auto, Always, Never };
enum class BaselineAction { Compare, Update, Prune };

/// `--shard i/n`: the i-th of n parts of the files, from 1.
struct Shard {
  unsigned index = 1, count = 1;
};

/// The value of --explain for all of them.
inline constexpr const char *kExplainUncertainties = "uncertainties";

struct DriverOptions {
  Action action = Action::Lint;
  std::vector<std::string> files;   ///< and folders; "-" is standard input; of `merge`: the parts
  std::vector<std::string> callers; ///< files that are read if their text names what others want to have launched
  std::optional<std::string>
      triton; ///< --triton: the folder of a cache, whose kernels are files as well; empty: the usual one
  std::string stdin_filename;
  bool races = true;       ///< off with --without-races: neither looked for nor expected to be none
  bool for_editor = false; ///< --for-editor: standard input has what is not saved
  std::map<std::string, std::string>
      unsaved;                ///< texts to read in place of files: an editor's, --what-if's; by normalised path
  PathGlobs exclude;          ///< --exclude: of what folders and a database hold
  bool force_exclude = false; ///< and of what is named
  std::string architecture;   ///< one that there is a table for; empty: as the compiler flags say, else the default
  std::optional<Gpu> gpu;     ///< --gpu; none: the usual one of each architecture
  std::vector<LaunchWish> wishes;
  std::vector<std::string> what_if; ///< --what-if, in the order of the command line
  std::string recorded_launches;    ///< file; empty: none
  Format format = Format::Text;
  std::string output;                                  ///< empty: standard output
  unsigned jobs = 0;                                   ///< 0: one per core
  std::vector<std::string> checks, warnings_as_errors; ///< globs, tried
  std::optional<std::string> header_filter;
  std::optional<FailOn> fail_on;
  std::optional<double> min_gain;  ///< --min-gain: 0.05 of "5%"
  std::string config, config_file; ///< --config, --config-file
  std::string line_filter;         ///< --line-filter: JSON, or "-" for standard input
  std::string baseline;            ///< --baseline
  BaselineAction baseline_action = BaselineAction::Compare;
  std::string cache_dir; ///< --cache-dir
  bool no_cache = false;
  std::optional<Shard> shard;
  std::string revision; ///< of `diff`
  bool watch = false;   ///< --watch
  std::optional<std::set<std::string>>
      only; ///< of the files, those to analyse, by normalised path; the others are read for what they launch. Nothing: all
  std::string changed_since;  ///< --changed-since: a revision; empty: all files
  bool force = false;         ///< --force
  bool fix = false;           ///< --fix: write what repairs bank conflicts
  bool show_fixes = false;    ///< --diff: print them as a patch and write nothing
  bool suggest_fixes = false; ///< --suggest-fixes, or what needs them
  std::string export_fixes;   ///< --export-fixes
  ColorWish color = ColorWish::Auto;
  bool statistics = false; ///< --statistics
  bool quiet = false, table = false, verbose = false;
  std::string explain; ///< a rule, "all", an uncertainty or kExplainUncertainties
  bool explain_markdown = false;
  std::string generate; ///< "man", "bash", "zsh" or "fish"
  std::string cuda_path;
  std::optional<compiled::MachineCodeWish> machine_code; ///< --as-compiled; nothing: what the configuration says
  bool trust = false;                    ///< --trust: what is found may name programs to run and places to write
  std::optional<std::string> build_path; ///< -p
  std::vector<std::string> flags_before; ///< --extra-arg-before
  std::vector<std::string> flags_after;  ///< --extra-arg
  std::optional<std::vector<std::string>> fixed_flags; ///< what follows `--`
  std::vector<std::string> kernels;                    ///< --kernel: globs over names; empty: all
  std::uint64_t max_instantiations = FrontendOptions().max_instantiations;
  std::uint64_t max_device_code = FrontendOptions().max_device_code;
  std::uint64_t max_steps = 10'000'000; ///< less than the simulator's own default: a launch takes some seconds at most
  std::uint64_t max_memory = 4096;      ///< MiB, for one file; 0: any number
  std::chrono::milliseconds timeout = std::chrono::seconds(60); ///< for one file; 0: none
};

struct ParsedOptions {
  DriverOptions options;
  std::string error; ///< not empty: what is wrong with the command line
};

/// An option as help, manual and completion describe it.
struct OptionText {
  std::string group;      ///< "Input", …
  std::string spelling;   ///< "--output", "-p"
  std::string short_form; ///< "-o"; may be empty
  std::string argument;   ///< "FILE"; empty for a switch
  std::string description;
};
std::vector<OptionText> option_texts();
std::vector<std::string> format_names(); ///< of --format

ParsedOptions parse_options(int argc, const char *const *argv);
std::string help_text();

} // namespace smem
