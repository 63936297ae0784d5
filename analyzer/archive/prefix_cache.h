// Precompiled prefixes of earlier runs.
//
// An entry is found by smem-lint itself and by all that decides a prefix but files (prefix_key()); it holds as those of ContentCache do. It is never needed: what
// cannot be read or written is made anew for each file. The oldest go where the folder would become too large.
#pragma once

#include "archive/archive.h"
#include "archive/content_cache.h"
#include "frontend/prefix.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace smem {

/// The folder of prefixes that come with this program: $SMEM_LINT_PREFIXES, or `lib/smem-lint/prefixes` beside its folder. Without a path: there is none.
InstalledFolder installed_prefixes();

class PrefixCache : public PrefixStore {
public:
  /// As of ContentCache, whose folder is to have nothing else. What is installed is used as well, but not written; nor is it read where it lies in one of
  /// `analysed`, the repositories whose code is analysed, and which may have brought it along.
  explicit PrefixCache(const std::string &directory, const std::string &within = {},
                       const std::vector<std::string> &analysed = {});
  /// That of all users, to be written.
  explicit PrefixCache(const InstalledFolder &folder) : entries_(folder, /*make=*/true), identity_(tool_identity()) {}

  /// Why there can be no cache; then nothing else may be called.
  const std::string &refusal() const { return entries_.refusal(); }

  std::shared_ptr<const Prefix> known(const std::string &key, const std::shared_ptr<const Prefix> &base) override;
  std::shared_ptr<const Prefix> keep(const std::string &key, Prefix prefix) override;

  /// What was wrong with the folder, or empty.
  std::string remark() const;

private:
  std::shared_ptr<const Prefix> read(ContentCache &entries, const std::string &key,
                                     const std::shared_ptr<const Prefix> &base) const;

  ContentCache entries_;
  std::optional<ContentCache> installed_;
  std::string identity_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Prefix>> loaded_; ///< by this process
};

} // namespace smem
