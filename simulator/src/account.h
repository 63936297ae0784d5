// From events to the counters of the whole launch.
#pragma once

#include "machine.h"
#include "pricing.h"
#include "floor/footprint.h"

namespace smem {

/// Sums over sites what the events of finished regions cost.
class Account {
public:
  Account(Machine &machine, SimulationResult &result);

  /// Counts what one execution found, for all blocks of `region`.
  void add(Scopes &scopes, const Box &region);
  /// Counting of everything not yet counted has been given up.
  void give_up(const std::string &why);
  void finish();
  /// Nothing more can become known: of no site are there counts, nor what they are where they depend on data.
  bool knows_nothing() const;
  /// Every site that is not known here is not known there, or would not be in the end.
  bool knows_no_less_than(const Account &other) const;

private:
  /// `own_moves`: as Footprints::add() has them.
  void add_event(const Event &event, const Box &region, std::optional<std::size_t> own_moves);
  void add_loop(const Event &event, const Access &access);
  void show_loop(const Event &event, const Access &access, const Box &region);
  void add_data(const Event &event, SiteResult &site, const Box &region);
  /// So many executions, in all blocks of the region together, each of which costs no less.
  void add_to_block(const Event &event, const Access &access, std::uint64_t times, const RequestCost &least,
                    const Box &region, std::uint32_t cycles_of_lines = 0);
  void check_bounds(const Event &event, const MemoryOperation &operation);
  /// The GPU stops there.
  void misaligned(SiteId site, std::uint64_t width);
  void problem_once(Problem problem);
  void unknown(SiteId site, std::uint32_t reason);
  void check_tickets();

  Machine &machine_;
  SimulationResult &result_;
  Prices prices_;
  std::vector<std::uint32_t> reasons_;                      ///< by site; 0: known
  std::vector<std::optional<std::uint32_t>> assumption_of_; ///< by site: one of the machine's assumptions
  std::vector<SiteId> loop_load_; ///< by site: of an atomic that is a loop; kNone: of another access
  bool one_warp_;                 ///< of each block
  UnitWork in_region_;            ///< of the warps at hand, in any block of the region that is being added
  UnitWork least_of_warps_;       ///< of these warps, in any block of the regions so far
  std::uint64_t covered_ = 0;     ///< blocks of these regions
  Footprints footprints_;
  std::vector<bool> shared_seen_, global_seen_, elsewhere_seen_;
};

} // namespace smem
