#include "driver/options.h"
#include "driver/option_conflicts.h"
#include "driver/option_descriptions.h"
#include "report/rules.h"
#include "report/uncertainty_text.h"

#include "config/gpu_file.h"
#include "flags/allowed_options.h"
#include "flags/nvcc_options.h"
#include "plan/launch_spec.h"
#include "support/nearest.h"
#include "support/paths.h"
#include "support/regular_expression.h"

#include <boost/program_options.hpp>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace smem {
namespace po = boost::program_options;
namespace {

using Texts = std::vector<std::string>;

/// A word out of a fixed set.
template <class T> std::string choose(const po::variables_map &given, const char *name,
                                      const std::vector<std::pair<std::string, T>> &choices, T &out) {
  if (!given.count(name))
    return {};
  const std::string &word = given[name].as<std::string>();
  Texts words;
  for (const auto &[text, value] : choices) {
    if (text == word) {
      out = value;
      return {};
    }
    words.push_back(text);
  }
  const std::string nearest = did_you_mean(word, words);
  return "--" + std::string(name) + "=" + word + ": " +
         (nearest.empty() ? "known are " + llvm::join(words, ", ") : nearest.substr(2));
}

template <class T> std::string number(const po::variables_map &given, const char *name, std::int64_t least, T &out) {
  if (!given.count(name))
    return {};
  const std::string &text = given[name].as<std::string>();
  const auto value = parse_integer(text);
  if (!value || *value < least || *value > std::int64_t{1} << 60)
    return "--" + std::string(name) + "=" + text + ": an integer of at least " + std::to_string(least) + " is needed";
  out = static_cast<T>(*value);
  return {};
}

std::vector<std::pair<std::string, Format>> formats() {
  return {{"text", Format::Text},         {"oneline", Format::Oneline}, {"json", Format::Json},
          {"sarif", Format::Sarif},       {"github", Format::Github},   {"gitlab", Format::Gitlab},
          {"markdown", Format::Markdown}, {"html", Format::Html}};
}

std::string string_of(const po::variables_map &given, const char *name) {
  return given.count(name) ? given[name].as<std::string>() : std::string();
}

std::string read_timeout(const po::variables_map &given, DriverOptions &options) {
  if (!given.count("timeout"))
    return {};
  constexpr double kMostSeconds = 1e9;
  const std::string text = string_of(given, "timeout");
  double seconds = 0;
  if (llvm::StringRef(text).getAsDouble(seconds) || !(seconds >= 0 && seconds <= kMostSeconds))
    return "--timeout=" + text + ": a number of seconds is needed, 0 for no limit";
  options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  if (seconds > 0 && options.timeout.count() == 0)
    options.timeout = std::chrono::milliseconds(1);
  return {};
}

Texts texts_of(const po::variables_map &given, const char *name) {
  return given.count(name) ? given[name].as<Texts>() : Texts();
}

std::string read_architecture(const po::variables_map &given, DriverOptions &options) {
  if (!given.count("arch"))
    return {};
  const std::string name = string_of(given, "arch");
  options.architecture = target_of(name);
  if (!options.architecture.empty())
    return {};
  Texts names;
  for (const Architecture &architecture : architectures())
    names.emplace_back(architecture.name);
  return "unknown architecture '" + name + "'" + did_you_mean(name, names) + " (known: " + llvm::join(names, ", ") +
         ")";
}

/// A GPU that is named, or described in a file, and what it is modelled as where nothing else is asked for.
std::string read_gpu_option(const po::variables_map &given, DriverOptions &options) {
  if (!given.count("gpu"))
    return {};
  const std::string name = string_of(given, "gpu");
  if (const Gpu *known = find_gpu(name)) {
    options.gpu = *known;
  } else if (name.ends_with(".yaml") || name.ends_with(".yml")) {
    ParsedGpu parsed = read_gpu_file(name);
    if (!parsed.error.empty())
      return parsed.error;
    options.gpu = std::move(parsed.gpu);
  } else {
    Texts names;
    for (const Gpu &gpu : gpus())
      names.push_back(gpu.name);
    return "unknown GPU '" + name + "'" + did_you_mean(name, names) + " (known: " + llvm::join(names, ", ") +
           "; or a file of figures, GPU.yaml)";
  }
  if (options.architecture.empty())
    options.architecture = options.gpu->architecture;
  else if (find_architecture(options.architecture) != find_architecture(options.gpu->architecture))
    return "--gpu=" + name + " has architecture " + options.gpu->architecture + ", and --arch asks for " +
           options.architecture;
  return {};
}

std::string read_wishes(const po::variables_map &given, DriverOptions &options) {
  for (const std::string &text : texts_of(given, "launch")) {
    ParsedWish parsed = parse_launch_option(text);
    if (!parsed.error.empty())
      return "--launch '" + text + "': " + parsed.error;
    options.wishes.push_back(std::move(parsed.wish));
  }
  for (const std::string &text : texts_of(given, "set")) {
    ParsedWish parsed = parse_set_option(text);
    if (!parsed.error.empty())
      return "--set '" + text + "': " + parsed.error;
    options.wishes.push_back(std::move(parsed.wish));
  }
  return {};
}

std::string read_rules(const po::variables_map &given, DriverOptions &options) {
  for (const auto &[name, into] :
       {std::pair{"checks", &options.checks}, {"warnings-as-errors", &options.warnings_as_errors}}) {
    *into = texts_of(given, name);
    for (const std::string &globs : *into)
      if (const std::string error = CheckFilter().add(globs); !error.empty())
        return "--" + std::string(name) + ": " + error;
  }
  options.explain = string_of(given, "explain");
  if (!options.explain.empty() && options.explain != "all" && options.explain != kExplainUncertainties &&
      !find_rule(options.explain) && !find_uncertainty(options.explain)) {
    std::vector<std::string> words = rule_ids();
    std::ranges::move(uncertainty_ids(), std::back_inserter(words));
    return "no rule '" + options.explain + "'" + did_you_mean(options.explain, words) + " (--list-checks lists them)";
  }
  if (given.count("header-filter")) {
    options.header_filter = string_of(given, "header-filter");
    if (const std::string wrong = wrong_with_regular_expression(*options.header_filter); !wrong.empty())
      return "--header-filter: " + wrong;
  }
  if (given.count("fail-on")) {
    const std::string word = string_of(given, "fail-on");
    options.fail_on = parse_fail_on(word);
    const Texts known{"note", "warning", "error", "regression", "never"};
    if (const std::string nearest = did_you_mean(word, known); !options.fail_on)
      return "--fail-on=" + word + ": " +
             (nearest.empty() ? "known are note, warning, error, regression, never" : nearest.substr(2));
  }
  if (given.count("min-gain")) {
    options.min_gain = parse_percent(string_of(given, "min-gain"));
    if (!options.min_gain)
      return "--min-gain=" + string_of(given, "min-gain") + ": a percentage such as 5% is needed";
  }
  return {};
}

std::string read_exclude(const po::variables_map &given, DriverOptions &options) {
  for (const std::string &list : texts_of(given, "exclude")) {
    llvm::SmallVector<llvm::StringRef, 4> globs;
    llvm::StringRef(list).split(globs, ',');
    for (const llvm::StringRef text : globs) {
      std::string error;
      std::optional<PathGlob> glob = PathGlob::parse(text.trim(), normalise_path("."), error);
      if (!glob)
        return "--exclude: " + error;
      options.exclude.push_back(std::move(*glob));
    }
  }
  options.force_exclude = given.count("force-exclude") != 0;
  return {};
}

std::string read_gate(const po::variables_map &given, DriverOptions &options) {
  options.config = string_of(given, "config");
  options.config_file = string_of(given, "config-file");
  options.line_filter = string_of(given, "line-filter");
  options.baseline = string_of(given, "baseline");
  options.cache_dir = string_of(given, "cache-dir");
  options.no_cache = given.count("no-cache") != 0;
  if (given.count("config") && given.count("config-file"))
    return "--config and --config-file exclude one another";
  if (given.count("update-baseline") && given.count("prune-baseline"))
    return "--update-baseline and --prune-baseline exclude one another";
  options.baseline_action = given.count("update-baseline")  ? BaselineAction::Update
                            : given.count("prune-baseline") ? BaselineAction::Prune
                                                            : BaselineAction::Compare;
  if (options.baseline_action != BaselineAction::Compare && !options.line_filter.empty())
    return "a baseline is about all lines: --line-filter excludes --update-baseline and --prune-baseline";
  if (given.count("shard")) {
    const std::string text = string_of(given, "shard");
    const std::size_t slash = text.find('/');
    const auto index = parse_integer(text.substr(0, slash));
    const auto count = slash == std::string::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count || *count > 1'000'000)
      return "--shard=" + text + ": write I/N with 1 <= I <= N";
    options.shard = Shard{static_cast<unsigned>(*index), static_cast<unsigned>(*count)};
  }
  return {};
}

