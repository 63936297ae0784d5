// What the requests of one memory operation cost, from what is known of their addresses and lanes.
#pragma once

#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "interpret.h"
#include "smem/pattern.h"

namespace smem::pattern {

using Cases = std::vector<PatternCase>;

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

/// What a request of the operation costs.
Priced price_of(const Subject &subject, const MemoryOperation &operation, const Seen &seen, const Domain &domain,
                PriceCache &cache);

/// A condition on the quantity, of which its values or remainders are still to be filled in.
PatternCondition condition_on(const Quantity &quantity);
/// The same, filled in, of the argument's piece that is a multiple of the quantity.
PatternCondition of_piece(PatternCondition condition, const Quantity &quantity);

/// The memory that the operation's address lies in, whatever the launch, or why that is not known.
std::variant<Space, Why> space_of(const MemoryOperation &operation, const Seen &seen, const Domain &domain);

/// What no request of the access exceeds, wherever its lanes go; nullopt where no rule says.
std::optional<PatternCase> worst(const Access &access, const Architecture &architecture);

constexpr std::size_t kMostCasesOfSite = 24; ///< of more, one that covers all is told

/// One case that covers all: the largest figures of each.
PatternCase upper_bound(const Cases &cases);

} // namespace smem::pattern
