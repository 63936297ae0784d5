// `smem-validate catalogue`: builds, runs, measures and times the programs of a folder.
#pragma once

#include <string>
#include <vector>

namespace smem_lint::validate {

// Returns 0 if every program was measured, 1 if some failed, were not built or not measured, 2 if none was measured.
int catalogue(const std::vector<std::string> &arguments);

} // namespace smem_lint::validate
