#include "config/find_config.h"

#include "support/repository.h"
#include "sinks/files.h"
#include "support/paths.h"

#include <filesystem>

namespace smem {
namespace fs = std::filesystem;

/// Ten thousand lines.
constexpr std::size_t kLargestConfig = std::size_t{1} << 20;

ParsedConfig read_config_file(const std::string &path, const std::string &confined_to) {
  std::string wrong;
  const std::optional<std::string> text = sinks::read_existing(path, wrong, kLargestConfig);
  if (!text) {
    ParsedConfig failed;
    failed.diagnostics.push_back(
        {Diagnostic::Severity::Error, {path, 0, 0}, "cannot read the configuration: " + wrong});
    return failed;
  }
  return parse_config(*text, path, fs::path(normalise_path(path)).parent_path().string(), confined_to);
}

const Config &Configurations::for_file(const std::string &path, std::vector<Diagnostic> &diagnostics) {
  if (fixed)
    return *fixed;
  std::string typed = normalise_path(path.starts_with('<') || path == "-" ? "." : path);
  if (typed.size() > 1 && typed.ends_with('/')) // one folder, one reading
    typed.pop_back();
  const fs::path absolute = typed;
  std::error_code error;
  return for_directory(fs::is_directory(absolute, error) ? absolute.string() : absolute.parent_path().string(),
                       diagnostics);
}

const Config &Configurations::for_directory(const std::string &directory, std::vector<Diagnostic> &diagnostics) {
  if (const auto found = known.find(directory); found != known.end())
    return found->second;
  const fs::path here = directory;
  const bool root = !here.has_relative_path();
  const std::string file = (here / kConfigName).string();
  std::error_code error;
  Config config;
  if (fs::is_regular_file(file, error)) {
    const std::string repository = repository_root(directory);
    ParsedConfig parsed = read_config_file(file, trust ? std::string() : repository.empty() ? directory : repository);
    parsed.config.trusted = trust;
    if (!trust)
      parsed.config.baseline_within = parsed.config.cache_dir_within = repository.empty() ? directory : repository;
    diagnostics.insert(diagnostics.end(), parsed.diagnostics.begin(), parsed.diagnostics.end());
    config = parsed.config.inherit_parent && !root
                 ? merge(for_directory(here.parent_path().string(), diagnostics), parsed.config)
                 : std::move(parsed.config);
  } else {
    // Read by nothing, it must not look as if it were: a pipe is never opened, as that waits for whoever writes to it.
    if (const fs::file_type type = fs::symlink_status(file, error).type();
        type != fs::file_type::not_found && type != fs::file_type::none)
      diagnostics.push_back(
          {Diagnostic::Severity::Error,
           {file, 0, 0},
           "cannot read the configuration: " +
               std::string(fs::exists(file, error) ? "it is not a regular file" : "the link leads to no file")});
    if (!root)
      config = for_directory(here.parent_path().string(), diagnostics);
  }
  return known.emplace(directory, std::move(config)).first->second;
}

} // namespace smem
