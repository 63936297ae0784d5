// Prices that were found before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "domain.h"
#include "figures.h"

namespace smem::pattern {

/// Cases that together cover all requests, or why there are none.
using Priced = std::variant<Cases, Why>;

/// Prices that were found before, of any program for one architecture: copies of an unrolled loop, instantiations of a template, and what is
/// supposed of quantities differ by multiples of the period mostly. Several threads may use it; what is found does not depend on it.
class PriceCache {
public:
  /// All that a price depends on beside the access: integers, and names that conditions mention.
  using Key = std::pair<std::vector<std::int64_t>, std::string>;

  std::optional<Priced> find(const Key &key, const Access &access) const;
  void add(Key key, const Access &access, const Priced &priced);

private:
  mutable std::shared_mutex mutex_;
  std::map<Key, std::vector<std::pair<Access, Priced>>> known_;
  std::size_t size_ = 0; ///< integers of all keys
};

} // namespace smem::pattern
