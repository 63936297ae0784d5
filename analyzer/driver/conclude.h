// What follows an analysis: messages, findings, the report, the exit code.
#pragma once

#include "driver/options.h"
#include "driver/output.h"
#include "driver/settings.h"
#include "fixes/fixes.h"
#include "report/source_lines.h"

#include <span>
#include <string>
#include <vector>

namespace smem {

inline constexpr int kClean = 0, kFindings = 1, kFailure = 2;

/// Prints diagnostics (errors and what is incomplete always, others unless --quiet); whether one of them is an error.
bool print_diagnostics(std::span<const Diagnostic> diagnostics, const DriverOptions &options);

/// The diagnostics of all files; whether an analysis has failed, or no kernel of a file was analysed though it has some.
bool print_file_diagnostics(const std::vector<FileAnalysis> &files, const DriverOptions &options);

/// Whether wishes of the command line match no kernel or parameter of the files.
bool complain_of_unmatched(const std::vector<LaunchWish> &wishes, const std::vector<FileAnalysis> &files);

/// Findings, report and exit code. `fixes` is parallel to `files`, or empty. `failed`: something has gone wrong already.
int conclude(const DriverOptions &options, const std::vector<FileAnalysis> &files, std::span<const FileFixes> fixes,
             SourceLines &sources, Settings &settings, const std::string &line_filter_text, bool failed);

/// Whether --fail-on or a --…-baseline lacks the baseline that it needs, or there is one that cannot be read; says so.
bool lacks_baseline(const DriverOptions &options, Settings &settings);

/// Everything on standard input; nothing if that is more than 64 MiB or cannot
/// be read, which has been said.
std::optional<std::string> read_standard_input();

} // namespace smem
