// Which configuration holds for a file: the nearest `.smem-lint.yaml` above it and, where that says so, its parents.
#pragma once

#include "config/config.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace smem {

class Configurations {
public:
  /// Looks for configurations. Unless the user trusts what is found, they have nothing run and nothing written outside of their repository.
  explicit Configurations(bool trust = false) : trust(trust) {}
  /// The same configuration for every file (--config, --config-file): nothing is looked for.
  explicit Configurations(Config named) : fixed(std::move(named)) { fixed->trusted = true; }

  /// For the file (or folder) at `path`. Errors of files that are read for the first time go to `diagnostics`.
  const Config &for_file(const std::string &path, std::vector<Diagnostic> &diagnostics);

private:
  const Config &for_directory(const std::string &directory, std::vector<Diagnostic> &diagnostics);

  bool trust = false;
  std::optional<Config> fixed;
  std::map<std::string, Config> known; ///< by directory
};

/// Reads one configuration file; a file that cannot be read is an error as well.
ParsedConfig read_config_file(const std::string &path, const std::string &confined_to = {}); // see parse_config()

} // namespace smem
