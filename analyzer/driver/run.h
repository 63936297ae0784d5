// The analysis of all files of the command line.
#pragma once

#include "archive/cache.h"
#include "driver/changed_files.h"
#include "driver/options.h"
#include "fixes/fixes.h"

#include <functional>
#include <string>
#include <vector>

namespace smem {

/// Files that are analysed in a copy of a tree with the flags of the tree that it is a copy of.
struct Relocation {
  std::string original, copy; ///< absolute, without a slash at the end
};

/// What an analysis of files needs besides the command line.
struct AnalysisInputs {
  std::function<const Config &(const std::string &)> configuration_of; ///< what is configured for a path
  Toolkit toolkit;
  std::string tools;                          ///< AnalysisOptions::tools
  std::string stdin_contents;                 ///< the text of "-"
  const RecordedLaunches *recorded = nullptr; ///< may be null
  ResultCache *cache = nullptr;               ///< may be null
  std::optional<Relocation> relocation{};
  std::optional<ChangedFiles> changed{}; ///< of --changed-since: files that none of these concerns are not analysed
};

/// In the order of the paths; of a shard, its share of them; with AnalysisInputs::changed, those that it concerns. `fixes`, if not null, becomes what would repair each file's bank conflicts.
std::vector<FileAnalysis> analyze_all(const DriverOptions &options, const AnalysisInputs &inputs,
                                      std::vector<FileFixes> *fixes = nullptr);

/// One message for each glob of --kernel that names no kernel.
std::vector<std::string> unmatched_kernels(const std::vector<std::string> &globs,
                                           const std::vector<FileAnalysis> &files);

/// What a configuration says of the parameters of a kernel that has none of that name. Other files may have a kernel that does.
std::vector<Diagnostic> unmatched_names(const std::vector<LaunchWish> &configured, const FileAnalysis &file);
/// What options say about kernels and parameters that no file has: one message each.
std::vector<std::string> unmatched_wishes(const std::vector<LaunchWish> &wishes,
                                          const std::vector<FileAnalysis> &files);

/// The same of a recording; empty if one of its kernels was analysed.
std::string unmatched_recording(const RecordedLaunches &recorded, const std::vector<FileAnalysis> &files);

/// The name that standard input goes by.
std::string stdin_name(const DriverOptions &options);

} // namespace smem
