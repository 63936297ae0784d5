#include "archive/archive.h"
#include "driver/conclude.h"
#include "driver/copies.h"
#include "driver/lint.h"
#include "driver/settings.h"
#include "plan/launch_spec.h"

#include "sinks/files.h"

#include <algorithm>
#include <set>

namespace smem {
namespace {

/// A part has the results of thousands of files.
constexpr std::size_t kLargestPart = std::size_t{1} << 30;

/// What the parts are together; empty text on success.
std::string read_parts(const std::vector<std::string> &paths, RunPart &all) {
  std::set<unsigned> indices;
  std::set<std::string> files;
  std::vector<std::pair<FileAnalysis, FileFixes>> found;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::string error;
    const std::optional<std::string> bytes = sinks::read_existing(paths[i], error, kLargestPart);
    if (!bytes)
      return "cannot read '" + paths[i] + "': " + error;
    std::optional<RunPart> part = read_run_part(*bytes, error);
    if (!part)
      return "'" + paths[i] + "' " + error;
    if (i == 0)
      all.count = part->count;
    else if (part->count != all.count)
      return "'" + paths[i] + "' is of a run in " + std::to_string(part->count) + " parts, '" + paths[0] +
             "' of one in " + std::to_string(all.count);
    indices.insert(part->index);
    for (LaunchWish &wish : part->wishes)
      if (const auto same =
              [&](const LaunchWish &other) { return launch_option_text(other) == launch_option_text(wish); };
          std::none_of(all.wishes.begin(), all.wishes.end(), same))
        all.wishes.push_back(std::move(wish));
    part->fixes.resize(part->files.size());
    for (std::size_t f = 0; f < part->files.size(); ++f)
      if (files.insert(part->files[f].file).second)
        found.emplace_back(std::move(part->files[f]), std::move(part->fixes[f]));
  }
  // Runs in one part are those of a build system, each about the files that it was given.
  for (unsigned index = 1; all.count > 1 && index <= all.count; ++index)
    if (!indices.count(index))
      return "part " + std::to_string(index) + " of " + std::to_string(all.count) + " is missing";
  std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first.file < b.first.file; });
  for (auto &[file, fixes] : found) {
    all.files.push_back(std::move(file));
    all.fixes.push_back(std::move(fixes));
  }
  return {};
}

} // namespace

int merge_parts(const DriverOptions &options) {
  RunPart all;
  if (const std::string error = read_parts(options.files, all); !error.empty()) {
    complain("merge: " + error);
    return kFailure;
  }
  Settings settings(options);
  settings.of(".");
  for (const FileAnalysis &file : all.files)
    settings.of(file.file);
  if (print_diagnostics(settings.take_diagnostics(), options) || lacks_baseline(options, settings))
    return kFailure;
  const std::optional<std::string> line_filter_text =
      options.line_filter == "-" ? read_standard_input() : options.line_filter;
  if (!line_filter_text)
    return kFailure;
  SourceLines sources;
  drop_copies(all.files, all.fixes);
  bool failed = print_file_diagnostics(all.files, options);
  failed |= complain_of_unmatched(all.wishes, all.files);
  return conclude(options, all.files, all.fixes, sources, settings, *line_filter_text, failed);
}

} // namespace smem
