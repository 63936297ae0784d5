// The requests that one access may make, as far as they differ in what they cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "figures.h"
#include "interpret.h"
#include "price_cache.h"
#include "side.h"

namespace smem::pattern {

inline constexpr std::size_t kMostRequests = 16384; ///< evaluated for one operation

/// What requests of the same lanes cost: by row, then by the side's shifts, and for each of these by the source's. None: it faults.
using Costs = std::vector<std::vector<std::optional<PatternCase>>>;

/// A row for each choice of the quantities by which lanes are apart. To be used in the order describe_sides(), choose_rows(), everything else.
/// What it is made of must stay. Errors are why nothing is known of the costs.
class Table {
public:
  Table(const Architecture &architecture, const Access &access, const Seen &seen, const Domain &domain);

  std::optional<Why> describe_sides();
  /// All that costs and cases depend on beside the access, once the sides are described.
  PriceCache::Key key() const;
  std::optional<Why> choose_rows();

  const Access &access() const { return access_; }
  const Activity &activity() const { return seen_.activity; }
  bool is_copy() const { return copy_; }
  const Side &side() const { return side_; }
  const Side &source() const { return source_; } ///< of a copy; else one shift, 0
  const std::vector<Spread> &spreads() const { return spreads_; }
  std::size_t rows() const { return rows_; }

  /// The side's addresses in a row, of shift 0.
  Lanes addresses(std::size_t row) const;
  /// What the request of these lanes costs as one of `access`; none if it faults, or if no rule says, which `failure` then tells.
  std::optional<PatternCase> cost(const Lanes &row, std::uint32_t shift, std::uint32_t source_shift, LaneMask mask,
                                  const Access &access, std::string &failure) const;
  /// Of all requests of these lanes.
  std::optional<Why> costs(LaneMask mask, Costs &out) const;

private:
  std::optional<Why> describe_source();
  void append_lanes(std::vector<std::int64_t> &numbers) const;
  bool place_lanes(const Lanes &row, std::uint32_t shift, LaneMask mask, Request &request) const;

  const Architecture &architecture_;
  const Access &access_;
  const Seen &seen_;
  const Domain &domain_;
  const bool copy_;
  LaneMask lanes_ = 0; ///< whose addresses count
  Side side_, source_;
  std::vector<Spread> spreads_; ///< parallel to side_.apart
  std::size_t rows_ = 1;
};

} // namespace smem::pattern