/// A file of one of these names is named with its folder: ./auto.
compiled::MachineCodeWish machine_code_of(const std::string &text) {
  using From = compiled::MachineCodeWish::From;
  if (text.empty())
    return {From::Nvcc, {}};
  if (text == "auto")
    return {From::NvccIfFound, {}};
  if (text == "off")
    return {From::Nowhere, {}};
  return {From::File, text};
}

/// Takes the subcommand off the files, and chooses what is done.
Action read_action(const po::variables_map &given, DriverOptions &options) {
  // The first word that is no option: a file of that name is ./diff.
  options.files = texts_of(given, "file");
  const Action subcommand = options.files.empty()              ? Action::Lint
                            : options.files.front() == "diff"  ? Action::Diff
                            : options.files.front() == "merge" ? Action::Merge
                            : options.files.front() == "init"  ? Action::Init
                            : options.files.front() == "lsp"   ? Action::Lsp
                                                               : Action::Lint;
  options.action = subcommand;
  if (subcommand != Action::Lint)
    options.files.erase(options.files.begin());
  const std::pair<const char *, Action> actions[] = {{"help", Action::Help},
                                                     {"version", Action::Version},
                                                     {"list-checks", Action::ListChecks},
                                                     {"doctor", Action::Doctor},
                                                     {"build-prefix", Action::BuildPrefix},
                                                     {"explain", Action::Explain},
                                                     {"dump-config", Action::DumpConfig},
                                                     {"verify-config", Action::VerifyConfig},
                                                     {"generate", Action::Generate}};
  for (const auto &[name, action] : actions)
    if (given.count(name)) {
      options.action = action;
      break;
    }
  return subcommand;
}

