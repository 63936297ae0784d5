// What warps report while races are looked for, in place of what their requests cost.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "machine.h"
#include "race/interval.h"
#include "race/mbarriers.h"
#include "race/memories.h"
#include "race/order.h"
#include "race/stored_values.h"

namespace smem::race {

/// Of one block, whose warps run one after the other from each of its barriers to the next.
class RaceWatch {
public:
  /// `global`: of global memory, and not of shared memory.
  /// `sync`, unless null: barriers may be of some of the threads, and begin_turn() begins what a warp does between two waits.
  RaceWatch(std::size_t warps, StoredValues &stored, GlobalAccesses *global, Synchronization *sync)
      : stored(stored), global(global), sync(sync), warps_(warps) {}

  /// From here on reports are of this warp.
  void begin_turn(std::uint32_t warp);
  /// `bulk`: an asynchronous one that bulk groups are made of.
  void access(WarpAccess access, bool bulk = false);
  /// A barrier of the block, reached by `mask` of the lanes that have not ended. `uncertain`: the reason if it may not be reached.
  void block_barrier(const BarrierCall &call, LaneMask mask, LaneMask alive, std::uint32_t uncertain);
  void warp_barrier(const Instruction &instruction, LaneMask mask, LaneMask alive, bool uncertain);
  void end(LaneMask lanes, bool uncertain);
  /// How the warp goes on depends on what is not known: it may have waited for another thread.
  void branch_not_known(std::uint32_t reason);
  /// Why accesses to come are not certain, for the reader.
  void note_undecided(std::uint32_t why) { undecided = undecided ? undecided : why; }
  /// Something that may be an access, or order some, is not known.
  void lose(std::uint32_t reason);

  /// Lanes of `mask` execute what names `members`, themselves among them; `uncertain`: if at all.
  void name_lanes(const Instruction &instruction, LaneMask members, LaneMask mask, LaneMask alive, bool uncertain);

  /// All threads of the grid wait for each other, these lanes among them.
  void grid_barrier(LaneMask mask, LaneMask alive);
  /// Barriers of the grid that all the block's threads have come to since begin_interval(), or that some of them have not.
  bool passes_grid_barrier(const std::vector<bool> &running);
  /// The number of what atomics draw from a counter in shared memory between two barriers.
  std::uint32_t ticket_of(std::uint64_t counter, std::int64_t step);
  /// Takes the tickets of counters back that something else may have written meanwhile.
  void check_tickets();

  /// Lanes of a warp go on together, from wherever they were.
  void go_on(LaneMask mask);

  /// A lane's asynchronous copies, or bulk ones, since its last commit are a group.
  void copy_commit(LaneMask mask, bool bulk, bool uncertain);
  /// Waits until at most `groups` of each lane's are not done; kAllCopies, kGroupsNotKnown as CopyWait has it.
  void copy_wait(LaneMask mask, std::int64_t groups, bool bulk, bool uncertain);
  /// Lanes come to a barrier in shared memory. `bytes` is what MbarrierCall says; the result is the phase that they arrive at.
  std::uint32_t mbarrier(MbarrierOperation operation, const MbarrierCaller &caller, std::uint64_t number,
                         std::uint64_t bytes, const Instruction &at);
  /// What they copy in bulk completes a phase of it. `size`: nullopt, it is not known.
  void bulk_write(WarpAccess access, std::uint64_t barrier, std::optional<std::uint64_t> size, const Instruction &at);
  /// Something is wrong with what orders threads.
  void fail(Fault fault, const Instruction &at);

  /// An asynchronous copy between its instruction and the lanes' wait for it: beside all that others do meanwhile, and what the lane itself
  /// does.
  struct Copy {
    WarpAccess access;           ///< of lanes that have not waited
    std::uint32_t group = kNone; ///< of them all; kNone: not committed
    bool bulk = false;           ///< with groups of their own
  };
  /// A lane touches what its own copy may be touching.
  struct OwnCopy {
    WarpAccess copy, access;
    unsigned lane = 0;
    std::uint64_t byte = 0;
  };

  /// Of the warp whose turn it is, its asynchronous copies: the same numbers if they are the same but for when they began.
  std::vector<std::int64_t> copies_under_way() const;

  /// What lanes named, of whom not all have come to it.
  struct Gathering {
    const Instruction *at = nullptr;
    LaneMask members = 0, arrived = 0;
    bool is_met =
        false; ///< a barrier that is taken for one of those that have arrived: if the others end, and do nothing else
  };
  /// Lanes that execute a barrier of their warp together, and those that their mask names.
  struct Meeting {
    LaneMask lanes = 0, members = 0;
  };

