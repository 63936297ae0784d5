#include "driver/settings.h"

#include "support/paths.h"

#include <algorithm>

namespace smem {

FileSettings settings_for(const DriverOptions &options, const Config &config) {
  FileSettings settings;
  settings.config = config;
  // Every list was tried when it was read: nothing can be wrong with it here.
  for (const PlacedText &globs : config.checks)
    (void)settings.findings.checks.add(globs.text, globs.only);
  for (const std::string &globs : options.checks)
    (void)settings.findings.checks.add(globs);
  for (const PlacedText &globs : config.warnings_as_errors)
    (void)settings.findings.warnings_as_errors.add(globs.text, globs.only);
  for (const std::string &globs : options.warnings_as_errors)
    (void)settings.findings.warnings_as_errors.add(globs);
  for (const SeveritySetting &setting : config.severities)
    (void)settings.findings.severities.add(setting.rule, setting.severity, setting.only);
  Thresholds &thresholds = settings.findings.thresholds;
  thresholds.note_below_share = config.note_below_share.value_or(thresholds.note_below_share);
  thresholds.error_above_share = config.error_above_share.value_or(thresholds.error_above_share);
  thresholds.least_sector_ratio = config.least_sector_ratio.value_or(thresholds.least_sector_ratio);
  settings.header_filter = options.header_filter ? options.header_filter : config.header_filter;
  settings.fail_on = options.fail_on ? *options.fail_on : config.fail_on.value_or(FailOn::Warning);
  settings.findings.gpu = options.gpu ? &*options.gpu : nullptr;
  settings.min_gain = options.min_gain ? *options.min_gain : config.min_gain.value_or(0);
  return settings;
}

Configurations make_configurations(const DriverOptions &options, std::vector<Diagnostic> &diagnostics) {
  if (options.config.empty() && options.config_file.empty())
    return Configurations(options.trust);
  ParsedConfig parsed = options.config_file.empty() ? parse_config(options.config, "--config", normalise_path("."))
                                                    : read_config_file(options.config_file);
  diagnostics.insert(diagnostics.end(), parsed.diagnostics.begin(), parsed.diagnostics.end());
  return Configurations(std::move(parsed.config));
}

const FileSettings &Settings::of(const std::string &path) {
  const auto known = by_path.find(path);
  if (known != by_path.end())
    return known->second;
  return by_path.emplace(path, settings_for(options, configurations.for_file(path, diagnostics))).first->second;
}

bool Settings::any_fails_on(FailOn level) const {
  return std::any_of(by_path.begin(), by_path.end(), [&](const auto &entry) { return entry.second.fail_on == level; });
}

bool gates(const Finding &finding, FailOn level, double min_gain) {
  if (finding.reach == Reach::Assumed)
    return false; // another value than the assumed one may be as good as it gets
  if (finding.worth && finding.worth->most_gain && *finding.worth->most_gain < 1 + min_gain)
    return false;
  const bool tolerated = finding.baseline == BaselineState::Unchanged || finding.baseline == BaselineState::Better;
  switch (level) {
  case FailOn::Note: return !tolerated;
  case FailOn::Warning: return !tolerated && finding.severity != Diagnostic::Severity::Note;
  case FailOn::Error: return !tolerated && finding.severity == Diagnostic::Severity::Error;
  case FailOn::Regression:
    // Whatever has got worse, however cheap it is; of what is new and no matter of cost, what is more than a note.
    if (finding.baseline == BaselineState::None)
      return finding.severity == Diagnostic::Severity::Error; // broken expectations and the like
    return !tolerated && (finding.severity != Diagnostic::Severity::Note || finding.rule->id == rule::bank_conflict ||
                          finding.rule->id == rule::uncoalesced || finding.rule->id == rule::atomic_serialization);
  case FailOn::Never: return false;
  }
  return true;
}

} // namespace smem
