#include "race/race_watch.h"

#include <algorithm>

#include "value.h"

namespace smem::race {

void RaceWatch::begin_turn(std::uint32_t warp) {
  turn_ = warp;
  WarpState &state = warps_[warp];
  state.waits_at = nullptr;
  if (sync) {
    drop_accesses();
    begin(state);
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
    forget_gatherings();
    masks_open = true;
    return;
  }
  if (instruction.immediate == static_cast<std::int64_t>(WarpOperation::Barrier))
    warp.meetings.push_back({mask, members});
  if ((mask & warp.passed_by) && (members & alive & ~warp.passed_by)) // which wait at the barrier for these
    left_alone.push_back(&instruction);
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
  warp.order.partial |= open->is_met; // these have come, too
  open->arrived |= mask;
  if (open->arrived == open->members)
    warp.gatherings.erase(open);
}

void RaceWatch::go_on(LaneMask mask) {
  std::erase_if(warps_[turn_].gatherings, [&](const Gathering &one) {
    const bool apart = (mask & one.arrived) && (mask & one.members & ~one.arrived);
    if (apart)
      left_alone.push_back(one.at);
    warps_[turn_].order.partial |= apart && one.is_met;
    return apart;
  });
}

void RaceWatch::forget_gatherings() {
  WarpState &warp = warps_[turn_];
  warp.order.partial |= std::ranges::any_of(warp.gatherings, &Gathering::is_met);
  warp.gatherings.clear();
}

void RaceWatch::grid_barrier(LaneMask mask, LaneMask alive) {
  if (mask == alive)
    warps_[turn_].at_grid_barrier = true;
  else
    fenced = true; // lanes that have ended meanwhile, or the others
}

bool RaceWatch::passes_grid_barrier(const std::vector<bool> &running) {
  std::size_t here = 0, all = 0;
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    here += warps_[w].at_grid_barrier;
    all += running[w];
    warps_[w].at_grid_barrier = false;
  }
  if (here && here != all)
    fenced = true;
  return here && here == all;
}

std::uint32_t RaceWatch::ticket_of(std::uint64_t counter, std::int64_t step) {
  for (const Counter &known : counters_)
    if (known.at == counter && known.step == step)
      return known.number;
  counters_.push_back({counter, step, ++tickets_});
  return tickets_;
}

void RaceWatch::check_tickets() {
  constexpr std::uint64_t kCounterBytes = 8; // at most
  for (const Counter &counter : counters_) {
    const bool written = std::ranges::any_of(accesses_, [&](const WarpAccess &access) {
      if (access.kind == Kind::Read || access.draws == counter.number || access.memory)
        return false;
      bool meets = false;
      for_lanes(access.active, [&](unsigned lane) {
        const std::uint64_t begin = access.address[access.anywhere && !access.stride ? 0 : lane];
        meets |= begin < counter.at + kCounterBytes && counter.at < (access.stride ? access.end : begin + access.bytes);
      });
      return meets;
    });
    if (written)
      void_tickets_.insert(counter.number);
  }
  for (WarpAccess &access : accesses_)
    if (void_tickets_.contains(access.ticket))
      access.ticket = 0;
}

void RaceWatch::access(WarpAccess access, bool bulk) {
  if (lost || late(access.active))
    return;
  WarpState &warp = warps_[turn_];
  access.warp = turn_;
  access.segment = warp.segment;
  access.time = sync ? sync->clocks.time(turn_) : 0;
  access.made = access.certain;
  access.certain &= !warp.undecided;
  meet_own_copies(access);
  if (access.kind != Kind::Read && access.completes == kNone) // else it is the asynchronous proxy's own
    warp.unfenced |= access.active;
  if (access.asynchronous && access.completes == kNone) {
    access.copy = copies_++;
    warp.copies.push_back({access, kNone, bulk});
  }
  add(std::move(access));
}

