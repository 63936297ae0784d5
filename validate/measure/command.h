// `smem-validate measure`: runs a program with the injection library and gathers what it wrote.
#pragma once

#include <string>
#include <vector>

namespace smem_lint::validate {

// Returns the exit code: the program's own where it failed, 2 where nothing could be measured, else 0.
int measure(const std::vector<std::string> &arguments);

} // namespace smem_lint::validate
