// Findings: what the rules have to say about analysed files.
#pragma once

#include "analysis/analysis.h"
#include "report/checks.h"
#include "report/finding.h"
#include "report/site_rows.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace smem {

struct Gpu;

/// Every number that decides whether something is worth a reader's time.
struct Thresholds {
  double note_below_share =
      0.02; ///< a finding is only a note if less of its own kernel's traffic than this is avoidable
  double error_above_share = 1.0;  ///< it is an error if more of it is; 1: none is
  double least_sector_ratio = 2.0; ///< sectors / ideal sectors from which a request counts as uncoalesced
};

struct FindingOptions {
  CheckFilter checks{true};
  CheckFilter warnings_as_errors{false};
  SeveritySettings severities;
  Thresholds thresholds;
  const Gpu *gpu = nullptr; ///< whose SMs launches are to fill; null: the usual one of each architecture
};

/// All findings of the enabled checks, sorted by (path, line, column, rule). What several launches, instantiations or
/// translation units have in common is one finding, with the figures of the worst and all of them as instances. `options_of` gives the options of files[i].
std::vector<Finding> find_all(std::span<const FileAnalysis> files,
                              const std::function<const FindingOptions &(std::size_t)> &options_of);
std::vector<Finding> find_all(std::span<const FileAnalysis> files, const FindingOptions &options = {});

/// How severe a finding is, given how its rule and its cost have it: what the settings for its rule and place say, but a note where something else than the rule
/// makes it one (a small share, a value that is assumed), and an error where its share makes it one.
void apply_severity(Finding &finding, const FindingOptions &options);

/// The order of every report.
void sort_findings(std::vector<Finding> &findings);

} // namespace smem
