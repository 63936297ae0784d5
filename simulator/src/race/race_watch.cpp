#include "race/race_watch.h"

#include <algorithm>

#include "value.h"

namespace smem::race {

void RaceWatch::begin_turn(std::uint32_t warp) {
  turn_ = warp;
  WarpState &state = warps_[warp];
  state.waits_at = nullptr;
  if (ordered) {
    accesses_.clear();
    own_copies_.clear();
    begin(state);
    state.calls.clear();
  }
  carry_on_copies();
}

bool RaceWatch::late(LaneMask mask) {
  if (!(warps_[turn_].passed_by & mask))
    return false;
  late_lanes = lost = true;
  return true;
}

void RaceWatch::name_lanes(const Instruction &instruction, LaneMask members, LaneMask mask, LaneMask alive,
                           bool uncertain) {
  WarpState &warp = warps_[turn_];
  if (uncertain || lost) { // which lanes come is not known
    warp.gatherings.clear();
    return;
  }
  if (mask & ~members)
    strangers.push_back(&instruction);
  members = (members & alive) | mask;
  auto open = std::ranges::find_if(warp.gatherings, [&](const Gathering &one) {
    return one.members == members && one.at->immediate == instruction.immediate && !(one.arrived & mask);
  });
  if (open == warp.gatherings.end()) {
    go_on(mask);
    open = warp.gatherings.insert(warp.gatherings.end(), {&instruction, members, 0});
  }
  open->arrived |= mask;
  if (open->arrived == open->members)
    warp.gatherings.erase(open);
}

void RaceWatch::go_on(LaneMask mask) {
  std::erase_if(warps_[turn_].gatherings, [&](const Gathering &one) {
    const bool apart = (mask & one.arrived) && (mask & one.members & ~one.arrived);
    if (apart)
      left_alone.push_back(one.at);
    return apart;
  });
}

void RaceWatch::access(WarpAccess access) {
  if (lost || late(access.active))
    return;
  WarpState &warp = warps_[turn_];
  access.warp = turn_;
  access.segment = warp.segment;
  access.time = warp.time;
  access.made = access.certain;
  access.certain &= !warp.undecided;
  meet_own_copies(access);
  if (access.asynchronous)
    warp.copies.push_back({access, kNone});
  add(std::move(access));
}

void RaceWatch::add(WarpAccess access) {
  // What touches no known place says the same each time.
  if (access.anywhere)
    for (auto known = accesses_.rbegin(); known != accesses_.rend() && known->warp == turn_; ++known)
      if (known->anywhere && known->operation == access.operation && known->active == access.active &&
          known->segment == access.segment)
        return;
  accesses_.push_back(std::move(access));
}

void RaceWatch::block_barrier(const BarrierCall &call, LaneMask mask, LaneMask alive, std::uint32_t uncertain) {
  if (lost || late(mask))
    return;
  WarpState &warp = warps_[turn_];
  for (const Gathering &one : warp.gatherings)
    if (!uncertain && (mask & one.members & ~one.arrived))
      left_alone.push_back(one.at);
  warp.gatherings.clear();
  if (uncertain) {
    lose(uncertain);
    lost = true;
    return;
  }
  if (call.waits)
    warp.waits_at = call.instruction, warp.waits_number = call.number;
  if (ordered) {
    warp.calls.push_back(call);
    ++warp.time;
    carry_on_copies(); // what is under way goes on after an arrival, too
  }
  if (const LaneMask others = alive & ~mask) {
    warp.passed_by |= others;
    warp.ended |= others;
    late_at = call.instruction;
  }
}

void RaceWatch::warp_barrier(const Instruction &instruction, LaneMask mask, LaneMask alive, bool uncertain) {
  WarpState &warp = warps_[turn_];
  if (!uncertain)
    go_on(mask);
  const auto members = static_cast<LaneMask>(instruction.immediate);
  if (!uncertain && mask == alive && (members & alive) == alive)
    ++warp.segment, warp.order.broken |= warp.some_ended, carry_on_copies();
  else
    warp.order.partial = true;
}

void RaceWatch::carry_on_copies() {
  WarpState &warp = warps_[turn_];
  for (const Copy &copy : warp.copies) {
    WarpAccess again = copy.access;
    again.segment = warp.segment;
    again.time = warp.time;
    add(std::move(again));
  }
}

void RaceWatch::meet_own_copies(const WarpAccess &access) {
  for (const Copy &copy : warps_[turn_].copies) {
    const WarpAccess &before = copy.access;
    if (!conflict(before.kind, access.kind) || before.memory != access.memory || exclude_each_other(before, access))
      continue;
    bool found = false;
    for_lanes(before.active & access.active, [&](unsigned lane) {
      const std::uint64_t begin = access.address[access.anywhere ? 0 : lane], other = before.address[lane];
      if (found || begin >= other + before.bytes || other >= begin + access.bytes)
        return;
      own_copies_.push_back({before, access, lane, std::max(begin, other)});
      found = true;
    });
  }
}

void RaceWatch::copy_commit(LaneMask mask, bool uncertain) {
  WarpState &warp = warps_[turn_];
  if (uncertain) { // perhaps no group: what waits for all but some groups waits for fewer than it seems
    warp.commits_unknown |= mask;
    for (Copy &copy : warp.copies)
      if (copy.group == kNone && (copy.access.active & mask))
        copy.access.certain = false;
    return;
  }
  std::vector<Copy> split;
  for (Copy &copy : warp.copies) {
    if (copy.group != kNone)
      continue;
    for (LaneMask rest = copy.access.active & mask; rest;) {
      const std::uint32_t group = warp.groups[first_lane(rest)];
      LaneMask same = 0;
      for_lanes(rest, [&](unsigned lane) { same |= LaneMask{warp.groups[lane] == group} << lane; });
      rest &= ~same;
      split.push_back({copy.access, group});
      split.back().access.active = same;
    }
    copy.access.active &= ~mask;
  }
  std::erase_if(warp.copies, [](const Copy &copy) { return !copy.access.active; });
  warp.copies.insert(warp.copies.end(), split.begin(), split.end());
  for_lanes(mask, [&](unsigned lane) { ++warp.groups[lane]; });
}

void RaceWatch::copy_wait(LaneMask mask, std::int64_t groups, bool uncertain) {
  WarpState &warp = warps_[turn_];
  for (Copy &copy : warp.copies) {
    LaneMask done = 0;
    for_lanes(copy.access.active & mask, [&](unsigned lane) {
      const bool waits = groups == kAllCopies || groups == kGroupsNotKnown ||
                         (copy.group != kNone && copy.group + groups < warp.groups[lane]);
      done |= LaneMask{waits} << lane;
    });
    if (copy.access.active & mask & ~done & warp.commits_unknown) // it may have waited for these, too
      copy.access.certain = false;
    if (uncertain || groups == kGroupsNotKnown)
      copy.access.certain &= !done;
    else
      copy.access.active &= ~done;
  }
  std::erase_if(warp.copies, [](const Copy &copy) { return !copy.access.active; });
}

std::vector<std::int64_t> RaceWatch::copies_under_way() const {
  const WarpState &warp = warps_[turn_];
  std::vector<std::int64_t> numbers;
  for (const Copy &copy : warp.copies) {
    numbers.insert(numbers.end(),
                   {copy.access.operation, copy.access.active, copy.access.certain,
                    static_cast<std::int64_t>(copy.access.bytes), copy.access.anywhere,
                    copy.group == kNone ? -1 : std::int64_t{warp.groups[first_lane(copy.access.active)]} - copy.group});
    for_lanes(copy.access.active,
              [&](unsigned lane) { numbers.push_back(static_cast<std::int64_t>(copy.access.address[lane])); });
  }
  return numbers;
}

void RaceWatch::end(LaneMask lanes, bool uncertain) {
  WarpState &warp = warps_[turn_];
  warp.some_ended = true;
  for (Gathering &one : warp.gatherings) // who has ended need not come; several returns are one block
    one.members &= ~lanes | one.arrived;
  std::erase_if(warp.gatherings, [&](const Gathering &one) { return uncertain || one.members == one.arrived; });
  warp.ended |= lanes;
  warp.order.partial |= uncertain;
}

void RaceWatch::branch_not_known(std::uint32_t why) {
  warps_[turn_].undecided = warps_[turn_].undecided ? warps_[turn_].undecided : why;
  note_undecided(why);
}

void RaceWatch::lose(std::uint32_t why) { reason = reason ? reason : why; }

std::vector<WarpOrder> RaceWatch::orders() const {
  std::vector<WarpOrder> orders;
  for (const WarpState &warp : warps_)
    orders.push_back(warp.order);
  return orders;
}

void RaceWatch::begin_interval() {
  accesses_.clear();
  own_copies_.clear();
  left_alone.clear();
  strangers.clear();
  for (WarpState &warp : warps_) {
    begin(warp);
    warp.undecided = 0;
  }
}

void RaceWatch::begin(WarpState &warp) {
  warp.ended = 0;
  warp.segment = 0;
  warp.some_ended = false;
  warp.order = {};
}

} // namespace smem::race
