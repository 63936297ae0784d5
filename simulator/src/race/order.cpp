#include "race/order.h"

#include <algorithm>

#include "value.h"

namespace smem::race {
namespace {

constexpr std::uint64_t kBytesOfMemory = std::uint64_t{1} << 44; ///< more than one has

constexpr std::size_t slot(Kind kind, bool certain) { return static_cast<std::size_t>(kind) * 2 + certain; }

} // namespace

Order::Order(std::uint32_t warps, Clocks &clocks) : clocks_(clocks), left_(warps), waiting_(warps) {
  for (Barrier &barrier : barriers_)
    barrier.told = clocks.none();
}

Fault Order::arrive(std::uint32_t warp, const BarrierCall &call) {
  const std::string name = "barrier " + std::to_string(call.number);
  if (call.number >= kBarriers)
    return {"barriers of a cluster are not followed"};
  Barrier &barrier = barriers_[call.number];
  const bool whole = call.threads == 0;
  const std::uint32_t expected = whole ? left_ * kWarpSize : call.threads;
  if (barrier.arrived && barrier.expected != expected)
    return {"warps give different numbers of threads for " + name, true};
  if (call.threads % kWarpSize)
    return {name + " is of a number of threads that is no multiple of the warp", true};
  // Else another execution may have this warp come to the generation before.
  const bool mixed = barrier.used && std::ranges::none_of(barrier.released, [&](const auto &released) {
                       return released.first == warp || clocks_.known(warp, 0, released.first, released.second);
                     });
  barrier.whole = whole || (barrier.arrived && barrier.whole);
  barrier.expected = expected;
  barrier.arrived += kWarpSize;
  clocks_.release(warp, kFullMask, barrier.told);
  if (call.waits) {
    barrier.waiting.push_back(warp);
    waiting_[warp] = call;
  }
  if (barrier.arrived > barrier.expected)
    return {"more threads come to " + name + " than it is of", true};
  if (barrier.arrived == barrier.expected)
    complete(barrier);
  return mixed ? Fault{"warps may come to " + name + " in another order", false, true} : Fault{};
}

void Order::complete(Barrier &barrier) {
  passed_ += barrier.whole;
  barrier.released.clear();
  for (const std::uint32_t warp : barrier.waiting) {
    clocks_.acquire(warp, kFullMask, barrier.told);
    barrier.released.emplace_back(warp, clocks_.time(warp));
    waiting_[warp].reset();
  }
  barrier.used = true;
  barrier.waiting.clear();
  barrier.arrived = 0;
  barrier.told.clear();
}

void Order::end(std::uint32_t) {
  --left_;
  for (Barrier &barrier : barriers_)
    if (barrier.whole && barrier.arrived) {
      barrier.expected = left_ * kWarpSize;
      if (barrier.arrived == barrier.expected)
        complete(barrier);
    }
}

namespace {

/// Of `lanes`, those of which another barrier has waited for the copy that `before` is, and the lane for that barrier.
LaneMask waited_for(const WarpAccess &before, LaneMask lanes, const WarpAccess &access, unsigned lane,
                    const Clocks &clocks, const std::vector<HandOver> &hand_overs) {
  LaneMask done = 0;
  if (before.copy != kNone)
    for (auto each = hand_overs.rbegin(); each != hand_overs.rend() && (lanes & ~done); ++each)
      if (each->warp == before.warp && before.copy < each->copies &&
          clocks.known_phases(access.warp, lane, each->barrier) > each->phase)
        done |= each->lanes & lanes;
  return done;
}

} // namespace

std::uint64_t OrderedAccesses::add(const std::vector<WarpAccess> &accesses, const Clocks &clocks,
                                   const std::vector<HandOver> &hand_overs,
                                   const std::function<LaneMask(std::uint32_t)> &ended,
                                   const std::function<void(const Found &)> &found) {
  std::uint64_t compared = 0;
  for (const WarpAccess &access : accesses) {
    const auto index = static_cast<std::uint32_t>(kept_.size());
    kept_.push_back(access);
    for_lanes(access.active, [&](unsigned lane) {
      const std::uint64_t begin = access.address[access.anywhere ? 0 : lane];
      for (std::uint64_t at = begin / granule_; at * granule_ < begin + access.bytes; ++at) {
        ++compared;
        Cell &cell = cells_[access.memory * kBytesOfMemory + at];
        compare(cell, index, lane, at, clocks, hand_overs, ended, found);
        keep(cell, index, lane);
      }
    });
  }
  return compared;
}

void OrderedAccesses::compare(const Cell &cell, std::uint32_t index, unsigned lane, std::uint64_t at,
                              const Clocks &clocks, const std::vector<HandOver> &hand_overs,
                              const std::function<LaneMask(std::uint32_t)> &ended,
                              const std::function<void(const Found &)> &found) const {
  const WarpAccess &access = kept_[index];
  for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic}) {
    const bool atomics = kind == Kind::Atomic && access.kind == Kind::Atomic;
    if (!conflict(kind, access.kind) && !atomics)
      continue;
    for (const bool certain : {false, true})
      for (const Touch &touch : cell[slot(kind, certain)]) {
        const WarpAccess &before = kept_[touch.access];
        const bool known_phase =
            before.completes != kNone && clocks.known_phases(access.warp, lane, before.completes) > before.phase;
        LaneMask apart = known_phase ? 0
                         : before.completes != kNone
                             ? touch.lanes
                             : touch.lanes & ~clocks.known(access.warp, lane, before.warp, before.time);
        if (before.completes != kNone)
          apart &= ~waited_for(before, apart, access, lane, clocks, hand_overs);
        if (touch.access == index) // one copy of one thread does not overlap itself
          apart &= ~(LaneMask{1} << lane);
        if (atomics)
          for_lanes(apart, [&](unsigned other) {
            if (!before.anywhere && !access.anywhere && before.bytes == access.bytes &&
                before.address[other] == access.address[lane])
              apart &= ~(LaneMask{1} << other);
          });
        if (!apart)
          continue;
        LaneMask unlike = apart;
        // What is ordered before the access is no matter.
        const LaneMask last = touch.mixed ? clocks.known(access.warp, lane, before.warp, touch.mixed) : kFullMask;
        if (!before.anywhere && !access.anywhere)
          for_lanes(apart & last, [&](unsigned other) {
            if (writes_alike(before, other, access, lane))
              unlike &= ~(LaneMask{1} << other);
          });
        LaneMask sure = (unlike ? unlike : apart) & ~ended(before.warp);
        const bool is_certain = before.certain && access.certain && !before.anywhere && !access.anywhere && !atomics;
        const LaneMask of = is_certain && sure ? sure : unlike ? unlike : apart;
        found({&before, &access, first_lane(of), lane, at * granule_, is_certain && sure, !unlike});
      }
  }
}

