// Whether headers have kernels, by their texts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/leading_headers.h"

namespace smem {

/// Whether headers of these names, looked for in `folders`, or what they include seem to have a kernel: `__global__`, or a macro with it, outside of directives and
/// comments. Conditions are not looked at, so it is a guess, to be made before the headers are parsed. `known`: files that have none.
bool seem_to_have_kernels(const std::vector<std::string> &names, const std::vector<std::string> &folders,
                          const std::set<std::string> &known, const ReadText &read);

} // namespace smem
