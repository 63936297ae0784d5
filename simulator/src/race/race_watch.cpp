#include "race/race_watch.h"

#include <algorithm>

namespace smem::race {

void RaceWatch::begin_turn(std::uint32_t warp) {
  turn_ = warp;
  warps_[warp].waits_at = nullptr;
}

bool RaceWatch::late(LaneMask mask) {
  if (!(warps_[turn_].passed_by & mask))
    return false;
  late_lanes = lost = true;
  return true;
}

void RaceWatch::access(WarpAccess access) {
  if (lost || late(access.active))
    return;
  const WarpState &warp = warps_[turn_];
  access.warp = turn_;
  access.segment = warp.segment;
  access.certain &= !warp.undecided;
  // What touches no known place says the same each time.
  if (access.anywhere)
    for (auto known = accesses_.rbegin(); known != accesses_.rend() && known->warp == turn_; ++known)
      if (known->anywhere && known->operation == access.operation && known->active == access.active &&
          known->segment == access.segment)
        return;
  accesses_.push_back(std::move(access));
}

void RaceWatch::block_barrier(const Instruction &instruction, LaneMask mask, LaneMask alive, std::uint32_t uncertain) {
  if (lost || late(mask))
    return;
  WarpState &warp = warps_[turn_];
  if (uncertain) {
    lose(uncertain);
    lost = true;
    return;
  }
  warp.waits_at = &instruction;
  if (const LaneMask others = alive & ~mask) {
    warp.passed_by |= others;
    warp.ended |= others;
    late_at = &instruction;
  }
}

void RaceWatch::warp_barrier(const Instruction &instruction, LaneMask mask, LaneMask alive, bool uncertain) {
  WarpState &warp = warps_[turn_];
  const auto members = static_cast<LaneMask>(instruction.immediate);
  if (!uncertain && mask == alive && (members & alive) == alive)
    ++warp.segment, warp.order.broken |= warp.some_ended;
  else
    warp.order.partial = true;
}

void RaceWatch::end(LaneMask lanes, bool uncertain) {
  WarpState &warp = warps_[turn_];
  warp.some_ended = true;
  warp.ended |= lanes;
  warp.order.partial |= uncertain;
}

void RaceWatch::branch_not_known(std::uint32_t why) {
  warps_[turn_].undecided = warps_[turn_].undecided ? warps_[turn_].undecided : why;
  note_undecided(why);
}

void RaceWatch::lose(std::uint32_t why) { reason = reason ? reason : why; }

void RaceWatch::begin_interval() {
  accesses_.clear();
  for (WarpState &warp : warps_) {
    warp.ended = 0;
    warp.segment = 0;
    warp.undecided = 0;
    warp.some_ended = false;
    warp.order = {};
  }
}

} // namespace smem::race
