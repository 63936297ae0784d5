// `--fix`: what is written, and what is analysed afterwards. `--diff`: what would be.
#pragma once

#include "driver/options.h"
#include "fixes/fixes.h"

#include <optional>
#include <string>
#include <vector>

namespace smem {

/// Writes the edits into files of the command line and of the project (the repository, or the working directory). Where that is done,
/// `files` becomes the analysis of the edited source and `fixes` what is left to suggest. False: nothing was written, for a
/// reason that was printed.
bool write_fixes(const DriverOptions &options, std::vector<FileAnalysis> &files, std::vector<FileFixes> &fixes);

/// Prints what write_fixes() would write as a unified diff, to --output if there is one. The files that would change; nothing if that cannot be
/// written, which has been said.
std::optional<std::vector<std::string>> show_fixes(const DriverOptions &options, const std::vector<FileFixes> &fixes);

} // namespace smem