void RaceWatch::add(WarpAccess access) {
  // What touches no known place says the same each time.
  if (access.anywhere)
    for (auto known = accesses_.rbegin(); known != accesses_.rend() && known->warp == turn_; ++known)
      if (known->anywhere && known->operation == access.operation && known->active == access.active &&
          known->segment == access.segment && known->stride == access.stride && known->end == access.end &&
          known->ticket == access.ticket && known->ticket_begin == access.ticket_begin &&
          known->ticket_factor == access.ticket_factor && known->bytes == access.bytes &&
          known->address == access.address)
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
  forget_gatherings();
  if (uncertain) {
    lose(uncertain);
    lost = true;
    return;
  }
  warp.fenced = 0; // what others have done is ordered before what follows
  if (call.waits)
    warp.waits_at = call.instruction, warp.waits_number = call.number;
  if (sync) {
    before_order();
    Fault fault = sync->order.arrive(turn_, call);
    if (fault.goes_on && order_open.why.empty())
      order_open = std::move(fault), order_open_at = call.instruction;
    else if (!fault.goes_on && !fault.why.empty())
      fail(std::move(fault), *call.instruction);
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
  std::vector<Meeting> meetings = std::exchange(warp.meetings, {});
  if (!uncertain)
    go_on(mask);
  warp.fenced = 0;
  if (meetings.empty())
    meetings.push_back({mask, static_cast<LaneMask>(instruction.immediate)});
  for (const Meeting &meeting : meetings)
    if (!uncertain && meeting.lanes == (meeting.members & alive))
      meet(meeting.lanes, 0, alive);
    else if (uncertain || sync || !meet_without(meeting, alive))
      (sync ? blurred : warp.order.partial) = true;
}

/// Those that are named and have not come may still do, or end.
bool RaceWatch::meet_without(const Meeting &meeting, LaneMask alive) {
  const auto open = std::ranges::find_if(warps_[turn_].gatherings, [&](const Gathering &one) {
    return one.at->immediate == static_cast<std::int64_t>(WarpOperation::Barrier) && one.arrived == meeting.lanes;
  });
  if (open == warps_[turn_].gatherings.end() || (meeting.lanes & ~meeting.members))
    return false;
  open->is_met = true;
  meet(meeting.lanes, meeting.members & alive & ~meeting.lanes, alive);
  return true;
}

void RaceWatch::meet(LaneMask lanes, LaneMask missing, LaneMask alive) {
  WarpState &warp = warps_[turn_];
  if (sync) {
    before_order();
    sync->clocks.meet(turn_, lanes);
  } else {
    ++warp.segment;
    warp.order.meetings.push_back({lanes, warp.left | missing});
    warp.order.in_part |= lanes != alive || warp.left;
  }
  carry_on_copies();
}

void RaceWatch::carry_on_copies() {
  WarpState &warp = warps_[turn_];
  for (const Copy &copy : warp.copies) {
    WarpAccess again = copy.access;
    again.segment = warp.segment;
    again.time = sync ? sync->clocks.time(turn_) : 0;
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
      const std::uint64_t begin = access.address[access.anywhere && !access.stride ? 0 : lane];
      const std::uint64_t end = access.stride ? access.end : begin + access.bytes, other = before.address[lane];
      if (found || begin >= other + before.bytes || other >= end)
        return;
      own_copies_.push_back({before, access, lane, std::max(begin, other)});
      found = true;
    });
  }
}

void RaceWatch::fence_proxies(LaneMask lanes, bool uncertain) {
  if (uncertain)
    return;
  WarpState &warp = warps_[turn_];
  lanes &= ~warp.handed_over;          // copies that a barrier tracks may be under way
  for (const Copy &copy : warp.copies) // what is under way is not fenced
    if (!copy.bulk)
      lanes &= ~copy.access.active;
  warp.unfenced &= ~lanes;
  warp.fenced |= lanes;
}

