// The edits of a file's suggestions, as far as they hold together.
#pragma once

#include "fixes/fixes.h"

namespace smem {

/// Sets combined and after from the suggestions and the texts. What holds alone may not hold together: another array's size moves the banks. Then
/// suggestions are left out, the later ones first.
void combine(FileFixes &fixes, const FileAnalysis &analysis, const AnalysisOptions &options);

} // namespace smem
