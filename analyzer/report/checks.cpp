#include "report/checks.h"

#include "support/glob.h"
#include "support/nearest.h"
#include "support/paths.h"
#include "report/rules.h"

#include <algorithm>

namespace smem {
namespace {

/// Empty if a rule matches.
std::string matches_no_rule(std::string_view glob) {
  const auto all = rules();
  if (std::any_of(all.begin(), all.end(), [&](const Rule &rule) { return glob_matches(glob, rule.id); }))
    return {};
  return "no rule matches '" + std::string(glob) + "'" + did_you_mean(glob, rule_ids());
}

bool holds(const OnlyPaths &only, const std::string &path) {
  return !only || (!path.empty() && any_covers(*only, path));
}

bool off_by_default(std::string_view id) {
  const Rule *rule = find_rule(id);
  return rule && rule->off_by_default;
}

} // namespace

std::string CheckFilter::add(std::string_view list, OnlyPaths only) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view item = list.substr(0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    while (!item.empty() && item.front() == ' ')
      item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ')
      item.remove_suffix(1);
    if (item.empty())
      continue;
    const bool remove = item.front() == '-';
    if (remove)
      item.remove_prefix(1);
    if (std::string error = matches_no_rule(item); !error.empty())
      return error;
    globs.push_back({std::string(item), remove, only});
  }
  return {};
}

bool CheckFilter::enabled(std::string_view rule, std::string_view path) const {
  const std::string absolute = normalise_path(path);
  bool enabled = enabled_by_default && !off_by_default(rule);
  for (const Glob &glob : globs)
    if (glob_matches(glob.pattern, rule) && holds(glob.only, absolute))
      enabled = !glob.remove;
  return enabled;
}

bool CheckFilter::asked_for(std::string_view rule) const {
  bool asked = false;
  for (const Glob &glob : globs)
    if (glob_matches(glob.pattern, rule))
      asked = !glob.remove;
  return asked;
}

bool CheckFilter::enabled_anywhere(std::string_view rule) const {
  bool enabled = enabled_by_default && !off_by_default(rule);
  for (const Glob &glob : globs)
    if (glob_matches(glob.pattern, rule))
      enabled = !glob.remove || (glob.only && enabled);
  return enabled;
}

std::string SeveritySettings::add(std::string_view glob, Diagnostic::Severity severity, OnlyPaths only) {
  if (std::string error = matches_no_rule(glob); !error.empty())
    return error;
  settings.push_back({std::string(glob), severity, std::move(only)});
  return {};
}

std::optional<Diagnostic::Severity> SeveritySettings::of(std::string_view rule, std::string_view path) const {
  const std::string absolute = normalise_path(path);
  std::optional<Diagnostic::Severity> severity;
  for (const Setting &setting : settings)
    if (glob_matches(setting.pattern, rule) && holds(setting.only, absolute))
      severity = setting.severity;
  return severity;
}

std::optional<Diagnostic::Severity> parse_severity(std::string_view word) {
  for (const Diagnostic::Severity severity :
       {Diagnostic::Severity::Note, Diagnostic::Severity::Warning, Diagnostic::Severity::Error})
    if (to_string(severity) == word)
      return severity;
  return std::nullopt;
}

} // namespace smem
