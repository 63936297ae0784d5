// Macros that a source cannot do without, as it says itself.
//
//     #if defined(CURVE_A)
//     ...
//     #elif defined(CURVE_B)
//     ...
//     #else
//     #error "no curve"
//     #endif
#pragma once

#include <vector>

#include "frontend/skipped_declarations.h"
#include "frontend/source_patches.h"

namespace smem {

/// Of each `#error` that ends such a chain, if one macro is enough for every condition of it: the first condition's.
std::vector<SkippedDeclarations> find_required_macros(const std::vector<SourceError> &errors);

} // namespace smem
