// `--doctor`: what this machine offers and whether the analysis works on it.
#pragma once

#include "driver/options.h"

namespace smem {

/// Prints to standard output; the exit code.
int doctor(const DriverOptions &options);

/// The version line of --version.
std::string version_text();

} // namespace smem
