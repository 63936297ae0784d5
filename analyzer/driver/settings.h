// What holds for one file: the command line on top of its configuration.
#pragma once

#include "config/find_config.h"
#include "driver/options.h"

namespace smem {

struct FileSettings {
  FindingOptions findings;
  std::optional<std::string> header_filter; ///< regular expression
  FailOn fail_on = FailOn::Warning;
  Config config;
};

FileSettings settings_for(const DriverOptions &options, const Config &config);

/// --config, --config-file, or the search for .smem-lint.yaml.
Configurations make_configurations(const DriverOptions &options, std::vector<Diagnostic> &diagnostics);

/// Whether a finding makes the run fail.
bool gates(const Finding &finding, FailOn level);

} // namespace smem
