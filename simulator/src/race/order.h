// Which accesses of a block's warps barriers order, where barriers are of some of its warps: happens-before by vector clocks.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "race/clocks.h"
#include "race/interval.h"

namespace smem::race {

inline constexpr std::uint32_t kBarriers = 16; ///< of a block, by number

/// A warp comes to a barrier.
struct BarrierCall {
  std::uint32_t number = 0;
  std::uint32_t threads = 0; ///< that it waits for; 0: all of the block
  bool waits = true;         ///< bar.sync; else bar.arrive
  const Instruction *instruction = nullptr;
};

/// What goes wrong at a barrier.
struct Fault {
  std::string why;      ///< barriers do not order all executions alike; empty: they may
  bool wrong = false;   ///< an error of the program, not an order that is not given
  bool goes_on = false; ///< this execution is one all the same
};

/// The numbered barriers of a block. Warps come to them as a whole.
class Order {
public:
  Order(std::uint32_t warps, Clocks &clocks);

  Fault arrive(std::uint32_t warp, const BarrierCall &call);
  /// The warp has ended: barriers of the whole block no longer wait for it.
  void end(std::uint32_t warp);
  /// Barriers of the whole block that are over: one may have waited for threads to end.
  std::uint32_t passed() const { return passed_; }
  bool waits(std::uint32_t warp) const { return waiting_[warp].has_value(); }
  /// The barrier that a warp waits at.
  const BarrierCall &waits_at(std::uint32_t warp) const { return *waiting_[warp]; }

private:
  struct Barrier {
    bool whole = false;
    std::uint32_t expected = 0, arrived = 0; ///< threads
    Clock told;                              ///< by those that have come
    std::vector<std::uint32_t> waiting;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> released; ///< by the last generation: warps, and their times
    bool used = false;
  };
  void complete(Barrier &barrier);

  Clocks &clocks_;
  std::uint32_t left_, passed_ = 0;
  std::vector<std::optional<BarrierCall>> waiting_;
  std::array<Barrier, kBarriers> barriers_;
};

/// A barrier in shared memory that, when it completes `phase`, has waited for the copies (cp.async) of the lanes with numbers below `copies`: for those
/// that an earlier one tracks as well.
struct HandOver {
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  std::uint32_t copies = 0;
  std::uint32_t barrier = 0, phase = 0;
};

/// The accesses of a block so far, by granule: whether one of another thread conflicts that is not ordered before it.
class OrderedAccesses {
public:
  explicit OrderedAccesses(std::uint64_t granule) : granule_(granule) {}

  struct Found {
    const WarpAccess *first = nullptr, *second = nullptr;
    unsigned first_lane = 0, second_lane = 0;
    std::uint64_t byte = 0;
    bool certain = false, alike = false;
  };
  /// `accesses`: what one warp has done with what it knows now, in its order. `ended`: lanes of a warp. Returns how many granules were compared.
  std::uint64_t add(const std::vector<WarpAccess> &accesses, const Clocks &clocks,
                    const std::vector<HandOver> &hand_overs, const std::function<LaneMask(std::uint32_t warp)> &ended,
                    const std::function<void(const Found &)> &found);
  /// Something has touched one of these bytes of shared memory.
  bool touched(std::uint64_t begin, std::uint64_t bytes) const;

private:
  /// The latest access of lanes of one warp, or one of an engine for them, of one kind and certainty.
  struct Touch {
    std::uint32_t access = 0; ///< of kept_
    LaneMask lanes = 0;
    std::uint32_t mixed = 0; ///< unless 0: what they wrote at this time of their warp's is something else
  };
  using Cell = std::array<std::vector<Touch>, 6>;
  void compare(const Cell &cell, std::uint32_t index, unsigned lane, std::uint64_t at, const Clocks &clocks,
               const std::vector<HandOver> &hand_overs, const std::function<LaneMask(std::uint32_t warp)> &ended,
               const std::function<void(const Found &)> &found) const;
  void keep(Cell &cell, std::uint32_t index, unsigned lane);

  std::uint64_t granule_;
  std::vector<WarpAccess> kept_;
  std::unordered_map<std::uint64_t, Cell> cells_;
};

} // namespace smem::race
