#include "config/config.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <llvm/ADT/StringRef.h>

namespace smem {
namespace {

constexpr std::pair<FailOn, std::string_view> kFailOnWords[] = {{FailOn::Note, "note"},
                                                                {FailOn::Warning, "warning"},
                                                                {FailOn::Error, "error"},
                                                                {FailOn::Regression, "regression"},
                                                                {FailOn::Never, "never"}};

template <class T> void append(std::vector<T> &to, const std::vector<T> &from) {
  to.insert(to.end(), from.begin(), from.end());
}

template <class T> void replace(std::optional<T> &old, const std::optional<T> &with) {
  if (with)
    old = with;
}

} // namespace

std::string_view to_string(FailOn level) {
  for (const auto &[value, word] : kFailOnWords)
    if (value == level)
      return word;
  return "?";
}

std::optional<FailOn> parse_fail_on(std::string_view word) {
  for (const auto &[value, known] : kFailOnWords)
    if (known == word)
      return value;
  return std::nullopt;
}

std::optional<double> parse_percent(std::string_view word) {
  constexpr double kMost = 1e6;
  double value = 0;
  if (!word.ends_with('%') || llvm::StringRef(word.substr(0, word.size() - 1)).trim().getAsDouble(value))
    return std::nullopt;
  return value >= 0 && value <= kMost ? std::optional(value / 100) : std::nullopt; // a NaN is neither
}

Config merge(Config parent, const Config &child) {
  parent.inherit_parent = child.inherit_parent;
  parent.trusted = child.trusted;
  append(parent.checks, child.checks);
  append(parent.warnings_as_errors, child.warnings_as_errors);
  append(parent.severities, child.severities);
  append(parent.extra_args, child.extra_args);
  append(parent.extra_args_before, child.extra_args_before);
  append(parent.launches, child.launches);
  append(parent.exclude, child.exclude);
  append(parent.budgets, child.budgets);
  replace(parent.header_filter, child.header_filter);
  replace(parent.fail_on, child.fail_on);
  replace(parent.min_gain, child.min_gain);
  replace(parent.architecture, child.architecture);
  replace(parent.cuda_path, child.cuda_path);
  replace(parent.machine_code, child.machine_code);
  replace(parent.note_below_share, child.note_below_share);
  replace(parent.error_above_share, child.error_above_share);
  replace(parent.least_sector_ratio, child.least_sector_ratio);
  if (child.baseline) {
    parent.baseline = child.baseline;
    parent.baseline_within = child.baseline_within;
  }
  if (child.cache_dir) {
    parent.cache_dir = child.cache_dir;
    parent.cache_dir_within = child.cache_dir_within;
  }
  return parent;
}

} // namespace smem
