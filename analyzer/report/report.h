// What the output formats have in common.
#pragma once

#include "report/findings.h"
#include "report/source_lines.h"

#include <span>
#include <string>

namespace smem {

/// Everything that was analysed and found, sorted; the formats only render it.
struct Report {
  std::span<const FileAnalysis> files;
  std::span<const Finding> findings;
  std::string tool_version;
};

/// How many sites (rows) have which verdict, over all launches.
struct Tally {
  std::size_t exact = 0, assumed = 0, unknown = 0;
  std::size_t notes = 0, warnings = 0, errors = 0;
  std::size_t kernels = 0, launches = 0;
};
Tally tally(const Report &report);

struct TextOptions {
  bool color = false;
  bool tables = true;   ///< off with --quiet: findings only
  bool verbose = false; ///< lane maps, inlining, address formulas
};

std::string text_report(const Report &report, SourceLines &sources, const TextOptions &options);

/// A compiler-style message: `file:line:col: error: message`.
std::string diagnostic_text(const Diagnostic &diagnostic, bool color);

/// docs/schema/smem-lint-1.schema.json describes it.
std::string json_report(const Report &report);

} // namespace smem
