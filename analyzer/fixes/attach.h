// Suggestions as the findings carry them.
#pragma once

#include "fixes/fixes.h"
#include "report/finding.h"

#include <span>

namespace smem {

/// Fills in Finding::fixes of bank conflicts. `fixes` is parallel to the analysed files, or empty; their edits name files as the
/// findings do.
void attach_fixes(std::span<Finding> findings, std::span<const FileFixes> fixes);

} // namespace smem
