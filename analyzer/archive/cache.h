// Results of earlier runs, used as long as everything that they depend on is the same.
//
// An entry is found by smem-lint itself, file, flags, target, headers, launches and budget, and the tools and flags that the machine code is made with;
// it holds as those of ContentCache do. One entry a file and set of options.
#pragma once

#include "analysis/analysis.h"
#include "archive/content_cache.h"

#include <optional>
#include <string>

namespace smem {

class ResultCache {
public:
  /// As of ContentCache.
  explicit ResultCache(const std::string &directory, const std::string &within = {}) : entries_(directory, within) {}

  /// Why there can be no cache; then nothing else may be called.
  const std::string &refusal() const { return entries_.refusal(); }

  /// What analyze_file() said the last time, if that still holds: bytes for read_analysis(), which takes far longer than this.
  std::optional<std::string> known(const AnalysisOptions &options);
  /// Keeps what it says now, unless that has errors.
  void keep(const AnalysisOptions &options, const FileAnalysis &analysis);

  /// If anything was kept: as ContentCache::keep_newest().
  void keep_newest(std::uint64_t most_bytes) const {
    if (entries_.has_kept())
      entries_.keep_newest(most_bytes);
  }

  /// Where an analysis keeps listings of machine code.
  compiled::ListingCache &listings() { return entries_; }

  /// Why entries could not be written, or empty.
  std::string complaint() const { return entries_.complaint(); }

private:
  ContentCache entries_;
};

} // namespace smem
