// `--watch`: the analysis again whenever a file has changed that it was made of.
#pragma once

#include "driver/options.h"

namespace smem {

/// Lints, and then what changes, until a signal ends it. Returns where nothing can be watched: exit code 2.
int watch(const DriverOptions &options);

} // namespace smem
