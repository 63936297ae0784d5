// The actions that analyse: from options to an exit code.
#pragma once

#include "driver/options.h"

#include <map>
#include <set>
#include <string>

namespace smem {

/// What each file that was analysed was made of; normalised paths.
using LintedFiles = std::map<std::string, std::set<std::string>>;

/// Analyses the files and reports; of a shard, analyses its share and writes a part. `linted`: becomes what was analysed, where something was.
int lint(const DriverOptions &options, LintedFiles *linted = nullptr);

/// Reports on the parts that shards wrote, as if they had been one run.
int merge_parts(const DriverOptions &options);

/// Compares the predictions for the working tree with those for a git revision.
int diff(const DriverOptions &options);

} // namespace smem