  struct WarpState {
    const Instruction *waits_at = nullptr;
    std::uint32_t waits_number = 0;                    ///< the barrier's
    std::vector<MbarrierWait> waits;                   ///< not passed yet
    bool waits_whole = false;                          ///< by all lanes that have not ended
    LaneMask gone = 0;                                 ///< lanes that have ended
    std::array<std::uint32_t, kWarpSize> gone_after{}; ///< so many barriers of the block
    LaneMask passed_by = 0; ///< lanes that have not come to a barrier that others of the warp have passed
    LaneMask ended = 0;     ///< in this interval
    LaneMask left = 0;      ///< likewise, lanes that have ended alone
    std::uint32_t segment = 0;
    std::uint32_t undecided = 0; ///< reason why what it does in this interval is not certain; 0: it is
    WarpOrder order;
    std::vector<Copy> copies;
    std::array<LaneMask, 2>
        commits_unknown{};        ///< of lanes that may have committed more groups than are counted; bulk ones second
    LaneMask handed_over = 0;     ///< of lanes that have had copies tracked by a barrier in shared memory
    bool at_grid_barrier = false; ///< in this interval
    LaneMask unfenced = 0;        ///< lanes that have written shared memory since their last fence.proxy.async
    LaneMask fenced = 0; ///< lanes that have executed one since what others have done was last ordered before them
    std::vector<Gathering> gatherings;
    std::vector<Meeting> meetings;                                ///< of the barrier that follows
    std::array<std::array<std::uint32_t, kWarpSize>, 2> groups{}; ///< committed by each lane; likewise
  };
  std::vector<WarpState> &warps() { return warps_; }
  const std::vector<WarpState> &warps() const { return warps_; }
  /// By warp.
  std::vector<WarpOrder> orders() const;
  const std::vector<WarpAccess> &accesses() const { return accesses_; }
  const std::vector<OwnCopy> &own_copies() const { return own_copies_; }
  void begin_interval();
  /// Lanes of a warp that have ended, which a barrier of the block since then may have waited for.
  LaneMask ends_waited_for(std::uint32_t warp) const;
  /// A fence.proxy.async of these lanes.
  void fence_proxies(LaneMask lanes, bool uncertain);
  /// Whether a bulk copy that a lane issues now certainly finds what is ordered before it: writers have executed the fence, or the lane has after it
  /// learned of them.
  bool bulk_copies_see_writes(LaneMask lanes) const;
  void drop_accesses() { accesses_.clear(), own_copies_.clear(); }

  StoredValues &stored;
  GlobalAccesses *const global;
  Synchronization *const sync;
  std::function<void()> flush;            ///< sync: takes the accesses, before what their warp knows changes
  std::set<const Instruction *> blocking; ///< tests of a phase that are repeated until it is complete
  std::vector<HandOver> hand_overs;       ///< by time
  Fault fault;                            ///< the first one; then nothing more is known of the order
  const Instruction *fault_at = nullptr;
  Fault order_open; ///< the first one that another execution may have where this one has none
  const Instruction *order_open_at = nullptr;
  bool blurred = false;                        ///< lanes may have met where it is not known which
  std::uint32_t reason = 0;                    ///< why there is no proof that nothing races; 0: nothing so far
  std::uint32_t undecided = 0;                 ///< the first reason why an access was not certain
  bool late_lanes = false;                     ///< lanes that a barrier has passed by went on
  const Instruction *late_at = nullptr;        ///< that barrier
  std::vector<const Instruction *> left_alone; ///< lanes that they name go on, or wait elsewhere
  std::vector<const Instruction *> strangers;  ///< lanes execute them that they do not name
  bool masks_open = false;                     ///< whether lanes that are named come is not known somewhere
  bool fenced = false;                         ///< other blocks may have been waited for
  bool leaves_arrays = false;                  ///< as Races has it
  std::map<SiteId, Problem> outside;           ///< accesses that certainly leave their static arrays
  bool lost = false;                           ///< intervals are not known from here on

private:
  bool late(LaneMask mask);
  /// Lanes wait for each other, and perhaps for `missing` to end.
  void meet(LaneMask lanes, LaneMask missing, LaneMask alive);
  bool meet_without(const Meeting &meeting, LaneMask alive);
  void forget_gatherings();
  static void begin(WarpState &warp);
  void add(WarpAccess access);
  /// Copies that are not done go on in what begins.
  void carry_on_copies();
  void meet_own_copies(const WarpAccess &access);
  void before_order();
  /// What the lanes have under way completes the phase, whoever waits for it.
  void hand_over_copies(LaneMask lanes, const MbarrierPhase &phase);

  std::vector<WarpState> warps_;
  std::vector<WarpAccess> accesses_;
  std::vector<OwnCopy> own_copies_;
  std::uint32_t turn_ = 0, copies_ = 0;
  struct Counter {
    std::uint64_t at = 0;
    std::int64_t step = 0;
    std::uint32_t number = 0;
  };
  std::vector<Counter> counters_; ///< of this interval
  std::uint32_t tickets_ = 0;
  std::set<std::uint32_t> void_tickets_;
};

} // namespace smem::race
