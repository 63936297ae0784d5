// The actions that analyse: from options to an exit code.
#pragma once

#include "driver/options.h"

namespace smem {

/// Analyses the files and reports; of a shard, analyses its share and writes a part.
int lint(const DriverOptions &options);

/// Reports on the parts that shards wrote, as if they had been one run.
int merge_parts(const DriverOptions &options);

/// Compares the predictions for the working tree with those for a git revision.
int diff(const DriverOptions &options);

} // namespace smem
