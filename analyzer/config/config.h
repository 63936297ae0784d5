// `.smem-lint.yaml`: what a project says about the analysis of its files.
#pragma once

#include "analysis/analysis.h"
#include "report/findings.h"
#include "support/path_glob.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

inline constexpr std::string_view kConfigName = ".smem-lint.yaml";

/// From which findings on a run fails.
enum class FailOn : std::uint8_t { Note, Warning, Error, Regression, Never };
std::string_view to_string(FailOn level); // "note", …
std::optional<FailOn> parse_fail_on(std::string_view word);

/// 0.05 of "5%"; nullopt: it is no percentage from 0 on.
std::optional<double> parse_percent(std::string_view word);

/// What a kernel may cost; every limit is inclusive and holds for each launch.
struct KernelBudget {
  std::string kernel;              ///< glob over names, with or without template arguments
  std::optional<std::string> file; ///< absolute; the budget is about this file's kernels, and stale if it has none
  std::optional<double> degree;    ///< of any request
  std::optional<double> wavefronts_per_request, sectors_per_request; ///< of any access
  std::optional<double> wavefronts, sectors;                         ///< sums over the launch
  std::optional<double> shared_bytes;                                ///< of a block
  SourceLocation location;                                           ///< in the configuration
};

/// One list of globs of the configuration and where it stands, for messages.
struct PlacedText {
  std::string text;
  SourceLocation location;
  OnlyPaths only; ///< of `PerPath`: the findings in these files
};

/// How severe the findings of a rule are.
struct SeveritySetting {
  std::string rule; ///< glob
  Diagnostic::Severity severity = Diagnostic::Severity::Warning;
  OnlyPaths only; ///< as above
};

/// A configuration file, or several of which the nearer ones come last. What is not said is empty.
struct Config {
  bool inherit_parent = false;
  bool trusted = false; ///< the user named it, or trusts what is found: tools of its CudaPath may be run
  std::vector<PlacedText> checks, warnings_as_errors; ///< globs, as of the command line, in the order of strength
  std::vector<SeveritySetting> severities;            ///< in the order of strength
  std::optional<std::string> header_filter;           ///< regular expression over paths
  std::optional<FailOn> fail_on;
  std::optional<std::string> architecture, cuda_path;
  std::optional<compiled::MachineCodeWish::From> machine_code; ///< any but File
  std::vector<std::string> extra_args, extra_args_before;
  std::vector<LaunchWish> launches; ///< provenance Config
  PathGlobs exclude;                ///< files and folders that are left out where they are not named
  std::optional<double> note_below_share, error_above_share, least_sector_ratio;
  std::optional<double> min_gain; ///< 0.05 of "5%"
  std::vector<KernelBudget> budgets;
  std::optional<std::string> baseline, cache_dir; ///< paths, absolute
  /// The folder below which these are written, empty: anywhere. A file that was found says no more than where in its own repository.
  std::string baseline_within, cache_dir_within;
};

struct ParsedConfig {
  Config config;
  std::vector<Diagnostic> diagnostics; ///< errors; the configuration must not be used if there are any
};

/// Reads the YAML `text`. `name` is what messages call it, `directory` what its relative paths start from. Files that it names to be
/// written must lie in the folder `confined_to`, and not in its `.git`; empty: anywhere.
ParsedConfig parse_config(std::string_view text, const std::string &name, const std::string &directory,
                          const std::string &confined_to = {});

/// `parent` with what `child` says on top: lists grow, values are replaced.
Config merge(Config parent, const Config &child);

/// YAML that parse_config() reads back as the same configuration, defaults spelled out.
std::string dump(const Config &config);

} // namespace smem
