// What has become of kernels and accesses between two versions of a source tree, as text, for a pull request, or for programs.
#pragma once

#include "report/finding.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smem {

enum class Change : std::uint8_t { New, Gone, Worse, Better, Mixed, Unknown, Unchanged };
std::string_view to_string(Change change); // "new", …; Unknown: "not known any more"

/// The metrics of its findings mean something.
bool is_about_a_cost(const Rule &rule);

struct KernelChange {
  std::string path, kernel; ///< path relative to the repository
  Change change = Change::Unchanged;
  std::optional<Counts> before, after;            ///< sums over the launches; nothing on a side that has no such kernel
  bool before_bound = false, after_bound = false; ///< some access is unknown: lower bounds
  std::optional<std::uint64_t> floor_before, floor_after; ///< ns; both or neither: of a launch that both sides have
};

struct SiteChange {
  std::string path, kernel, expression;
  const Rule *rule = nullptr;
  unsigned line = 0; ///< in the working tree; 0 where it is gone
  Change change = Change::Unchanged;
  std::optional<Metrics> before, after;
  bool gates = false;                 ///< fails the comparison
  std::optional<std::size_t> finding; ///< which of the findings of the work tree it is; nothing where it is gone
};

struct DiffReport {
  std::string revision;
  std::vector<KernelChange> kernels; ///< those that changed, by path and name
  std::vector<SiteChange> sites;     ///< the same, what got worse first
  std::size_t unchanged_kernels = 0;
  std::size_t files = 0;

  bool regressed() const;
  std::size_t count(Change change) const; ///< of the sites
};

std::string diff_text(const DiffReport &report, bool color);
std::string diff_markdown(const DiffReport &report);
/// `now`: the findings of the work tree.
std::string diff_json(const DiffReport &report, std::span<const Finding> now, const std::string &tool_version);

} // namespace smem
