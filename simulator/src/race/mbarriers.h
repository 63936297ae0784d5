// Barriers in shared memory (mbarrier): which phase each thread arrives at, waits for and completes, in every execution alike.
//
// A phase is the same in all executions if all who arrive at it know that the phase before is complete: then its arrivals are just these. A wait
// goes on alike in all if the phase after that which it waits for cannot be complete before: if who completes that one knows of the wait. What
// is not so is a fault: the order is not known.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "race/clocks.h"
#include "race/order.h"

namespace smem::race {

/// Lanes of a warp at one barrier in shared memory.
struct MbarrierCaller {
  std::uint64_t address = 0;
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
};

/// Lanes of a warp wait until `phases` are complete.
struct MbarrierWait {
  std::uint32_t barrier = 0;
  LaneMask lanes = 0;
  std::uint32_t phases = 0;
  const Instruction *at = nullptr;
};

/// Of the copies that complete it.
struct MbarrierPhase {
  std::uint32_t barrier = kNone, phase = 0;
};

class Mbarriers {
public:
  explicit Mbarriers(Clocks &clocks) : clocks_(clocks) {}

  Fault init(const MbarrierCaller &caller, std::uint64_t count);
  Fault invalidate(const MbarrierCaller &caller);
  /// Each lane `arrivals` times, and it has `bytes` expected before. `phase` becomes that of the arrival.
  Fault arrive(const MbarrierCaller &caller, std::uint64_t arrivals, std::uint64_t bytes, bool drops,
               std::uint32_t &phase);
  /// Bytes that are expected in the phase, of each lane; negative: that have come.
  Fault expect(const MbarrierCaller &caller, std::int64_t bytes);
  /// Each lane has `bytes` copied that complete the phase; nullopt: it is not known how many.
  Fault copy(const MbarrierCaller &caller, std::optional<std::uint64_t> bytes, MbarrierPhase &completed);
  /// One arrival of each lane, when what it has copied is done: it orders nothing else that the lane has done.
  Fault arrive_with_copies(const MbarrierCaller &caller, MbarrierPhase &completed);
  /// The phase is not complete before what the lanes have copied is.
  Fault hold(const MbarrierCaller &caller, MbarrierPhase &completed);
  /// `phase`: of an arrival, or its parity.
  Fault wait(const MbarrierCaller &caller, std::uint64_t phase, bool parity, MbarrierWait &wait);
  bool ready(const MbarrierWait &wait) const { return barriers_[wait.barrier].phase >= wait.phases; }
  Fault pass(std::uint32_t warp, const MbarrierWait &wait);

  /// Completes a phase that lacks nothing but the end of copies, of as many bytes as are expected where it is not known how many. False: none does.
  bool end_copies(Fault &fault);
  /// What a phase that is waited for lacks.
  std::string missing(const MbarrierWait &wait) const;
  /// Nothing is certain that follows from a wait's never ending: bytes are not known, or more have come than are expected, and the phase may
  /// have been complete when as many had.
  bool open(const MbarrierWait &wait) const {
    return barriers_[wait.barrier].bytes_open || barriers_[wait.barrier].bytes < 0;
  }
  /// Where they are, and have been.
  std::vector<std::uint64_t> addresses() const;

private:
  struct Visit {
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
    std::uint32_t time = 0;
    std::uint32_t phase = 0; ///< which is not complete before
  };
  struct Barrier {
    std::uint64_t address = 0;
    bool valid = true;
    bool used = false;                    ///< since it was initialised
    std::uint64_t count = 0, pending = 0; ///< arrivals: of each phase to come, and left in this one
    std::int64_t bytes = 0;               ///< expected and not come
    bool copies = false;                  ///< complete the phase, too: they end as late as can be
    bool bytes_open = false;              ///< copies of a number that is not known complete the phase
    std::uint32_t phase = 0;              ///< complete ones
    Clock told;                           ///< in this phase
    Clock complete;                       ///< by the phase before
    std::vector<Visit> begins;            ///< its initialisations, which are alike
    std::vector<Visit> visits;
  };
  /// Who may come to it now.
  Fault find(const MbarrierCaller &caller, Barrier *&barrier);
  /// And to no other phase.
  Fault find_in_phase(const MbarrierCaller &caller, Barrier *&barrier);
  bool knows(const Clock &clock, const Visit &visit, LaneMask lanes = kFullMask) const;
  void visit(Barrier &barrier, const MbarrierCaller &caller, std::uint32_t phase);
  Fault complete(Barrier &barrier);
  Fault begin_next(Barrier &barrier);
  static Fault too_many(const Barrier &barrier);
  std::uint32_t index(const Barrier &barrier) const { return static_cast<std::uint32_t>(&barrier - barriers_.data()); }

  Clocks &clocks_;
  std::vector<Barrier> barriers_;
  std::map<std::uint64_t, std::uint32_t> at_; ///< by address: the latest one
};

/// All that orders the threads of one block.
struct Synchronization {
  explicit Synchronization(std::uint32_t warps) : clocks(warps), order(warps, clocks), mbarriers(clocks) {}
  Synchronization(const Synchronization &) = delete;
  Synchronization &operator=(const Synchronization &) = delete;

  Clocks clocks;
  Order order;
  Mbarriers mbarriers;
};

} // namespace smem::race
