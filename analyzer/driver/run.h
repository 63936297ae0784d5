// The analysis of all files of the command line.
#pragma once

#include "archive/cache.h"
#include "archive/prefix_cache.h"
#include "driver/changed_files.h"
#include "driver/options.h"
#include "fixes/fixes.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace smem {

/// Files that are analysed in a copy of a tree with the flags of the tree that it is a copy of.
struct Relocation {
  std::string original, copy; ///< absolute, without a slash at the end
};

/// In which memories races are looked for.
struct WantedRaces {
  bool shared = true, global = false;
};

/// What an analysis of files needs besides the command line.
struct AnalysisInputs {
  std::function<const Config &(const std::string &)> configuration_of; ///< what is configured for a path
  /// For a path.
  std::function<WantedRaces(const std::string &)> wants_races = [](const std::string &) { return WantedRaces{}; };
  Toolkit toolkit;
  std::string tools;                          ///< AnalysisOptions::tools
  std::string stdin_contents;                 ///< the text of "-"
  std::map<std::string, std::string> unsaved; ///< texts to read instead of files, by normalised path
  const RecordedLaunches *recorded = nullptr; ///< may be null
  ResultCache *cache = nullptr;               ///< may be null
  PrefixCache *prefixes = nullptr;            ///< may be null
  std::optional<Relocation> relocation{};
  std::optional<ChangedFiles> changed{}; ///< of --changed-since: files that none of these concerns are not analysed
};

/// In the order of the paths; of a shard, its share of them; with AnalysisInputs::changed, those that it concerns. `fixes`, if not null, becomes what would repair each file's bank conflicts.
std::vector<FileAnalysis> analyze_all(const DriverOptions &options, const AnalysisInputs &inputs,
                                      std::vector<FileFixes> *fixes = nullptr);

/// The name that standard input goes by.
std::string stdin_name(const DriverOptions &options);

} // namespace smem
