// The accesses of one block between two of its barriers: which of them conflict.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "smem/program.h"

namespace smem::race {

enum class Kind : std::uint8_t { Read, Write, Atomic };

/// Not both reads, and not both atomic.
constexpr bool conflict(Kind a, Kind b) { return a != b || a == Kind::Write; }

using StoredByLane = std::array<std::uint32_t, kWarpSize>; ///< numbers of StoredValues; 0: not known

/// Of branches that are not known, the edge taken: a number for each time a warp comes to one, and the block that it goes on at.
using TakenEdges = std::vector<std::pair<std::uint64_t, BlockId>>;

/// Where the offsets of global memory begin, so that none is negative that a program can have.
inline constexpr std::uint64_t kGlobalOrigin = std::uint64_t{1} << 42;

/// One warp's execution of one instruction.
struct WarpAccess {
  std::uint32_t operation = 0;
  std::uint32_t warp = 0;
  LaneMask active = 0;
  /// Which memory the addresses count from: 0 is shared memory, RaceWatch::memories has the others.
  std::uint32_t memory = 0;
  /// Offsets into the shared window, or from kGlobalOrigin; `anywhere`: [0] is where the array begins.
  std::array<std::uint64_t, kWarpSize> address{};
  std::uint64_t bytes = 4; ///< of each lane; `anywhere`: of the array
  Kind kind = Kind::Read;
  /// The active lanes do execute it, before or after whatever other threads do. Otherwise they may.
  bool certain = true;
  bool made = true; ///< they do, but may have waited for other threads before
  /// Each lane touches some bytes of the array, it is not known which. Never of global memory.
  bool anywhere = false;
  /// `anywhere`, unless 0: some that lie so many bytes apart, from `address` of the lane up to `end`; `bytes` is again of each lane.
  std::uint64_t stride = 0, end = 0;
  /// `anywhere`, unless 0: no two threads, and no two times, touch the same of those that have this ticket, begin at this offset and go by this factor.
  std::uint32_t ticket = 0;
  std::uint64_t ticket_begin = 0;
  std::int64_t ticket_factor = 0; ///< bytes for each that the number is larger
  std::uint32_t draws = 0;        ///< the ticket that an atomic draws
  bool of_block = false;          ///< atomic for threads of its block alone
  bool asynchronous = false;      ///< made at some time until its lanes wait for it
  std::uint32_t time = 0;         ///< its warp's own, where barriers are of some of the threads (order.h)
  /// Its lanes have it made by an engine, which has when this barrier in shared memory completes `phase`; kNone: they make it.
  std::uint32_t completes = kNone;
  std::uint32_t phase = 0;
  std::uint32_t copy = kNone;                 ///< of an asynchronous one, for as long as it is under way: its number
  std::uint32_t segment = 0;                  ///< barriers of lanes of its warp before it, in this interval
  std::shared_ptr<const StoredByLane> stored; ///< what a store leaves; null: not known
  std::shared_ptr<const TakenEdges> edges;    ///< that led to it; null: nothing that is not known decided
};

/// No execution makes both.
bool exclude_each_other(const WarpAccess &a, const WarpAccess &b);

/// Both leave the same bits in the same bytes, whichever is the last.
inline bool writes_alike(const WarpAccess &a, unsigned a_lane, const WarpAccess &b, unsigned b_lane) {
  return a.kind == Kind::Write && b.kind == Kind::Write && a.stored && b.stored && (*a.stored)[a_lane] &&
         (*a.stored)[a_lane] == (*b.stored)[b_lane] && a.bytes == b.bytes && a.address[a_lane] == b.address[b_lane];
}

/// Each has drawn its own number, and goes where that says.
inline bool have_tickets_apart(const WarpAccess &a, const WarpAccess &b) {
  return a.ticket && a.ticket == b.ticket && a.ticket_begin == b.ticket_begin && a.ticket_factor == b.ticket_factor;
}

/// What the barriers of a warp come to in one interval.
struct WarpOrder {
  struct Meeting {
    LaneMask lanes = 0; ///< that it orders
    LaneMask ended = 0; ///< before it: whether it orders what they did is not known
  };
  std::vector<Meeting> meetings; ///< by segment: the barrier at its end
  bool in_part = false;          ///< some are not of all lanes, or lanes have ended before
  bool partial = false;          ///< others may order what seems to be a race: which lanes come to them is not known
};

struct Conflict {
  const WarpAccess *first = nullptr, *second = nullptr;
  unsigned first_lane = 0, second_lane = 0;
  std::uint64_t byte = 0;
  bool within_warp = false;
  bool certain = false; ///< a race; otherwise it may be one
  bool alike = false;   ///< both write the same, which is none
};

/// Finds conflicts in one interval after the other. Where any two threads conflict, at least one such conflict is found; where any do so
/// with certainty between warps, a certain one is.
class IntervalChecker {
public:
  /// `granule`: 1, 2, 4, …; all accesses are whole multiples of it, aligned to it, and end at or below `shared_bytes`;
  /// arrays that are accessed anywhere are rounded outwards.
  IntervalChecker(std::uint64_t shared_bytes, std::uint64_t granule);
  /// Of global memory.
  explicit IntervalChecker(std::uint64_t granule);
  /// So much of global memory was touched in one interval that it is not held.
  bool too_much() const { return too_much_; }