/// Options that have a value of their own, each checked by itself.
std::string read_values(const po::variables_map &given, DriverOptions &options) {
  // Documentation is the one thing that has a format of its own.
  if (options.action == Action::Explain) {
    if (const std::string error =
            choose<bool>(given, "format", {{"text", false}, {"markdown", true}}, options.explain_markdown);
        !error.empty())
      return error;
  } else if (const std::string error = choose<Format>(given, "format", formats(), options.format); !error.empty()) {
    return error;
  }
  for (const std::string &error :
       {choose<ColorWish>(given, "color",
                          {{"auto", ColorWish::Auto}, {"always", ColorWish::Always}, {"never", ColorWish::Never}},
                          options.color),
        number(given, "jobs", 0, options.jobs), number(given, "max-steps", 1, options.max_steps),
        number(given, "max-instantiations", 1, options.max_instantiations),
        number(given, "max-device-code", 1, options.max_device_code),
        number(given, "max-memory", 0, options.max_memory), read_timeout(given, options),
        read_architecture(given, options), read_gpu_option(given, options), read_wishes(given, options),
        read_rules(given, options), read_exclude(given, options), read_gate(given, options)})
    if (!error.empty())
      return error;
  return {};
}

/// Variants that are compared, and what is generated.
std::string read_what_if(const po::variables_map &given, DriverOptions &options) {
  options.what_if = texts_of(given, "what-if");
  if (!options.what_if.empty()) {
    if (options.action != Action::Lint)
      return "--what-if is for runs that analyse files";
    if (options.format != Format::Text && options.format != Format::Json)
      return "--what-if has the formats text and json";
    for (const char *other : {"fix", "diff", "suggest-fixes", "export-fixes", "shard", "baseline", "update-baseline",
                              "prune-baseline", "as-compiled", "changed-since"})
      if (given.count(other) || (options.machine_code && other == std::string_view("as-compiled")))
        return "--what-if compares variants and nothing else: it excludes --" + std::string(other);
    options.action = Action::WhatIf;
  }
  options.generate = string_of(given, "generate");
  if (options.action == Action::Generate && options.generate != "man" && options.generate != "bash" &&
      options.generate != "zsh" && options.generate != "fish")
    return "--generate=" + options.generate + ": known are man, bash, zsh, fish";
  return {};
}

