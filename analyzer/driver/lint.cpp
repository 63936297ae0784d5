#include "driver/lint.h"

#include "driver/conclude.h"
#include "driver/display_paths.h"
#include "driver/run.h"
#include "driver/settings.h"
#include "plan/recorded_launches.h"
#include "source/write_file.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>

namespace smem {
namespace {

/// A shard says what went wrong; everything else is for the merge.
int write_part(const DriverOptions &options, std::vector<FileAnalysis> files) {
  DriverOptions errors_only = options;
  errors_only.quiet = true;
  const bool failed = print_file_diagnostics(files, errors_only);
  const RunPart part{options.shard->index, options.shard->count, options.wishes, std::move(files)};
  if (const std::string error = write_file(options.output, write_archive(part)); !error.empty()) {
    complain(error);
    return kFailure;
  }
  return failed ? kFailure : kClean;
}

std::string read_standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

std::string cache_directory(const DriverOptions &options, const Config &config) {
  const char *from_environment = std::getenv("SMEM_LINT_CACHE_DIR");
  return options.no_cache            ? std::string()
         : !options.cache_dir.empty() ? options.cache_dir
         : config.cache_dir           ? *config.cache_dir
                                      : std::string(from_environment ? from_environment : "");
}

} // namespace

int lint(const DriverOptions &options) {
  Settings settings(options);
  settings.of(".");
  for (const std::string &file : options.files)
    settings.of(file);
  if (print_diagnostics(settings.take_diagnostics(), options) || lacks_baseline(options, settings))
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
  std::optional<ResultCache> cache;
  if (const std::string directory = cache_directory(options, settings.of(".").config); !directory.empty())
    inputs.cache = &cache.emplace(directory);
  std::vector<FileAnalysis> files = analyze_all(options, inputs);
  for (const std::string &complaint : cache ? cache->complaints() : std::vector<std::string>())
    std::fprintf(stderr, "smem-lint: warning: %s\n", complaint.c_str());
  std::vector<std::string> typed = options.files;
  typed.push_back(stdin_name(options));
  const DisplayPaths paths(typed);
  for (FileAnalysis &file : files)
    paths.apply(file);

  if (options.shard)
    return write_part(options, std::move(files));
  bool failed = print_file_diagnostics(files, options) | complain_of_unmatched(options.wishes, files);
  if (const std::string message = recorded ? unmatched_recording(*recorded, files) : std::string(); !message.empty()) {
    complain(message);
    failed = true;
  }
  return conclude(options, files, sources, settings, line_filter_text, failed);
}

} // namespace smem
