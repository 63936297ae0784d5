// Over which block indices and loop iterations what is being executed holds.
//
// The simulator executes one point and lets it stand for many. Every decision taken on the way (a branch, a comparison, a
// division that has to stay in one quotient) leaves a guard: a linear inequality over the open dimensions under which the
// decision would have been the same. The region that the execution stands for is what all guards allow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data_dependence.h"
#include "smem/simulate.h"
#include "symbols.h"

namespace smem {

/// constant + sum(coefficient * dimension) >= 0; true where every dimension is 0.
struct Guard {
  Wide constant = 0;
  std::vector<std::pair<DimensionId, std::int64_t>> coefficients;
  bool wraps = false; ///< beyond it some number would not fit its register

  bool operator==(const Guard &) const = default;
};

/// The tightest guard of each set of dimensions and slopes.
class Guards {
public:
  void add(Guard guard);
  auto begin() const { return guards_.begin(); }
  auto end() const { return guards_.end(); }
  /// Leaves none behind.
  std::vector<Guard> take() {
    places_.clear();
    return std::exchange(guards_, {});
  }

private:
  std::vector<Guard> guards_;
  std::unordered_multimap<std::size_t, std::size_t>
      places_; ///< by hash of what has to be the same; once there are many
};

/// A mixed-radix digit of a block coordinate: coordinate += weight * (low + q), 0 <= q < extent.
struct Digit {
  unsigned axis = 0; ///< 0..2 for x, y, z
  std::int64_t weight = 1;
  std::int64_t low = 0;
  std::int64_t extent = 1;
};

/// A box of blocks. The execution's point is its lower corner.
struct Box {
  std::vector<Digit> digits;

  std::int64_t corner(unsigned axis) const;
  std::uint64_t count() const;
};

/// Within a nest: what its levels have come to.
inline constexpr DimensionId kFirstLevel = 0x40000000;

inline constexpr std::uint64_t kCostRepeats =
    128; ///< bytes: both 32 banks of 4 bytes and one line of 128 repeat after so many

/// Where requests to global memory lie, for what a launch touches in all: every step, whatever it means for the cost.
struct Footprint {
  struct Steps {
    std::int64_t step = 0;   ///< bytes
    std::uint64_t count = 1; ///< of places
  };
  static constexpr std::size_t kMostAlso = 1024;

  std::uint32_t base =
      0; ///< what addresses are relative to, one of the machine's; 0: nothing that is the same in the whole launch
  std::vector<std::pair<DimensionId, std::int64_t>> open; ///< steps in dimensions still open
  std::vector<Steps> closed;                              ///< of dimensions already closed
  std::vector<std::int64_t> also; ///< the request is made as well so many bytes away, in these places at least

  /// Closes a dimension, as Event::repeat() does. Where the count is not a number, the request stays where the dimension begins.
  void repeat(DimensionId dimension, const Linear &count);
  /// Another event of the same cost, `way` bytes away, is no longer kept.
  void add(const Footprint &other, std::int64_t way);
};

/// A request that stands for many: its addresses move by a step in every dimension, for all lanes alike. An asynchronous
/// copy has two sides, each with its own addresses and steps.
struct Event {
  std::uint32_t operation = 0; ///< index of the memory operation
  Space space = Space::Shared;
  bool copy = false; ///< both sides: `request` is the destination
  struct Side {
    Request request; ///< at the point
    /// Power of two: the addresses may additionally be shifted by any multiple of it that nobody knows. 0: no such shift.
    std::uint32_t unknown_shift = 0;
    std::uint32_t shift_reason = 0; ///< why nobody knows it, of the reason table
    bool unknown_period =
        false; ///< besides, by a multiple of kCostRepeats that is not known: all such places cost the same
  };
  Side side;
  std::shared_ptr<const Side> source; ///< of a copy
  bool elsewhere = false;             ///< lanes that are not in the request go to the shared memory of other blocks
  std::uint32_t warp = 0;
  std::uint64_t multiplicity = 1;
  struct Step {
    std::int64_t own = 0, source = 0;
    bool operator==(const Step &) const = default;
  };
  std::vector<std::pair<DimensionId, Step>> coefficients; ///< of dimensions still open
  struct Progression {
    Step step;
    std::uint64_t count;
    bool operator==(const Progression &) const = default;
  };
  std::vector<Progression> progressions; ///< of dimensions already closed
  /// Dimensions already closed of which some are as long as those around them say, from the innermost outwards. A count's terms are
  /// dimensions still open and levels further out, kFirstLevel + index.
  struct Level {
    Step step;
    Linear count;
    bool operator==(const Level &) const = default;
  };
  using Nest = std::vector<Level>;
  std::vector<Nest> nests; ///< independent of each other; only the last may depend on what is open
  struct SymbolicProgression {
    Step step;
    Linear count;
  };
  std::vector<SymbolicProgression> symbolic_progressions; ///< of loops whose end is a formula
  std::shared_ptr<const DataCost> data; ///< what it can cost, where that depends on data; `side` says nothing then
  bool representative = false;          ///< addresses depend on data, and these cost what any would
  Gates gates;                          ///< conditions under which it happens at all
  Footprint footprint;                  ///< of the side in global memory