bool RaceWatch::bulk_copies_see_writes(LaneMask lanes) const {
  if (std::ranges::all_of(warps_, [](const WarpState &warp) { return !warp.unfenced; }))
    return true;
  const WarpState &own = warps_[turn_];
  return !(lanes & (own.unfenced | ~own.fenced));
}

void RaceWatch::before_order() {
  warps_[turn_].fenced = 0;
  flush();
  drop_accesses();
}

void RaceWatch::fail(Fault why, const Instruction &at) {
  if (fault.why.empty())
    fault = std::move(why), fault_at = &at;
  lost = true;
}

void RaceWatch::hand_over_copies(LaneMask lanes, const MbarrierPhase &phase) {
  WarpState &warp = warps_[turn_];
  hand_overs.push_back({turn_, lanes, copies_, phase.barrier, phase.phase});
  for (Copy &copy : warp.copies) {
    if (copy.bulk || !(copy.access.active & lanes))
      continue;
    WarpAccess tracked = copy.access;
    tracked.active &= lanes;
    tracked.time = sync->clocks.time(turn_);
    tracked.completes = phase.barrier;
    tracked.phase = phase.phase;
    add(std::move(tracked));
    copy.access.active &= ~lanes;
    warp.handed_over |= lanes;
  }
  std::erase_if(warp.copies, [](const Copy &copy) { return !copy.access.active; });
}

std::uint32_t RaceWatch::mbarrier(MbarrierOperation operation, const MbarrierCaller &caller, std::uint64_t number,
                                  std::uint64_t bytes, const Instruction &at) {
  using enum MbarrierOperation;
  if (lost || late(caller.lanes))
    return 0;
  go_on(caller.lanes);
  before_order();
  Mbarriers &all = sync->mbarriers;
  std::uint32_t phase = 0;
  MbarrierPhase copied;
  Fault fault;
  switch (operation) {
  case Init: fault = all.init(caller, number); break;
  case Invalidate: fault = all.invalidate(caller); break;
  case Arrive: fault = all.arrive(caller, number, bytes, false, phase); break;
  case ArriveAndDrop: fault = all.arrive(caller, number, bytes, true, phase); break;
  case ExpectBytes: fault = all.expect(caller, static_cast<std::int64_t>(bytes)); break;
  case CompleteBytes: fault = all.expect(caller, -static_cast<std::int64_t>(bytes)); break;
  case ArriveAfterCopies:
  case HoldForCopies:
    fault = operation == HoldForCopies ? all.hold(caller, copied) : all.arrive_with_copies(caller, copied);
    if (fault.why.empty())
      hand_over_copies(caller.lanes, copied);
    break;
  case Wait:
  case WaitForParity: {
    MbarrierWait wait;
    wait.at = &at;
    fault = all.wait(caller, number, operation == WaitForParity, wait);
    if (fault.why.empty())
      warps_[turn_].waits.push_back(wait);
    break;
  }
  case NotFollowed: fault = {"what a thread does with an mbarrier is not known"}; break;
  }
  if (!fault.why.empty())
    fail(std::move(fault), at);
  carry_on_copies();
  return phase;
}

void RaceWatch::bulk_write(WarpAccess access, std::uint64_t barrier, std::optional<std::uint64_t> size,
                           const Instruction &at) {
  if (lost || late(access.active))
    return;
  before_order();
  MbarrierPhase completes;
  if (Fault fault = sync->mbarriers.copy({barrier, turn_, access.active}, size, completes); !fault.why.empty())
    return fail(std::move(fault), at);
  access.completes = completes.barrier;
  access.phase = completes.phase;
  this->access(std::move(access));
}

