#include "race/clocks.h"

#include <algorithm>

#include "value.h"

namespace smem::race {

void Clock::join(const Clock &other) {
  for (std::size_t w = 0; w < lanes.size(); ++w)
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      lanes[w][lane] = std::max(lanes[w][lane], other.lanes[w][lane]);
  for (std::uint32_t b = 0; b < other.phases.size(); ++b)
    know_phases(b, other.phases[b]);
}

void Clock::know_phases(std::uint32_t barrier, std::uint32_t complete) {
  if (complete && barrier >= phases.size())
    phases.resize(barrier + 1);
  if (complete)
    phases[barrier] = std::max(phases[barrier], complete);
}

void Clock::clear() {
  std::ranges::fill(lanes, LaneTimes{});
  phases.clear();
}

Clocks::Clocks(std::uint32_t warps) : groups_(warps), time_(warps, 1) {
  for (std::vector<Group> &groups : groups_)
    groups.push_back({kFullMask, none()});
}

Clock Clocks::none() const { return {std::vector<LaneTimes>(time_.size()), {}}; }

void Clocks::release(std::uint32_t warp, LaneMask lanes, Clock &into) {
  for (const Group &group : groups_[warp])
    if (group.lanes & lanes)
      into.join(group.clock);
  for_lanes(lanes, [&](unsigned lane) { into.lanes[warp][lane] = time_[warp]; });
  ++time_[warp];
}

void Clocks::acquire(std::uint32_t warp, LaneMask lanes, const Clock &from) {
  split(warp, lanes);
  for (Group &group : groups_[warp])
    if (group.lanes & lanes)
      group.clock.join(from);
  merge(warp);
}

void Clocks::meet(std::uint32_t warp, LaneMask lanes) {
  Clock all = none();
  release(warp, lanes, all);
  acquire(warp, lanes, all);
}

LaneMask Clocks::known(std::uint32_t warp, unsigned lane, std::uint32_t other, std::uint32_t time) const {
  const LaneTimes &times = of(warp, lane).lanes[other];
  LaneMask known = other == warp ? LaneMask{1} << lane : 0;
  for (unsigned i = 0; i < kWarpSize; ++i)
    known |= LaneMask{times[i] >= time} << i;
  return known;
}

const Clock &Clocks::of(std::uint32_t warp, unsigned lane) const {
  const auto group = std::ranges::find_if(groups_[warp], [&](const Group &each) { return each.lanes >> lane & 1; });
  return group->clock;
}

void Clocks::split(std::uint32_t warp, LaneMask lanes) {
  std::vector<Group> &groups = groups_[warp];
  for (std::size_t i = 0; i < groups.size(); ++i)
    if ((groups[i].lanes & lanes) && (groups[i].lanes & ~lanes)) {
      Group rest{groups[i].lanes & ~lanes, groups[i].clock};
      groups[i].lanes &= lanes;
      groups.push_back(std::move(rest));
    }
}

void Clocks::merge(std::uint32_t warp) {
  std::vector<Group> &groups = groups_[warp];
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t k = groups.size() - 1; k > i; --k)
      if (groups[k].clock == groups[i].clock) {
        groups[i].lanes |= groups[k].lanes;
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(k));
      }
}

} // namespace smem::race
