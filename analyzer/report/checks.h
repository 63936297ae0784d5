// `--checks` and `--warnings-as-errors`: comma-separated globs, a leading '-' removes, the last match wins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smem {

class CheckFilter {
public:
  /// Every rule is enabled if `enabled_by_default`, before the globs have their say.
  explicit CheckFilter(bool enabled_by_default = true) : enabled_by_default(enabled_by_default) {}

  /// Adds the globs of `list`. Returns an error text (naming the nearest rule) if one of them matches no rule.
  std::string add(std::string_view list);
  bool enabled(std::string_view rule) const;

private:
  struct Glob {
    std::string pattern;
    bool remove;
  };
  bool enabled_by_default;
  std::vector<Glob> globs;
};

} // namespace smem
