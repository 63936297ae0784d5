// Edits of a text as a patch.
#pragma once

#include "report/fix.h"

#include <span>
#include <string>
#include <string_view>

namespace smem {

/// What `edits` (sorted, disjoint, all of this file) make of `text`, as a unified diff with three lines of context that `patch -p0` and `git apply -p0` take; empty if
/// nothing changes. `name` is what its heads call the file. Bytes of the text are left as they are.
std::string unified_diff(std::string_view name, std::string_view text, std::span<const Edit> edits);

} // namespace smem
