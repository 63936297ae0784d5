#include "price_cache.h"

#include <algorithm>
#include <mutex>

namespace smem::pattern {
namespace {

constexpr std::size_t kMostCached = 4'000'000; ///< integers of keys: 32 MB

} // namespace

std::optional<Priced> PriceCache::find(const Key &key, const Access &access) const {
  const std::shared_lock lock(mutex_);
  const auto known = known_.find(key);
  if (known == known_.end())
    return std::nullopt;
  const auto same = std::ranges::find(known->second, access, &std::pair<Access, Priced>::first);
  return same == known->second.end() ? std::nullopt : std::optional(same->second);
}

void PriceCache::add(Key key, const Access &access, const Priced &priced) {
  const std::unique_lock lock(mutex_);
  if (size_ + key.first.size() > kMostCached)
    return;
  size_ += key.first.size();
  known_[std::move(key)].emplace_back(access, priced);
}

} // namespace smem::pattern
