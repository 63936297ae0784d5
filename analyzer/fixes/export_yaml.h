// Fixes in the YAML of clang-tidy's --export-fixes, which clang-apply-replacements and editors read.
#pragma once

#include "report/finding.h"
#include "report/source_lines.h"

#include <span>
#include <string>

namespace smem {

/// Every finding is a diagnostic; a fix that several findings share stands at the first. `main_file` may be empty.
std::string export_fixes(std::span<const Finding> findings, SourceLines &sources, const std::string &main_file);

} // namespace smem
