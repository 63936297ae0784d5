// `smem-validate doctor`: whether this machine can measure, what is missing, and how to mend it.
#pragma once

#include <string>
#include <vector>

namespace smem_lint::validate {

// Returns 0 if this machine can measure, else 2.
int doctor(const std::vector<std::string> &arguments);

// What doctor runs to try the driver and the library; see probe.h.
int probe_library(const std::vector<std::string> &arguments);

} // namespace smem_lint::validate
