// Which rules are applied, and how severe their findings are: of `--checks` and `--warnings-as-errors` comma-separated globs, of which a leading '-' removes; of
// all settings the last match wins. A setting may hold for some paths only.
#pragma once

#include "support/diagnostic.h"
#include "support/path_glob.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// Null: wherever the finding is.
using OnlyPaths = std::shared_ptr<const PathGlobs>;

class CheckFilter {
public:
  /// Every rule is enabled if `enabled_by_default`, before the globs have their say.
  explicit CheckFilter(bool enabled_by_default = true) : enabled_by_default(enabled_by_default) {}

  /// Adds the globs of `list`. Returns an error text (naming the nearest rule) if one of them matches no rule.
  std::string add(std::string_view list, OnlyPaths only = nullptr);
  /// `path`: where the finding is, as typed; empty: no path in particular.
  bool enabled(std::string_view rule, std::string_view path = {}) const;

  /// Whether a glob enables it, not the default.
  bool asked_for(std::string_view rule) const;
  /// Whether it is on some path.
  bool enabled_anywhere(std::string_view rule) const;

private:
  struct Glob {
    std::string pattern;
    bool remove;
    OnlyPaths only;
  };
  bool enabled_by_default;
  std::vector<Glob> globs;
};

/// Severities that a project gives to rules.
class SeveritySettings {
public:
  /// Returns an error text (naming the nearest rule) if `glob` matches no rule.
  std::string add(std::string_view glob, Diagnostic::Severity severity, OnlyPaths only = nullptr);
  /// Nothing: as the rule has it. `path` as above.
  std::optional<Diagnostic::Severity> of(std::string_view rule, std::string_view path = {}) const;

private:
  struct Setting {
    std::string pattern;
    Diagnostic::Severity severity;
    OnlyPaths only;
  };
  std::vector<Setting> settings;
};

std::optional<Diagnostic::Severity> parse_severity(std::string_view word); // "note", "warning", "error"

} // namespace smem
