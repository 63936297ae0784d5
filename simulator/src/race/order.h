// Which accesses of a block's warps barriers order, where barriers are of some of its warps: happens-before by vector clocks.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

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

/// Clocks of a block's warps. A warp's own time goes on at each of its barriers; it knows of another's time what barriers have told it.
class Order {
public:
  explicit Order(std::uint32_t warps);

  struct Fault {
    std::string why;    ///< the barriers do not order all executions alike; empty: they may
    bool wrong = false; ///< an error of the program, not an order that is not given
  };
  Fault arrive(std::uint32_t warp, const BarrierCall &call);
  /// The warp has ended: barriers of the whole block no longer wait for it.
  void end(std::uint32_t warp);
  bool waits(std::uint32_t warp) const { return waiting_[warp].has_value(); }
  /// The barrier that a warp waits at.
  const BarrierCall &waits_at(std::uint32_t warp) const { return *waiting_[warp]; }
  std::uint32_t time(std::uint32_t warp) const { return clock_[warp][warp]; }
  /// What `other` did at `time` is ordered before what `warp` does now.
  bool knows(std::uint32_t warp, std::uint32_t other, std::uint32_t time) const { return clock_[warp][other] >= time; }

private:
  using Clock = std::vector<std::uint32_t>;
  struct Barrier {
    bool whole = false;
    std::uint32_t expected = 0, arrived = 0; ///< threads
    Clock told;                              ///< by those that have come
    std::vector<std::uint32_t> waiting;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> released; ///< by the last generation: warps, and their times
    bool used = false;
  };
  void complete(Barrier &barrier);

  std::uint32_t left_;
  std::vector<Clock> clock_;
  std::vector<std::optional<BarrierCall>> waiting_;
  std::array<Barrier, kBarriers> barriers_;
};

/// The accesses of a block so far, by granule: whether one of another warp conflicts that is not ordered before it.
class OrderedAccesses {
public:
  explicit OrderedAccesses(std::uint64_t granule) : granule_(granule) {}

  struct Found {
    const WarpAccess *first = nullptr, *second = nullptr;
    unsigned first_lane = 0, second_lane = 0;
    std::uint64_t byte = 0;
    bool certain = false, alike = false;
  };
  /// `accesses`: what one warp has done since it last waited, in its order. Returns how many granules were compared.
  std::uint64_t add(const std::vector<WarpAccess> &accesses, const Order &order,
                    const std::function<bool(std::uint32_t warp)> &ended,
                    const std::function<void(const Found &)> &found);

private:
  /// The latest access of one warp, of one kind and certainty.
  struct Touch {
    std::uint32_t access = 0; ///< of kept_
    std::uint8_t lane = 0;
    bool mixed = false; ///< it has written something else before
  };
  using Cell = std::array<std::vector<Touch>, 6>;

  std::uint64_t granule_;
  std::vector<WarpAccess> kept_;
  std::unordered_map<std::uint64_t, Cell> cells_;
};

} // namespace smem::race