  /// Closes a dimension of so many steps, a number or something linear in dimensions still open. It is nowhere negative.
  void repeat(DimensionId dimension, const Linear &count);
};

/// Whether one event with both multiplicities is as good as the two: the addresses of global memory count only modulo 128 bytes.
bool same_cost(const Event &a, const Event &b);
/// The same for events of the same cost.
std::uint64_t hash_of_cost(const Event &event);

/// The execution cannot stand for a region worth having unless `dimension` is taken `period` steps at a time.
struct PeriodWish {
  DimensionId dimension = 0;
  std::int64_t period = 1;
};

/// The stack of open scopes: the box of blocks at the bottom, one for each loop whose iterations are being summarised.
class Scopes {
public:
  /// `linear_ends`: whether loops may end where something linear in the dimensions around them says.
  explicit Scopes(const Box &box, bool linear_ends = true) : box_(box), linear_ends_(linear_ends) {
    scopes_.emplace_back();
  }

  /// Records a decision. Guards that hold everywhere are dropped.
  void add(Guard guard);
  /// dimension == 0 from here on.
  void pin(DimensionId dimension);
  /// The number of steps a dimension is known to take; nullopt for a loop, whose end is not known yet.
  std::optional<std::int64_t> extent(DimensionId dimension) const;

  void wish(PeriodWish wish) {
    if (!wish_)
      wish_ = wish;
  }
  const std::optional<PeriodWish> &wished() const { return wish_; }
  void clear_wish() { wish_.reset(); }

  bool in_loop() const { return scopes_.size() > 1; }
  std::size_t depth() const { return scopes_.size(); }
  DimensionId open_loop();
  /// Tells apart the loops that have had a dimension's number one after the other.
  std::uint64_t serial(DimensionId dimension) const {
    return is_loop(dimension) ? scopes_[dimension - kFirstLoop + 1].serial : dimension;
  }
  /// Steps after the first over which every guard of the innermost loop holds; nullopt when nothing bounds it.
  std::optional<std::int64_t> loop_limit() const;
  /// Those further steps as the dimensions around the loop move, as far as they are linear: no more than the guards allow, and as
  /// many at the point. May ask for a period of one of those dimensions.
  Linear loop_end();
  /// Whether some decision of the innermost loop changes after a known number of steps.
  bool loop_decides() const;
  /// Ends the innermost loop after `last` further steps: its guards and events pass to the enclosing scope. Where `last` moves with
  /// the dimensions around it, the execution stands for no more of them than where it is -1 or more.
  void close_loop(const Linear &last);
  /// The same where the number of steps is a formula; events before rounds[i].first happened in round i, so many times. No guard
  /// may depend on the loop: loop_limit() is nullopt.
  void close_loop(const std::vector<std::pair<std::size_t, Linear>> &rounds);
  /// Events of the innermost scope so far. What follows is kept apart from them.
  std::size_t close_round() {
    scopes_.back().latest.clear();
    return scopes_.back().events.size();
  }
  /// Forgets the innermost loop and everything down to `depth`.
  void abandon(std::size_t depth);

  void emit(Event event);
  /// Events held at present.
  std::uint64_t live() const { return live_; }
  /// The site cannot be counted, for a reason of the reason table.
  void mark(SiteId site, std::uint32_t reason) { scopes_.back().marks.emplace_back(site, reason); }
  /// The site's counts hold only under an assumption, one of the table of assumptions.
  void assume(SiteId site, std::uint32_t assumption) { scopes_.back().assumptions.emplace_back(site, assumption); }
  void report(Problem problem) { scopes_.back().problems.push_back(std::move(problem)); }

  const Box &box() const { return box_; }
  /// The part of the box, from its lower corner, for which this execution stands.
  Box region() const;
  std::vector<Event> &events() { return scopes_.front().events; }
  const std::vector<std::pair<SiteId, std::uint32_t>> &marks() const { return scopes_.front().marks; }
  const std::vector<std::pair<SiteId, std::uint32_t>> &assumptions() const { return scopes_.front().assumptions; }
  std::vector<Problem> &problems() { return scopes_.front().problems; }

private:
  struct Scope {
    Guards guards;
    std::vector<Event> events;
    std::unordered_map<std::uint64_t, std::size_t> latest; ///< by hash_of_cost: an event that others may be added to
    std::vector<std::pair<SiteId, std::uint32_t>> marks, assumptions;
    std::vector<Problem> problems;
    std::uint64_t serial = 0;
  };
  void close(const std::function<void(Event &, std::size_t)> &repeat, const Linear &last);
  DimensionId innermost() const { return kFirstLoop + static_cast<DimensionId>(scopes_.size()) - 2; }

  const Box &box_;
  bool linear_ends_ = true;
  std::uint64_t live_ = 0;
  std::uint64_t opened_ = kFirstSymbol; ///< loops so far, after all numbers of dimensions
  std::vector<Scope> scopes_;
  std::optional<PeriodWish> wish_;
};

/// What is left of `box` when the lower-corner box `part` (same digits, smaller extents) is taken out.
std::vector<Box> remainder(const Box &box, const Box &part);

/// Splits a digit so that `period` steps of it become a digit of their own.
std::vector<Box> split(const Box &box, DimensionId digit, std::int64_t period);

} // namespace smem
