// What is known and tolerated: `.smem-lint-baseline.json`. A run is compared with it, and only what is new or worse counts.
#pragma once

#include "support/repository.h"
#include "gate/floors.h"
#include "report/findings.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace smem {

struct BaselineEntry {
  std::string rule;
  std::string path; ///< relative to the repository's root
  Occurrence occurrence;
};

/// 16 hexadecimal digits: the same for the same rule, path, kernel, expression and ordinal.
std::string fingerprint(std::string_view rule, const std::string &path, const Occurrence &occurrence);

class Baseline {
public:
  /// Reads a baseline; on failure `error` says why: not JSON, some other tool's, of a newer version.
  static std::optional<Baseline> parse(const std::string &text, std::string &error);
  /// Everything that `findings` have.
  static Baseline of(std::span<const Finding> findings, RepositoryPaths &paths);

  /// JSON, sorted, an entry a line.
  std::string text() const;

  const BaselineEntry *find(const std::string &fingerprint) const;
  const std::map<std::string, BaselineEntry> &entries() const { return all; }
  Floors floors; ///< since 1.1
  void add(BaselineEntry entry);
  void remove(const std::string &fingerprint) { all.erase(fingerprint); }

private:
  std::map<std::string, BaselineEntry> all; ///< by fingerprint
};

/// The sign of `now` against `then` for a rule: positive is worse. The quotient of what is and what would do decides, the
/// degree where these are equal.
int compare_metrics(std::string_view rule, const Metrics &now, const Metrics &then);

struct BaselineComparison {
  std::size_t added = 0, worse = 0, unchanged = 0, better = 0; ///< findings by their worst occurrence
  std::vector<BaselineEntry> gone;      ///< entries of analysed files that no finding has any more, sorted
  std::vector<BaselineEntry> not_known; ///< the same, but the access is there and its cost is unknown now
};

/// Sets Finding::baseline. Entries of files that are not among `files`, and of rules that are not `enabled`, say nothing.
BaselineComparison compare_with(const Baseline &baseline, std::span<const FileAnalysis> files,
                                std::vector<Finding> &findings, RepositoryPaths &paths,
                                const std::function<bool(std::string_view)> &enabled);

/// Fills in Finding::fingerprints.
void add_fingerprints(std::vector<Finding> &findings, RepositoryPaths &paths);

/// The baseline that `findings` and `floors` make of `old`: entries of files that were not analysed stay.
Baseline updated(const Baseline &old, std::span<const FileAnalysis> files, std::span<const Finding> findings,
                 const Floors &floors, RepositoryPaths &paths);

/// `old` without what is gone, and with what has become better at its better value. Nothing is added or raised.
Baseline pruned(const Baseline &old, const BaselineComparison &comparison, std::span<const Finding> findings,
                const Floors &floors, RepositoryPaths &paths);

} // namespace smem