  using Found = std::function<void(const Conflict &)>;
  /// `accesses`: those of a warp follow each other in its order. `orders`: by warp. Returns how many granules were compared.
  std::uint64_t check(const std::vector<WarpAccess> &accesses, const std::vector<WarpOrder> &orders,
                      const Found &found);

  /// Of the block: its bytes have been written, or may have been. Only what is said here counts.
  void write(const WarpAccess &access);
  /// A lane that reads a byte which nothing has written, and where it begins.
  std::optional<std::pair<unsigned, std::uint64_t>> reads_unwritten(const WarpAccess &access) const;

  using FoundUnwritten = std::function<void(const WarpAccess &access, unsigned lane, std::uint64_t byte)>;
  /// Reads of an interval that nothing but the thread itself writes in it, and only later (`s[t] += x`), where nothing has been written before.
  /// write() has not been told of the interval. `looked_at`: by operation.
  void find_read_before_written(const std::vector<WarpAccess> &accesses, const std::vector<bool> &looked_at,
                                const FoundUnwritten &found) const;

  /// What threads that have ended touched: no later barrier orders it. Checked by touches_ended().
  void end_lanes(const WarpAccess &access, LaneMask lanes);
  bool touches_ended(const WarpAccess &access) const;
  /// Nothing has ended yet, and nothing is written: of another block.
  void begin_block();

private:
  /// An interval has fewer accesses than the steps that a launch may take, and a cell of two dozen touches fits a line of the cache.
  struct Touch {
    std::uint32_t access : 26;
    std::uint32_t lane : 5;
    std::uint32_t mixed : 1; ///< the same agent has written something else, too
  };
  static_assert(sizeof(Touch) == 4);
  /// By kind and certainty: the first touch, and the first by another warp (or lane).
  struct alignas(64) Cell {
    std::uint64_t epoch = 0;
    std::uint8_t first = 0, second = 0; ///< which of them there are: a bit for each of `touches`
    std::array<std::array<Touch, 2>, 6> touches;
  };
  /// Calls f with the place of each granule in block_, warp_ and the other tables.
  template <typename F> void granules(const WarpAccess &access, unsigned lane, F &&f) const;
  template <typename F> void granules(const WarpAccess &access, unsigned lane, F &&f);
  void forget_places();
  /// Granules that something of `accesses` may write, not sparse: only there can two of them conflict.
  struct Written {
    std::vector<bool> granules;
    bool any = false;
  };
  void note_written(std::span<const WarpAccess> accesses, Written &written) const;
  /// Of granules that the same lanes of the same accesses touch, one stands for all: arrays that are accessed anywhere have many of them.
  struct Alike {
    std::uint64_t begin = 0, end = 0;    ///< where such arrays lie; empty: every granule stands for itself
    std::vector<std::uint32_t> first;    ///< there: the lowest ones of those that are alike, ascending
    std::vector<bool> stands_for_itself; ///< there, from `begin` on: it is one of these
    std::vector<std::uint32_t> class_of; ///< the same; only while they are being told apart
    bool skips(std::uint64_t place) const { return place >= begin && place < end && !stands_for_itself[place - begin]; }
  };
  void find_alike(const std::vector<WarpAccess> &accesses);
  template <typename F> std::uint64_t representatives(const WarpAccess &access, unsigned lane, F &&f);
  void touch(Cell &cell, std::uint64_t epoch, bool within, bool decided, const std::vector<WarpAccess> &accesses,
             Touch now, std::uint64_t at, const Found &found) const;
  std::uint64_t check_lanes(const std::vector<WarpAccess> &accesses, std::uint32_t begin, std::uint32_t end,
                            const WarpOrder &order, const Found &found);
  bool may_be_written(const WarpAccess &access, std::uint64_t place) const {
    return sparse_ || access.kind != Kind::Read || (by_block_.any && by_block_.granules[place]);
  }

  std::uint64_t granule_;
  bool sparse_ = false;
  bool too_much_ = false;
  std::unordered_map<std::uint64_t, std::uint32_t> place_; ///< sparse: of a memory's granule
  std::uint64_t epoch_ = 0;
  std::vector<Cell> block_, warp_;
  Alike alike_;
  Written by_block_, by_warp_;      ///< in one interval, and between two barriers of a warp's
  std::vector<std::uint8_t> ended_; ///< a bit for each kind
  bool any_ended_ = false;
  bool any_tickets_ = false; ///< in the interval that is checked
  std::vector<bool> written_;
  std::size_t unwritten_ = 0; ///< granules
};

} // namespace smem::race
