// Clang's source locations as everything else has them.
#pragma once

#include "smem/source.h"

namespace clang {
class SourceLocation;
class SourceManager;
} // namespace clang

namespace smem {

/// The place a person would look at: the expansion of a macro, #line respected, path normalised.
SourceLocation to_location(clang::SourceLocation location, const clang::SourceManager &sources);

} // namespace smem