void RaceWatch::copy_commit(LaneMask mask, bool bulk, bool uncertain) {
  WarpState &warp = warps_[turn_];
  if (uncertain) { // perhaps no group: what waits for all but some groups waits for fewer than it seems
    warp.commits_unknown[bulk] |= mask;
    for (Copy &copy : warp.copies)
      if (copy.bulk == bulk && copy.group == kNone && (copy.access.active & mask))
        copy.access.certain = false;
    return;
  }
  std::vector<Copy> split;
  for (Copy &copy : warp.copies) {
    if (copy.group != kNone || copy.bulk != bulk)
      continue;
    for (LaneMask rest = copy.access.active & mask; rest;) {
      const std::uint32_t group = warp.groups[bulk][first_lane(rest)];
      LaneMask same = 0;
      for_lanes(rest, [&](unsigned lane) { same |= LaneMask{warp.groups[bulk][lane] == group} << lane; });
      rest &= ~same;
      split.push_back({copy.access, group, bulk});
      split.back().access.active = same;
    }
    copy.access.active &= ~mask;
  }
  std::erase_if(warp.copies, [](const Copy &copy) { return !copy.access.active; });
  warp.copies.insert(warp.copies.end(), split.begin(), split.end());
  for_lanes(mask, [&](unsigned lane) { ++warp.groups[bulk][lane]; });
}

void RaceWatch::copy_wait(LaneMask mask, std::int64_t groups, bool bulk, bool uncertain) {
  WarpState &warp = warps_[turn_];
  blurred |= !bulk && (warp.handed_over & mask); // what a barrier tracks its lane may have waited for, too
  for (Copy &copy : warp.copies) {
    if (copy.bulk != bulk)
      continue;
    LaneMask done = 0;
    for_lanes(copy.access.active & mask, [&](unsigned lane) {
      const bool waits = groups == kAllCopies || groups == kGroupsNotKnown ||
                         (copy.group != kNone && copy.group + groups < warp.groups[bulk][lane]);
      done |= LaneMask{waits} << lane;
    });
    if (copy.access.active & mask & ~done & warp.commits_unknown[bulk]) // it may have waited for these, too
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
    numbers.insert(
        numbers.end(),
        {copy.access.operation, copy.access.active, copy.access.certain, static_cast<std::int64_t>(copy.access.bytes),
         copy.access.anywhere, copy.bulk,
         copy.group == kNone ? -1 : std::int64_t{warp.groups[copy.bulk][first_lane(copy.access.active)]} - copy.group});
    for_lanes(copy.access.active,
              [&](unsigned lane) { numbers.push_back(static_cast<std::int64_t>(copy.access.address[lane])); });
  }
  return numbers;
}

void RaceWatch::end(LaneMask lanes, bool uncertain) {
  WarpState &warp = warps_[turn_];
  warp.left |= lanes;
  warp.gone |= lanes;
  if (sync)
    for_lanes(lanes, [&](unsigned lane) { warp.gone_after[lane] = sync->order.passed(); });
  if (uncertain)
    warp.order.partial |= std::ranges::any_of(warp.gatherings, &Gathering::is_met);
  for (Gathering &one : warp.gatherings) // who has ended need not come; several returns are one block
    one.members &= ~lanes | one.arrived;
  std::erase_if(warp.gatherings, [&](const Gathering &one) { return uncertain || one.members == one.arrived; });
  warp.ended |= lanes;
  warp.order.partial |= uncertain;
}

LaneMask RaceWatch::ends_waited_for(std::uint32_t warp) const {
  LaneMask lanes = 0;
  for_lanes(warps_[warp].gone,
            [&](unsigned lane) { lanes |= LaneMask{sync->order.passed() > warps_[warp].gone_after[lane]} << lane; });
  return lanes;
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
  counters_.clear();
  own_copies_.clear();
  left_alone.clear();
  strangers.clear();
  for (WarpState &warp : warps_) {
    begin(warp);
    warp.undecided = 0;
    warp.at_grid_barrier = false;
  }
}

void RaceWatch::begin(WarpState &warp) {
  warp.ended = 0;
  warp.left = 0;
  warp.segment = 0;
  warp.order = {};
}

} // namespace smem::race
