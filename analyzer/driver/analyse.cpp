#include "driver/analyse.h"

#include "driver/conclude.h"
#include "driver/copies.h"
#include "driver/display_paths.h"
#include "driver/unmatched.h"
#include "driver/write_fixes.h"
#include "plan/recorded_launches.h"
#include "support/paths.h"
#include "support/repository.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

namespace smem {
namespace {

/// What the results of a user may have that asked for no folder: those of some thousand files.
constexpr std::uint64_t kMostResults = std::uint64_t{256} << 20;

struct CachePlace {
  std::string directory; ///< empty: there is none
  std::string within;    ///< as BaselinePlace::within
  bool asked_for = true; ///< else its own: bounded, and silently left unused where it cannot be opened
};

/// In the folder that users have for what programs can make again.
CachePlace of_user(const char *name) {
  const char *folder = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  const std::string within_folder = std::string("/smem-lint/") + name;
  if (folder && *folder == '/')
    return {folder + within_folder, {}, false};
  return {home && *home == '/' ? std::string(home) + "/.cache" + within_folder : std::string(), {}, false};
}

CachePlace cache_place(const DriverOptions &options, const Config &config) {
  if (options.no_cache || !options.unsaved.empty()) // a cache goes by what files hold
    return {};
  if (options.cache_dir.empty() && config.cache_dir)
    return {*config.cache_dir, config.cache_dir_within};
  const char *from_environment = std::getenv("SMEM_LINT_CACHE_DIR");
  const std::string said = !options.cache_dir.empty() || !from_environment ? options.cache_dir : from_environment;
  return said.empty() ? of_user("results") : said == "none" ? CachePlace() : CachePlace{said, {}};
}

/// Of the working directory and of what is named.
std::vector<std::string> analysed_repositories(const DriverOptions &options) {
  std::vector<std::string> roots;
  std::vector<std::string> folders{normalise_path(".")};
  for (const std::string &file : options.files)
    folders.push_back(std::filesystem::path(normalise_path(file)).parent_path().string());
  for (const std::string &folder : folders)
    if (std::string root = repository_root(folder); !root.empty())
      roots.push_back(std::move(root));
  return roots;
}

/// Beside the results where somebody said where to keep these.
CachePlace prefix_place(const DriverOptions &options, const CachePlace &results) {
  if (options.no_cache)
    return {};
  if (results.asked_for && !results.directory.empty())
    return {results.directory + "/prefixes", results.within};
  return of_user("prefixes");
}

} // namespace

std::optional<Analysed> analyse(const DriverOptions &options, Settings &settings,
                                const std::optional<Relocation> &relocation) {
  settings.of(".");
  for (const std::string &file : options.files)
    settings.of(file);
  if (print_diagnostics(settings.take_diagnostics(), options) || lacks_baseline(options, settings))
    return std::nullopt;

  Analysed analysed;
  std::string stdin_contents;
  if (std::find(options.files.begin(), options.files.end(), "-") != options.files.end()) {
    std::optional<std::string> text = read_standard_input();
    if (!text)
      return std::nullopt;
    stdin_contents = std::move(*text);
    analysed.sources.add(stdin_name(options), stdin_contents);
  }
  std::optional<RecordedLaunches> recorded;
  if (!options.recorded_launches.empty()) {
    std::string error, warning;
    recorded = RecordedLaunches::load(options.recorded_launches, error, warning);
    if (!recorded) {
      complain("--launches: " + error);
      return std::nullopt;
    }
    if (!warning.empty())
      warn("--launches: " + warning);
  }

  AnalysisInputs inputs;
  inputs.configuration_of = [&](const std::string &path) -> const Config & { return settings.of(path).config; };
  inputs.wants_races = [&](const std::string &path) {
    if (!options.races)
      return WantedRaces{false, false};
    const CheckFilter &checks = settings.of(path).findings.checks;
    // Redundant barriers come with the search for races; whoever turns that off wants none of its work.
    return WantedRaces{checks.enabled_anywhere(rule::race) || checks.enabled_anywhere(rule::uninitialized) ||
                           checks.asked_for(rule::redundant_barrier),
                       checks.enabled_anywhere(rule::global_race)};
  };
  const Config &here = settings.of(".").config;
  inputs.toolkit = find_toolkit(options.cuda_path.empty() ? here.cuda_path.value_or("") : options.cuda_path);
  // Headers are text; programs are another matter.
  const bool tools_of_stranger = options.cuda_path.empty() && here.cuda_path && !here.trusted;
  inputs.tools = inputs.toolkit.shipped || tools_of_stranger ? std::string() : inputs.toolkit.root;
  if (options.machine_code && options.machine_code->compiles() && tools_of_stranger && !options.quiet)
    remark("note: --as-compiled runs no program of the configuration's CudaPath; --cuda-path or --trust has them run");
  inputs.stdin_contents = stdin_contents;
  inputs.unsaved = options.unsaved;
  inputs.recorded = recorded ? &*recorded : nullptr;
  std::optional<ResultCache> cache;
  std::optional<PrefixCache> prefixes;
  const CachePlace place = cache_place(options, settings.of(".").config), of_prefixes = prefix_place(options, place);
  // A tree that is gone after the run leaves nothing worth keeping.
  if (!place.directory.empty() && !relocation) {
    if (cache.emplace(place.directory, place.within).refusal().empty())
      inputs.cache = &*cache;
    else if (place.asked_for)
      warn("the cache is not used: " + cache->refusal());
    else if (options.verbose)
      remark("note: results are not kept: " + cache->refusal());
  }
  if (!of_prefixes.directory.empty()) {
    if (prefixes.emplace(of_prefixes.directory, of_prefixes.within, analysed_repositories(options)).refusal().empty())
      inputs.prefixes = &*prefixes;
    else if (options.verbose)
      remark("note: precompiled prefixes: " + prefixes->refusal());
  }
  inputs.relocation = relocation;
  if (!options.changed_since.empty()) {
    std::string error;
    inputs.changed = files_changed_since(options.changed_since, error);
    if (!inputs.changed) {
      complain("--changed-since: " + error);
      return std::nullopt;
    }
  }
  analysed.files = analyze_all(options, inputs, options.suggest_fixes ? &analysed.fixes : nullptr);
  if (inputs.changed && analysed.files.empty() && !options.quiet)
    remark("note: no file that was named, nor what it includes, has changed since '" + options.changed_since + "'");
  if (inputs.cache && !place.asked_for)
    cache->keep_newest(kMostResults);
  if (const std::string complaint = inputs.cache ? cache->complaint() : std::string(); !complaint.empty()) {
    if (place.asked_for)
      warn(complaint);
    else if (options.verbose)
      remark("note: " + complaint);
  }
  if (options.fix && !options.show_fixes && !write_fixes(options, analysed.files, analysed.fixes))
    return std::nullopt;
  std::vector<std::string> typed = options.files;
  typed.push_back(stdin_name(options));
  const DisplayPaths paths(typed);
  for (const auto &[path, text] : inputs.unsaved)
    analysed.sources.add(paths.show(path), text);
  for (FileAnalysis &file : analysed.files) {
    std::ranges::move(unmatched_names(settings.of(file.file).config.launches, file),
                      std::back_inserter(file.diagnostics));
    paths.apply(file);
  }
  for (FileFixes &file : analysed.fixes)
    for (FixSuggestion &suggestion : file.suggestions)
      for (Edit &edit : suggestion.edits)
        edit.file = paths.show(edit.file);
  if (!options.shard)
    drop_copies(analysed.files, analysed.fixes);
  if (options.shard || inputs.changed || options.only)
    return analysed; // what one part does not have another may
  std::set<SourceLocation> configurations;
  for (const FileAnalysis &file : analysed.files) {
    const std::vector<LaunchWish> &configured = settings.of(file.file).config.launches;
    if (configured.empty() || !configurations.insert(configured.front().location).second)
      continue;
    std::vector<Diagnostic> unmatched = unmatched_globs(configured, analysed.files);
    for (Diagnostic &one : unmatched)
      one.location.file = paths.show(one.location.file);
    (void)print_diagnostics(unmatched, options);
  }
  analysed.unmatched = complain_of_unmatched(options.wishes, analysed.files);
  const std::vector<std::string> unknown = unmatched_kernels(options.kernels, analysed.files);
  const bool none_is_left = !unknown.empty() && unknown.size() == options.kernels.size();
  analysed.unmatched |= none_is_left;
  for (const std::string &message : unknown)
    if (none_is_left)
      complain(message);
    else // with --quiet too: kernels that were asked for are missing
      warn(message);
  if (const std::string message = recorded ? unmatched_recording(*recorded, analysed.files) : std::string();
      !message.empty()) {
    complain(message);
    analysed.unmatched = true;
  }
  return analysed;
}

} // namespace smem
