// Findings: what the rules have to say about analysed files.
#pragma once

#include "analysis.h"
#include "report/checks.h"
#include "report/rules.h"
#include "report/site_rows.h"

#include <span>
#include <string>
#include <vector>

namespace smem {

/// Every number that decides whether something is worth a reader's time.
struct Thresholds {
  double note_below_share = 0.01;   ///< a finding whose excess is less of the kernel's own traffic is only a note
  double least_sector_ratio = 2.0;  ///< sectors / ideal sectors from which a request counts as uncoalesced
};

struct FindingOptions {
  CheckFilter checks{true};
  CheckFilter warnings_as_errors{false};
  Thresholds thresholds;
};

struct Finding {
  const Rule *rule = nullptr;
  Diagnostic::Severity severity = Diagnostic::Severity::Warning;
  SourceLocation location;
  std::string message;      ///< one line, no full stop
  std::string cost;         ///< how much, how often, how sure; may be empty
  std::string cause;        ///< in lanes, banks and sectors; may be empty
  std::string hint;         ///< what to do; may be empty
  // Where it comes from: indices into the analysed files.
  std::size_t file = 0;
  std::size_t launch = 0;                 ///< kNoLaunch: about the file's program, not about a launch
  std::size_t program = 0;
  std::optional<SiteId> site;             ///< the first site of its row
  Verdict verdict = Verdict::Exact;
  Counts counts;
  std::uint64_t excess = 0;               ///< wavefronts or sectors beyond the ideal
  std::size_t launches = 1;               ///< launches (or instantiations) that have this finding; this is the worst one
};

/// All findings of the enabled checks, sorted by (path, line, column, rule). What several launches, instantiations or
/// translation units have in common is one finding.
std::vector<Finding> find_all(std::span<const FileAnalysis> files, const FindingOptions &options = {});

} // namespace smem
