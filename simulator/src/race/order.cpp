#include "race/order.h"

#include <algorithm>

#include "value.h"

namespace smem::race {
namespace {

constexpr std::uint64_t kBytesOfMemory = std::uint64_t{1} << 44; ///< more than one has

void join(std::vector<std::uint32_t> &into, const std::vector<std::uint32_t> &other) {
  for (std::size_t i = 0; i < into.size(); ++i)
    into[i] = std::max(into[i], other[i]);
}

} // namespace

Order::Order(std::uint32_t warps) : left_(warps), clock_(warps, Clock(warps)), waiting_(warps) {
  for (std::uint32_t w = 0; w < warps; ++w)
    clock_[w][w] = 1;
  for (Barrier &barrier : barriers_)
    barrier.told.assign(warps, 0);
}

Order::Fault Order::arrive(std::uint32_t warp, const BarrierCall &call) {
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
  if (barrier.used && std::ranges::none_of(barrier.released, [&](const auto &released) {
        return released.first == warp || knows(warp, released.first, released.second);
      }))
    return {"warps may come to " + name + " in another order"};
  barrier.whole = whole || (barrier.arrived && barrier.whole);
  barrier.expected = expected;
  barrier.arrived += kWarpSize;
  join(barrier.told, clock_[warp]);
  ++clock_[warp][warp];
  if (call.waits) {
    barrier.waiting.push_back(warp);
    waiting_[warp] = call;
  }
  if (barrier.arrived > barrier.expected)
    return {"more threads come to " + name + " than it is of", true};
  if (barrier.arrived == barrier.expected)
    complete(barrier);
  return {};
}

void Order::complete(Barrier &barrier) {
  barrier.released.clear();
  for (const std::uint32_t warp : barrier.waiting) {
    join(clock_[warp], barrier.told);
    barrier.released.emplace_back(warp, clock_[warp][warp]);
    waiting_[warp].reset();
  }
  barrier.used = true;
  barrier.waiting.clear();
  barrier.arrived = 0;
  std::ranges::fill(barrier.told, 0);
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

std::uint64_t OrderedAccesses::add(const std::vector<WarpAccess> &accesses, const Order &order,
                                   const std::function<bool(std::uint32_t)> &ended,
                                   const std::function<void(const Found &)> &found) {
  std::uint64_t compared = 0;
  for (const WarpAccess &access : accesses) {
    const auto index = static_cast<std::uint32_t>(kept_.size());
    kept_.push_back(access);
    const auto slot = [&](Kind kind, bool certain) { return static_cast<std::size_t>(kind) * 2 + certain; };
    unsigned lanes = 0;
    for_lanes(access.active, [&](unsigned lane) {
      if (access.anywhere && ++lanes > 1)
        return;
      const std::uint64_t begin = access.address[access.anywhere ? 0 : lane];
      for (std::uint64_t at = begin / granule_; at * granule_ < begin + access.bytes; ++at) {
        ++compared;
        Cell &cell = cells_[access.memory * kBytesOfMemory + at];
        for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic}) {
          const bool atomics = kind == Kind::Atomic && access.kind == Kind::Atomic;
          if (!conflict(kind, access.kind) && !atomics)
            continue;
          for (const bool certain : {false, true})
            for (const Touch &touch : cell[slot(kind, certain)]) {
              const WarpAccess &before = kept_[touch.access];
              if (before.warp == access.warp || order.knows(access.warp, before.warp, before.time))
                continue;
              if (atomics && (before.anywhere || access.anywhere ||
                              (before.bytes == access.bytes && before.address[touch.lane] == access.address[lane])))
                continue;
              const bool alike = !touch.mixed && !before.anywhere && !access.anywhere &&
                                 writes_alike(before, touch.lane, access, lane);
              found({&before, &access, touch.lane, lane, at * granule_,
                     before.certain && access.certain && !before.anywhere && !access.anywhere && !ended(before.warp) &&
                         !atomics,
                     alike});
            }
        }
        std::vector<Touch> &mine = cell[slot(access.kind, access.certain && !access.anywhere)];
        const auto known =
            std::ranges::find_if(mine, [&](const Touch &touch) { return kept_[touch.access].warp == access.warp; });
        Touch now{index, static_cast<std::uint8_t>(lane), false};
        if (known == mine.end()) {
          mine.push_back(now);
        } else {
          now.mixed = known->mixed || !writes_alike(kept_[known->access], known->lane, access, lane);
          *known = now;
        }
      }
    });
  }
  return compared;
}

} // namespace smem::race
