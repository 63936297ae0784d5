// What warps report while races are looked for, in place of what their requests cost.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine.h"
#include "race/interval.h"

namespace smem::race {

/// Of one block, whose warps run one after the other from each of its barriers to the next.
class RaceWatch {
public:
  explicit RaceWatch(std::size_t warps) : warps_(warps) {}

  /// From here on reports are of this warp.
  void begin_turn(std::uint32_t warp);
  void access(WarpAccess access);
  /// A barrier of the block, reached by `mask` of the lanes that have not ended. `uncertain`: the reason if it may not be reached.
  void block_barrier(const Instruction &instruction, LaneMask mask, LaneMask alive, std::uint32_t uncertain);
  void warp_barrier(const Instruction &instruction, LaneMask mask, LaneMask alive, bool uncertain);
  void end(LaneMask lanes, bool uncertain);
  /// How the warp goes on depends on what is not known: it may have waited for another thread.
  void branch_not_known(std::uint32_t reason);
  /// Why accesses to come are not certain, for the reader.
  void note_undecided(std::uint32_t why) { undecided = undecided ? undecided : why; }
  /// Something that may be an access, or order some, is not known.
  void lose(std::uint32_t reason);

  struct WarpState {
    const Instruction *waits_at = nullptr;
    LaneMask passed_by = 0; ///< lanes that have not come to a barrier that others of the warp have passed
    LaneMask ended = 0;     ///< in this interval
    std::uint32_t segment = 0;
    std::uint32_t undecided = 0; ///< reason why what it does in this interval is not certain; 0: it is
    bool some_ended = false;     ///< lanes of it, before the last barrier of the warp or behind it
    WarpOrder order;
  };
  std::vector<WarpState> &warps() { return warps_; }
  const std::vector<WarpAccess> &accesses() const { return accesses_; }
  void begin_interval();

  std::uint32_t reason = 0;             ///< why there is no proof that nothing races; 0: nothing so far
  std::uint32_t undecided = 0;          ///< the first reason why an access was not certain
  bool late_lanes = false;              ///< lanes that a barrier has passed by went on
  const Instruction *late_at = nullptr; ///< that barrier
  bool lost = false;                    ///< intervals are not known from here on

private:
  bool late(LaneMask mask);

  std::vector<WarpState> warps_;
  std::vector<WarpAccess> accesses_;
  std::uint32_t turn_ = 0;
};

} // namespace smem::race
