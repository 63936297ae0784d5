// Precompiled prefixes of earlier runs.
//
// An entry is found by smem-lint itself and by all that decides a prefix but files (prefix_key()); it holds as those of ContentCache do. It is never needed: what
// cannot be read or written is made anew for each file. The oldest go where the folder would become too large.
#pragma once

#include "archive/content_cache.h"
#include "frontend/prefix.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace smem {

class PrefixCache : public PrefixStore {
public:
  /// As of ContentCache, whose folder is to have nothing else.
  explicit PrefixCache(const std::string &directory, const std::string &within = {});

  /// Why there can be no cache; then nothing else may be called.
  const std::string &refusal() const { return entries_.refusal(); }

  std::shared_ptr<const Prefix> known(const std::string &key, const std::shared_ptr<const Prefix> &base) override;
  std::shared_ptr<const Prefix> keep(const std::string &key, Prefix prefix) override;

  /// What was wrong with the folder, or empty.
  std::string remark() const;

private:
  ContentCache entries_;
  std::string identity_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Prefix>> loaded_; ///< by this process
};

} // namespace smem