void OrderedAccesses::keep(Cell &cell, std::uint32_t index, unsigned lane) {
  const WarpAccess &access = kept_[index];
  std::vector<Touch> &mine = cell[slot(access.kind, access.certain && !access.anywhere)];
  const LaneMask bit = LaneMask{1} << lane;
  std::uint32_t mixed = 0;
  for (Touch &touch : mine) {
    const WarpAccess &before = kept_[touch.access];
    if (touch.access == index)
      continue;
    if (access.completes != kNone && before.completes == access.completes && before.phase < access.phase)
      touch.lanes = 0; // who knows this phase knows the one before
    else if (access.completes != kNone && before.completes == kNone && before.copy == access.copy &&
             access.copy != kNone)
      touch.lanes &= ~bit; // the same copy, which the barrier tracks from here on
    else if (access.completes == kNone && before.completes == kNone && before.warp == access.warp &&
             (touch.lanes & bit)) {
      mixed = std::max(mixed, writes_alike(before, lane, access, lane) ? touch.mixed : before.time);
      touch.lanes &= ~bit;
    }
  }
  const auto same =
      std::ranges::find_if(mine, [&](const Touch &touch) { return touch.access == index && touch.mixed == mixed; });
  if (same != mine.end())
    same->lanes |= bit;
  else
    mine.push_back({index, bit, mixed});
  std::erase_if(mine, [](const Touch &touch) { return !touch.lanes; });
}

bool OrderedAccesses::touched(std::uint64_t begin, std::uint64_t bytes) const {
  for (std::uint64_t at = begin / granule_; at * granule_ < begin + bytes; ++at)
    if (cells_.contains(at))
      return true;
  return false;
}

} // namespace smem::race
