#include "race/interval.h"

#include <algorithm>

#include "value.h"

namespace smem::race {

IntervalChecker::IntervalChecker(std::uint64_t shared_bytes, std::uint64_t granule)
    : granule_(granule), block_((shared_bytes + granule - 1) / granule), warp_(block_.size()), ended_(block_.size()) {}

template <typename F> void IntervalChecker::granules(const WarpAccess &access, unsigned lane, F &&f) const {
  const std::uint64_t begin = access.address[access.anywhere ? 0 : lane];
  const std::uint64_t end = std::min<std::uint64_t>((begin + access.bytes + granule_ - 1) / granule_, block_.size());
  for (std::uint64_t i = begin / granule_; i < end; ++i)
    f(i);
}

void IntervalChecker::touch(Cell &cell, std::uint64_t epoch, bool within, bool decided,
                            const std::vector<WarpAccess> &accesses, Touch now, std::uint64_t at,
                            const Found &found) const {
  if (cell.epoch != epoch) {
    cell.epoch = epoch;
    cell.touches = {};
  }
  const WarpAccess &access = accesses[now.access];
  const auto other_agent = [&](const Touch &touch) {
    return within ? touch.lane != now.lane : accesses[touch.access].warp != access.warp;
  };
  for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic}) {
    if (!conflict(kind, access.kind))
      continue;
    for (const auto &touches : cell.touches[static_cast<std::size_t>(kind)])
      for (const Touch &touch : touches) {
        if (touch.access == kNone || !other_agent(touch))
          continue;
        const WarpAccess &before = accesses[touch.access];
        const bool may_be_ordered = before.segment != access.segment && within;
        found({&before, &access, touch.lane, now.lane, at * granule_, within,
               before.certain && access.certain && !before.anywhere && !access.anywhere && decided && !may_be_ordered});
      }
  }
  auto &mine = cell.touches[static_cast<std::size_t>(access.kind)][access.certain && !access.anywhere];
  if (mine[0].access == kNone)
    mine[0] = now;
  else if (mine[1].access == kNone && other_agent(mine[0]))
    mine[1] = now;
}

std::uint64_t IntervalChecker::check(const std::vector<WarpAccess> &accesses, const std::vector<WarpOrder> &orders,
                                     const Found &found) {
  const std::uint64_t block_epoch = ++epoch_;
  std::uint64_t warp_epoch = 0, compared = 0;
  for (std::uint32_t i = 0; i < accesses.size(); ++i) {
    const WarpAccess &access = accesses[i];
    if (i == 0 || accesses[i - 1].warp != access.warp ||
        (accesses[i - 1].segment != access.segment && !orders[access.warp].broken))
      warp_epoch = ++epoch_;
    unsigned lanes = 0;
    for_lanes(access.active, [&](unsigned lane) {
      if (access.anywhere && ++lanes > 2)
        return; // two stand for all: each may touch every byte
      granules(access, lane, [&](std::uint64_t at) {
        ++compared;
        const Touch now{i, static_cast<std::uint8_t>(lane)};
        touch(block_[at], block_epoch, false, true, accesses, now, at, found);
        touch(warp_[at], warp_epoch, true, !orders[access.warp].partial, accesses, now, at, found);
      });
    });
  }
  return compared;
}

void IntervalChecker::end_lanes(const WarpAccess &access, LaneMask lanes) {
  for_lanes(access.active & lanes, [&](unsigned lane) {
    granules(access, lane, [&](std::uint64_t at) { ended_[at] |= 1u << static_cast<unsigned>(access.kind); });
    any_ended_ = true;
  });
}

bool IntervalChecker::touches_ended(const WarpAccess &access) const {
  if (!any_ended_)
    return false;
  bool touches = false;
  for_lanes(access.active, [&](unsigned lane) {
    granules(access, lane, [&](std::uint64_t at) {
      for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic})
        touches |= (ended_[at] >> static_cast<unsigned>(kind) & 1) && conflict(kind, access.kind);
    });
  });
  return touches;
}

void IntervalChecker::begin_block() {
  ended_.assign(ended_.size(), 0);
  any_ended_ = false;
  written_.assign(ended_.size(), false);
  unwritten_ = written_.size();
}

void IntervalChecker::write(const WarpAccess &access) {
  if (unwritten_ == 0)
    return;
  const auto mark = [&](std::uint64_t at) {
    unwritten_ -= !written_[at];
    written_[at] = true;
  };
  if (access.anywhere)
    return granules(access, 0, mark);
  for_lanes(access.active, [&](unsigned lane) { granules(access, lane, mark); });
}

std::optional<std::pair<unsigned, std::uint64_t>> IntervalChecker::reads_unwritten(const WarpAccess &access) const {
  std::optional<std::pair<unsigned, std::uint64_t>> found;
  if (unwritten_ != 0)
    for_lanes(access.active, [&](unsigned lane) {
      granules(access, lane, [&](std::uint64_t at) {
        if (!found && !written_[at])
          found = {lane, at * granule_};
      });
    });
  return found;
}

} // namespace smem::race
