// What holds for one file: the command line on top of its configuration.
#pragma once

#include "config/find_config.h"
#include "driver/options.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smem {

struct FileSettings {
  FindingOptions findings;
  std::optional<std::string> header_filter; ///< regular expression
  FailOn fail_on = FailOn::Warning;
  double min_gain = 0; ///< 0.05: what can gain less than 5% at most fails no run
  Config config;
};

FileSettings settings_for(const DriverOptions &options, const Config &config);

/// --config, --config-file, or the search for .smem-lint.yaml.
Configurations make_configurations(const DriverOptions &options, std::vector<Diagnostic> &diagnostics);

/// What holds for every path, read once; errors of configurations that were read are collected.
class Settings {
public:
  explicit Settings(const DriverOptions &options)
      : options(options), configurations(make_configurations(options, diagnostics)) {}

  const FileSettings &of(const std::string &path);

  /// Whether that level holds for one of the paths that were asked for.
  bool any_fails_on(FailOn level) const;

  /// Those since the last call.
  std::vector<Diagnostic> take_diagnostics() { return std::exchange(diagnostics, {}); }

private:
  const DriverOptions &options;
  std::vector<Diagnostic> diagnostics;
  Configurations configurations;
  std::map<std::string, FileSettings> by_path;
};

/// Whether a finding makes the run fail. One of which removal gains less than `min_gain` at most does not.
bool gates(const Finding &finding, FailOn level, double min_gain = 0);
inline bool gates(const Finding &finding, const FileSettings &settings) {
  return gates(finding, settings.fail_on, settings.min_gain);
}

} // namespace smem