/// Which files are left out because they have not changed.
std::string read_changed_since(const po::variables_map &given, Action subcommand, DriverOptions &options) {
  options.changed_since = string_of(given, "changed-since");
  if (given.count("changed-since")) {
    if (options.changed_since.empty())
      return "--changed-since needs a git revision";
    if (subcommand != Action::Lint && subcommand != Action::Init)
      return "--changed-since is for runs that analyse files";
    if (options.baseline_action != BaselineAction::Compare)
      return "a baseline is about all files: --changed-since excludes --update-baseline and --prune-baseline";
  }
  return {};
}

/// Options that cannot be wrong.
void read_plain(const po::variables_map &given, DriverOptions &options) {
  options.stdin_filename = string_of(given, "stdin-filename");
  options.for_editor = given.count("for-editor") != 0;
  options.races = given.count("without-races") == 0;
  if (!options.races) // comments about them are about nothing then, either
    for (const std::string_view rule : {rule::race, rule::uninitialized, rule::redundant_barrier, rule::global_race})
      options.checks.push_back("-" + std::string(rule));
  if (options.for_editor)
    options.format = Format::Editor;
  options.kernels = texts_of(given, "kernel");
  options.recorded_launches = string_of(given, "launches");
  options.output = string_of(given, "output");
  if (given.count("cuda-path"))
    options.cuda_path = texts_of(given, "cuda-path").back(); // the last one wins, as with compilers
  options.quiet = given.count("quiet") != 0;
  options.statistics = given.count("statistics") != 0;
  options.table = given.count("table") != 0;
  options.verbose = given.count("verbose") != 0;
  options.flags_after = texts_of(given, "extra-arg");
  options.flags_before = texts_of(given, "extra-arg-before");
  if (given.count("-p"))
    options.build_path = given["-p"].as<std::string>();
  if (given.count("as-compiled"))
    options.machine_code = machine_code_of(string_of(given, "as-compiled"));
  if (given.count("triton"))
    options.triton = string_of(given, "triton");
  options.trust = given.count("trust") != 0;
  options.fix = given.count("fix") != 0;
  options.force = given.count("force") != 0;
  options.export_fixes = string_of(given, "export-fixes");
  options.show_fixes = given.count("diff") != 0;
  options.suggest_fixes =
      given.count("suggest-fixes") || options.fix || options.show_fixes || !options.export_fixes.empty();
}

/// The revision that diff compares with, and what diff excludes.
std::string read_diff(DriverOptions &options) {
  if (options.action == Action::Diff) {
    if (options.files.empty())
      return "diff: no revision is named; `smem-lint diff main` compares the working tree with it";
    options.revision = options.files.front();
    options.files.erase(options.files.begin());
    if (options.format != Format::Text && options.format != Format::Markdown && options.format != Format::Json &&
        options.format != Format::Sarif)
      return "diff: --format=text, markdown, json or sarif";
    if (options.statistics)
      return "diff counts what has changed: --statistics has no meaning there";
    if (!options.baseline.empty() || options.shard || !options.line_filter.empty())
      return "diff compares with a revision: --baseline, --shard and --line-filter have no meaning there";
  }
  return {};
}

