#include "report/checks.h"

#include "support/glob.h"
#include "support/nearest.h"
#include "report/rules.h"

#include <algorithm>

namespace smem {

std::string CheckFilter::add(std::string_view list) {
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
    const auto all = rules();
    if (std::none_of(all.begin(), all.end(), [&](const Rule &rule) { return glob_matches(item, rule.id); }))
      return "no rule matches '" + std::string(item) + "'" + did_you_mean(item, rule_ids());
    globs.push_back({std::string(item), remove});
  }
  return {};
}

bool CheckFilter::enabled(std::string_view rule) const {
  bool enabled = enabled_by_default;
  for (const Glob &glob : globs)
    if (glob_matches(glob.pattern, rule))
      enabled = !glob.remove;
  return enabled;
}

} // namespace smem
