#include "driver/lint.h"

#include "archive/archive.h"

#include "driver/analyse.h"
#include "driver/conclude.h"
#include "driver/find_files.h"
#include "driver/write_fixes.h"
#include "sinks/files.h"

#include <algorithm>

namespace smem {
namespace {

/// A shard says what went wrong; everything else is for the merge.
int write_part(const DriverOptions &options, std::vector<FileAnalysis> files, std::vector<FileFixes> fixes) {
  DriverOptions errors_only = options;
  errors_only.quiet = true;
  const bool failed = print_file_diagnostics(files, errors_only);
  const RunPart part{options.shard->index, options.shard->count, options.wishes, std::move(files), std::move(fixes)};
  if (const std::string error = sinks::write_file(options.output, write_archive(part)); !error.empty()) {
    complain(error);
    return kFailure;
  }
  return failed ? kFailure : kClean;
}

/// Like ruff and black: 1 where there is something to write.
int print_fixes(const DriverOptions &options, const Analysed &analysed, Settings &settings, bool incomplete) {
  const bool failed = print_file_diagnostics(analysed.files, options) | analysed.unmatched | incomplete;
  const std::optional<std::vector<std::string>> changed = show_fixes(options, analysed.fixes);
  if (!changed || failed)
    return kFailure;
  const bool gated = std::any_of(changed->begin(), changed->end(),
                                 [&](const std::string &file) { return settings.of(file).fail_on != FailOn::Never; });
  return gated ? kFindings : kClean;
}

} // namespace

int lint(const DriverOptions &given) {
  Settings settings(given);
  FoundFiles found = find_files(given, settings);
  const bool incomplete = print_diagnostics(found.diagnostics, given);
  DriverOptions options = given;
  options.files = std::move(found.files);
  options.callers = std::move(found.callers);
  const std::optional<std::string> line_filter_text =
      options.line_filter == "-" ? read_standard_input() : options.line_filter;
  if (!line_filter_text)
    return kFailure;
  std::optional<Analysed> analysed = analyse(options, settings);
  if (!analysed)
    return kFailure;
  if (options.shard)
    return std::max(write_part(options, std::move(analysed->files), std::move(analysed->fixes)),
                    incomplete ? kFailure : kClean);
  if (options.show_fixes)
    return print_fixes(options, *analysed, settings, incomplete);
  const bool failed = print_file_diagnostics(analysed->files, options) | analysed->unmatched | incomplete;
  return conclude(options, analysed->files, analysed->fixes, analysed->sources, settings, *line_filter_text, failed);
}

} // namespace smem
