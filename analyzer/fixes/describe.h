// What a suggestion says of the layouts that it proposes.
#pragma once

#include "fixes/fixes.h"
#include "fixes/plans.h"

#include <vector>

namespace smem {

/// Fills in arrays, layout, action, bytes_after and blocks of a suggestion that has the name and bytes_before of `worst`, the one of `arrays` with the largest
/// excess.
void describe(FixSuggestion &suggestion, const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays,
              const LaunchedArray &worst, const LayoutPlan &plan);

} // namespace smem
