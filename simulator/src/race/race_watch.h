// What warps report while races are looked for, in place of what their requests cost.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine.h"
#include "race/interval.h"
#include "race/memories.h"
#include "race/order.h"
#include "race/stored_values.h"

namespace smem::race {

/// Of one block, whose warps run one after the other from each of its barriers to the next.
class RaceWatch {
public:
  /// `global`: of global memory, and not of shared memory.
  /// `ordered`: barriers may be of some of the warps, and begin_turn() begins what a warp does between two of them.
  RaceWatch(std::size_t warps, StoredValues &stored, GlobalAccesses *global, bool ordered)
      : stored(stored), global(global), ordered(ordered), warps_(warps) {}

  /// From here on reports are of this warp.
  void begin_turn(std::uint32_t warp);
  void access(WarpAccess access);
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

  /// Lanes of a warp go on together, from wherever they were.
  void go_on(LaneMask mask);

  /// A lane's asynchronous copies since its last commit are a group.
  void copy_commit(LaneMask mask, bool uncertain);
  /// Waits until at most `groups` of each lane's are not done; kAllCopies, kGroupsNotKnown as CopyWait has it.
  void copy_wait(LaneMask mask, std::int64_t groups, bool uncertain);

  /// An asynchronous copy between its instruction and the lanes' wait for it: beside all that others do meanwhile, and what the lane itself
  /// does.
  struct Copy {
    WarpAccess access;           ///< of lanes that have not waited
    std::uint32_t group = kNone; ///< of them all; kNone: not committed
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
  };

  struct WarpState {
    const Instruction *waits_at = nullptr;
    std::uint32_t waits_number = 0; ///< the barrier's
    std::vector<BarrierCall> calls; ///< ordered: those of this turn, the one that it waits at last
    std::uint32_t time = 1;         ///< ordered: as Order has it
    LaneMask passed_by = 0;         ///< lanes that have not come to a barrier that others of the warp have passed
    LaneMask ended = 0;             ///< in this interval
    std::uint32_t segment = 0;
    std::uint32_t undecided = 0; ///< reason why what it does in this interval is not certain; 0: it is
    bool some_ended = false;     ///< lanes of it, before the last barrier of the warp or behind it
    WarpOrder order;
    std::vector<Copy> copies;
    LaneMask commits_unknown = 0; ///< of lanes that may have committed more groups than are counted
    std::vector<Gathering> gatherings;
    std::array<std::uint32_t, kWarpSize> groups{}; ///< committed by each lane
  };
  std::vector<WarpState> &warps() { return warps_; }
  const std::vector<WarpState> &warps() const { return warps_; }
  /// By warp.
  std::vector<WarpOrder> orders() const;
  const std::vector<WarpAccess> &accesses() const { return accesses_; }
  const std::vector<OwnCopy> &own_copies() const { return own_copies_; }
  void begin_interval();

  StoredValues &stored;
  GlobalAccesses *const global;
  const bool ordered;
  std::uint32_t reason = 0;                    ///< why there is no proof that nothing races; 0: nothing so far
  std::uint32_t undecided = 0;                 ///< the first reason why an access was not certain
  bool late_lanes = false;                     ///< lanes that a barrier has passed by went on
  const Instruction *late_at = nullptr;        ///< that barrier
  std::vector<const Instruction *> left_alone; ///< lanes that they name go on, or wait elsewhere
  std::vector<const Instruction *> strangers;  ///< lanes execute them that they do not name
  bool fenced = false;                         ///< other blocks may have been waited for
  bool lost = false;                           ///< intervals are not known from here on

private:
  bool late(LaneMask mask);
  static void begin(WarpState &warp);
  void add(WarpAccess access);
  /// Copies that are not done go on in what begins.
  void carry_on_copies();
  void meet_own_copies(const WarpAccess &access);

  std::vector<WarpState> warps_;
  std::vector<WarpAccess> accesses_;
  std::vector<OwnCopy> own_copies_;
  std::uint32_t turn_ = 0;
};

} // namespace smem::race
