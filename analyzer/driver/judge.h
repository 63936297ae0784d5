// What the findings of a run are, once comments, configuration, filters and a baseline have had their say.
#pragma once

#include "driver/options.h"
#include "driver/settings.h"
#include "gate/baseline.h"
#include "report/report.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace smem {

struct Judgement {
  std::vector<Finding> shown;      ///< sorted
  std::vector<Finding> suppressed; ///< by NOLINT comments
  std::vector<Finding> known;      ///< in the baseline, and no worse than there
  std::optional<BaselineSummary> baseline;
  std::map<std::string, std::string> repository_paths;
  std::string source_root;             ///< that they start from, with a slash at its end; empty: several
  std::vector<Diagnostic> diagnostics; ///< an error means that the run has failed
  bool gated = false;                  ///< some finding makes the run fail
};

/// Where the baseline is.
struct BaselinePlace {
  std::string path;   ///< empty: there is none
  std::string within; ///< it is written below this folder only; empty: wherever the command line says
};
BaselinePlace baseline_place(const DriverOptions &options, const Config &config);

/// What `path` holds, or an error among `diagnostics`; a baseline that is not there is empty if it may be missing. `text`: what the file holds, nothing if it is
/// not there.
std::optional<Baseline> read_baseline(const std::string &path, bool may_be_missing,
                                      std::vector<Diagnostic> &diagnostics, std::optional<std::string> *text = nullptr);

/// `files` name their sources as they are shown; `settings_of` gives what holds for a path. `line_filter_text` is empty or the
/// text of --line-filter. Reads and, if asked to, writes the baseline. `floors`: those that launches are compared with where there is no baseline; may be null.
Judgement judge(const DriverOptions &options, std::span<const FileAnalysis> files, SourceLines &sources,
                const std::function<const FileSettings &(const std::string &)> &settings_of,
                const BaselinePlace &baseline, const std::string &line_filter_text, const Floors *floors = nullptr);

} // namespace smem
