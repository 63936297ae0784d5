// What the output formats have in common.
#pragma once

#include "report/findings.h"
#include "report/source_lines.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smem {

/// How a run compares with a baseline.
struct BaselineSummary {
  std::size_t added = 0, worse = 0, unchanged = 0, better = 0; ///< findings
  std::vector<std::string> gone;      ///< what is tolerated and has gone, one text each: `kernel: rule at expression`
  std::vector<std::string> not_known; ///< the same, but the cost is unknown now
};

struct DiffReport;
struct Gpu;

/// Everything that was analysed and found, sorted; the formats only render it.
struct Report {
  std::span<const FileAnalysis> files;
  std::span<const Finding> findings; ///< those that are shown
  std::string tool_version;
  std::span<const Finding> suppressed{}; ///< by NOLINT comments; for formats that have a place for them
  std::span<const Finding> known{};      ///< unchanged or better than the baseline; as above
  std::span<const Diagnostic>
      diagnostics{}; ///< about comments, configuration and baseline; those about a file are its own
  std::optional<BaselineSummary> baseline{};
  std::string homepage{};           ///< where the documentation is; empty: nowhere
  std::string source_root{};        ///< the folder that repository_paths start from; empty: there is not one
  const DiffReport *diff = nullptr; ///< the findings are those that are new or worse than in a revision; else null
  bool fixes_looked_for = false;    ///< the findings have those that were proved
  bool statistics = false;          ///< wanted, in formats that have a place for them
  const Gpu *gpu = nullptr;         ///< whose floors are wanted; null: the usual one of each architecture
  std::map<std::string, std::string>
      repository_paths{}; ///< by the path that locations have, for formats that CI systems read

  std::string repository_path(const std::string &path) const {
    const auto found = repository_paths.find(path);
    return found == repository_paths.end() ? path : found->second;
  }
};

/// "sm_80" or "sm_80, sm_90": what the kernels were modelled for; empty if nothing was analysed.
std::string architectures_text(std::span<const FileAnalysis> files);

/// No kernel of the file was analysed, though a diagnostic says that it has some: a run with such a file has failed.
bool overlooked(const FileAnalysis &file);

/// What was analysed in part or not at all: the files' diagnostics that say so, and files without one that were not analysed.
std::vector<Diagnostic> incomplete(const Report &report);

/// What one statement both loads and stores in the same way (`x[i] += y`) is one finding to a reader: the first of the two speaks for both.
std::vector<Finding> one_per_statement(std::span<const Finding> findings);

/// How many sites (rows) have which verdict, over all launches.
struct Tally {
  std::size_t exact = 0, assumed = 0, unknown = 0;
  std::size_t by_pattern = 0; ///< of the unknown: those of which a request's cost is known, in all launches or by cases
  std::size_t notes = 0, warnings = 0, errors = 0;
  std::size_t kernels = 0, launches = 0;
};
Tally tally(const Report &report);

struct TextOptions {
  bool color = false;
  bool summary = true;  ///< off with --quiet: findings only
  bool full = false;    ///< findings with source, cause and all else, and the tables of all launches
  bool verbose = false; ///< beside `full`: lane maps, inlining, address formulas, patterns
};

std::string text_report(const Report &report, SourceLines &sources, const TextOptions &options);

/// `path:line:column: severity: message [rule]`, a line for each finding and nothing else.
std::string oneline_report(const Report &report, bool color);

/// A compiler-style message: `file:line:col: error: message`.
std::string diagnostic_text(const Diagnostic &diagnostic, bool color);

/// docs/schema/smem-lint-1.schema.json describes it.
std::string json_report(const Report &report);

/// SARIF 2.1.0, for code scanning. Columns count UTF-16 code units, so it needs the lines of the source.
std::string sarif_report(const Report &report, SourceLines &sources);

/// Workflow commands that GitHub turns into annotations: ten a step at most, the worst first; says how many are left.
std::string github_report(const Report &report);

/// A GitLab Code Quality report.
std::string gitlab_report(const Report &report);

/// One page for a browser, self-contained: kernels and launches with sums, accesses of shared and of global memory worst first, the lanes, banks
/// and sectors of their requests, the cases of their patterns, fixes, the source with its figures. Executes the first block of every launch once
/// more.
std::string html_report(const Report &report, SourceLines &sources);

/// What `smem-lint lsp` shows of files, in JSON; editor_view.h reads it. Places are lines and columns in bytes, from 1, and offsets in bytes, of the files as they
/// are shown.
std::string editor_report(const Report &report, SourceLines &sources);

/// A table for a comment on a pull request; details fold away.
std::string markdown_report(const Report &report);

} // namespace smem
