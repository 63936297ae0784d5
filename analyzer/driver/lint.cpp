#include "driver/lint.h"

#include "archive/archive.h"

#include "driver/analyse.h"
#include "driver/conclude.h"
#include "driver/find_files.h"
#include "driver/triton_cache.h"
#include "driver/unsaved.h"
#include "driver/write_fixes.h"
#include "sinks/files.h"
#include "support/paths.h"

#include <algorithm>
#include <map>

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

/// Reads standard input; false, with a complaint, if that has no texts.
bool take_unsaved(DriverOptions &options) {
  const std::optional<std::string> text = read_standard_input();
  if (!text)
    return false;
  std::string error;
  std::optional<std::map<std::string, std::string>> texts = parse_unsaved(*text, error);
  if (texts)
    options.unsaved = std::move(*texts);
  else
    complain("--for-editor: " + error);
  return texts.has_value();
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

TritonCache kernels_of_triton(const std::string &folder) {
  const std::string place = folder.empty() ? triton_cache_folder() : folder;
  if (!place.empty())
    return find_triton_kernels(place);
  TritonCache none;
  none.diagnostics.push_back(
      {Diagnostic::Severity::Error, {}, "--triton: there is no cache: neither $TRITON_CACHE_DIR nor $HOME is set"});
  return none;
}

/// The files of a cache in the order of their age.
void put_first(const std::vector<std::string> &files, Analysed &analysed) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < files.size(); ++i)
    place.emplace(files[i], i);
  if (!analysed.fixes.empty()) // parallel to the files
    return;
  std::ranges::stable_sort(analysed.files, {}, [&](const FileAnalysis &file) {
    const auto known = place.find(file.file);
    return known == place.end() ? files.size() : known->second;
  });
}

} // namespace

int lint(const DriverOptions &asked, LintedFiles *linted) {
  DriverOptions given = asked;
  // First of all: a process that stands by has read nothing by then that may change.
  if (given.for_editor && !take_unsaved(given))
    return kFailure;
  Settings settings(given);
  const TritonCache triton = given.triton ? kernels_of_triton(*given.triton) : TritonCache();
  FoundFiles found =
      given.triton && given.files.empty() && !given.build_path ? FoundFiles() : find_files(given, settings);
  bool incomplete = print_diagnostics(triton.diagnostics, given);
  incomplete |= print_diagnostics(found.diagnostics, given);
  DriverOptions options = given;
  options.files = std::move(found.files);
  options.files.insert(options.files.end(), triton.files.begin(), triton.files.end());
  options.callers = std::move(found.callers);
  const std::optional<std::string> line_filter_text =
      options.line_filter == "-" ? read_standard_input() : options.line_filter;
  if (!line_filter_text)
    return kFailure;
  std::optional<Analysed> analysed = analyse(options, settings);
  if (!analysed)
    return kFailure;
  put_first(triton.files, *analysed);
  if (linted)
    for (const FileAnalysis &file : analysed->files) {
      const std::string path = normalise_path(file.file);
      std::set<std::string> &read = (*linted)[path];
      if (!file.dependencies.read.empty()) // what does not compile is made of what it was made of
        read = file.dependencies.read;
      read.insert(path);
    }
  if (options.shard)
    return std::max(write_part(options, std::move(analysed->files), std::move(analysed->fixes)),
                    incomplete ? kFailure : kClean);
  if (options.show_fixes)
    return print_fixes(options, *analysed, settings, incomplete);
  const bool complained = print_file_diagnostics(analysed->files, options);
  const bool failed = complained || analysed->unmatched || incomplete;
  return conclude(options, analysed->files, analysed->fixes, analysed->sources, settings, *line_filter_text, failed);
}

} // namespace smem