/// What watching excludes.
std::string read_watch(const po::variables_map &given, DriverOptions &options) {
  if (given.count("watch")) {
    if (options.action != Action::Lint)
      return "--watch is for runs that analyse files";
    if (options.fix || options.show_fixes || options.shard || options.for_editor || options.line_filter == "-" ||
        options.baseline_action != BaselineAction::Compare || !options.changed_since.empty() ||
        std::find(options.files.begin(), options.files.end(), "-") != options.files.end())
      return "--watch analyses files as they are saved: it excludes --fix, --diff, --shard, --changed-since, standard input and what writes a baseline";
    options.action = Action::Watch;
  }
  return {};
}

/// Whether nvcc or Clang has this option of one dash, which none of smem-lint's is.
bool is_compiler_flag(const std::string &word) {
  if (word.size() < 2 || word.starts_with("--"))
    return false;
  if (match_nvcc_option(word, true).option)
    return true;
  const auto unused = allowed_options({{word, 0}}).unused;
  return unused.empty() || unused.front().reason != UnusedOption::Reason::Unknown;
}

/// What is wrong with the options; empty: nothing. Later steps see what earlier ones have read.
std::string interpret(const po::variables_map &given, DriverOptions &options) {
  const Action subcommand = read_action(given, options);
  std::string error = read_values(given, options);
  const auto then = [&](auto &&step) {
    if (error.empty())
      error = step();
  };
  then([&] { return read_what_if(given, options); });
  then([&] { return read_changed_since(given, subcommand, options); });
  if (error.empty())
    read_plain(given, options);
  then([&] { return conflict_of_fixes(given, options); });
  then([&] { return conflict_of_machine_code(options); });
  then([&] { return conflict_of_output(given, options); });
  then([&] { return read_diff(options); });
  then([&] { return read_watch(given, options); });
  then([&] { return conflict_of_lsp(given, options); });
  then([&] { return conflict_of_inputs(subcommand, options); });
  return error;
}

} // namespace

ParsedOptions parse_options(int argc, const char *const *argv) {
  ParsedOptions parsed;
  Texts own;
  int i = 1;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
    if (std::strcmp(argv[i], "--as-compiled") == 0) { // Boost would take the file behind it for its value
      const std::string_view next = i + 1 < argc ? argv[i + 1] : "";
      const bool is_value = (next == "auto" || next == "off") && !llvm::sys::fs::exists(next);
      parsed.options.machine_code = machine_code_of(is_value ? argv[++i] : "");
    } else if (std::strcmp(argv[i], "--triton") == 0) { // the same, unless it is the folder
      const bool named = i + 1 < argc && argv[i + 1][0] != '-' && llvm::sys::fs::is_directory(argv[i + 1]);
      parsed.options.triton = named ? argv[++i] : "";
    } else
      own.emplace_back(argv[i]);
  if (i < argc)
    parsed.options.fixed_flags.emplace(argv + i + 1, argv + argc);

  const OptionDescriptions descriptions;
  try {
    po::positional_options_description positional;
    positional.add("file", -1);
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::variables_map given;
    po::store(po::command_line_parser(own).options(descriptions.all).positional(positional).style(style).run(), given);
    po::notify(given);
    parsed.error = interpret(given, parsed.options);
  } catch (const po::unknown_option &error) {
    const std::string name = error.get_option_name().substr(0, error.get_option_name().find('='));
    parsed.error = "unknown option '" + name + "'" + did_you_mean(name, descriptions.names());
    for (const std::string &word : own)
      if (word.starts_with(name) && is_compiler_flag(word))
        parsed.error = "'" + word + "' is a compiler flag: they come last, after `--`";
  } catch (const po::error &error) {
    parsed.error = error.what();
  }
  return parsed;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (auto &[name, format] : formats())
    names.push_back(std::move(name));
  return names;
}

} // namespace smem
