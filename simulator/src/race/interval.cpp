#include "race/interval.h"

#include <algorithm>

#include "value.h"

namespace smem::race {

namespace {

constexpr std::size_t kMostPlaces = 1'000'000; ///< of global memory; each takes some 250 bytes
constexpr unsigned kOffsetBits = 44;           ///< kGlobalOrigin and what lies around it, as granules

std::uint64_t key_of(std::uint32_t memory, std::uint64_t granule) {
  return std::uint64_t{memory} << kOffsetBits | granule;
}

} // namespace

bool exclude_each_other(const WarpAccess &a, const WarpAccess &b) {
  if (!a.ways || !b.ways || a.warp != b.warp)
    return false;
  for (const auto &[branch, way] : *a.ways)
    for (const auto &[other, its] : *b.ways)
      if (branch == other && way != its)
        return true;
  return false;
}

IntervalChecker::IntervalChecker(std::uint64_t shared_bytes, std::uint64_t granule)
    : granule_(granule), block_((shared_bytes + granule - 1) / granule), warp_(block_.size()), ended_(block_.size()) {}

IntervalChecker::IntervalChecker(std::uint64_t granule) : granule_(granule), sparse_(true) {}

template <typename F> void IntervalChecker::granules(const WarpAccess &access, unsigned lane, F &&f) {
  if (!sparse_)
    return std::as_const(*this).granules(access, lane, std::forward<F>(f));
  const std::uint64_t begin = access.address[lane], end = (begin + access.bytes + granule_ - 1) / granule_;
  for (std::uint64_t i = begin / granule_; i < end; ++i) {
    if (place_.size() >= kMostPlaces) {
      too_much_ = true;
      return;
    }
    const auto [entry, added] = place_.try_emplace(key_of(access.memory, i), static_cast<std::uint32_t>(place_.size()));
    if (added && entry->second >= block_.size()) {
      block_.emplace_back();
      warp_.emplace_back();
      ended_.emplace_back();
    }
    f(std::uint64_t{entry->second}, i);
  }
}

template <typename F> void IntervalChecker::granules(const WarpAccess &access, unsigned lane, F &&f) const {
  const std::uint64_t begin = access.address[access.anywhere ? 0 : lane];
  const std::uint64_t end = (begin + access.bytes + granule_ - 1) / granule_;
  if (!sparse_) {
    const std::uint64_t bound = std::min<std::uint64_t>(end, block_.size());
    for (std::uint64_t i = begin / granule_; i < bound; ++i)
      f(i, i);
    return;
  }
  for (std::uint64_t i = begin / granule_; i < end; ++i)
    if (const auto known = place_.find(key_of(access.memory, i)); known != place_.end())
      f(std::uint64_t{known->second}, i);
}

void IntervalChecker::forget_places() {
  if (!sparse_ || any_ended_)
    return;
  place_.clear();
  // What a place has held is of another granule now; the epochs tell.
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
  const auto alike = [&](const Touch &touch) {
    const WarpAccess &before = accesses[touch.access];
    return !touch.mixed && !before.anywhere && !access.anywhere && writes_alike(before, touch.lane, access, now.lane);
  };
  for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic}) {
    const bool atomics = kind == Kind::Atomic && access.kind == Kind::Atomic;
    if (!conflict(kind, access.kind) && !atomics)
      continue;
    for (const auto &touches : cell.touches[static_cast<std::size_t>(kind)])
      for (const Touch &touch : touches) {
        if (touch.access == kNone || !other_agent(touch))
          continue;
        const WarpAccess &before = accesses[touch.access];
        // Atomics that overlap in part are not atomic to each other.
        if (atomics && !before.anywhere && !access.anywhere && before.bytes == access.bytes &&
            before.address[touch.lane] == access.address[now.lane])
          continue;
        if (atomics && (before.anywhere || access.anywhere))
          continue;
        const bool may_be_ordered = before.segment != access.segment && within;
        found({&before, &access, touch.lane, now.lane, at * granule_, within,
               before.certain && access.certain && !before.anywhere && !access.anywhere && decided && !may_be_ordered &&
                   !atomics,
               alike(touch)});
      }
  }
  auto &mine = cell.touches[static_cast<std::size_t>(access.kind)][access.certain && !access.anywhere];
  if (mine[0].access == kNone)
    mine[0] = now;
  else if (mine[1].access == kNone && other_agent(mine[0]))
    mine[1] = now;
  else if (access.kind == Kind::Write)
    for (Touch &touch : mine)
      if (touch.access != kNone && !other_agent(touch))
        touch.mixed |= !alike(touch);
}

std::uint64_t IntervalChecker::check(const std::vector<WarpAccess> &accesses, const std::vector<WarpOrder> &orders,
                                     const Found &found) {
  const std::uint64_t block_epoch = ++epoch_;
  std::uint64_t warp_epoch = 0, compared = 0;
  forget_places();
  for (std::uint32_t i = 0; i < accesses.size(); ++i) {
    const WarpAccess &access = accesses[i];
    if (i == 0 || accesses[i - 1].warp != access.warp ||
        (accesses[i - 1].segment != access.segment && !orders[access.warp].broken))
      warp_epoch = ++epoch_;
    unsigned lanes = 0;
    for_lanes(access.active, [&](unsigned lane) {
      if (access.anywhere && ++lanes > 2)
        return; // two stand for all: each may touch every byte
      granules(access, lane, [&](std::uint64_t place, std::uint64_t granule) {
        ++compared;
        const Touch now{i, static_cast<std::uint8_t>(lane), false};
        touch(block_[place], block_epoch, false, true, accesses, now, granule, found);
        touch(warp_[place], warp_epoch, true, !orders[access.warp].partial, accesses, now, granule, found);
      });
    });
  }
  return compared;
}

void IntervalChecker::end_lanes(const WarpAccess &access, LaneMask lanes) {
  for_lanes(access.active & lanes, [&](unsigned lane) {
    granules(access, lane,
             [&](std::uint64_t at, std::uint64_t) { ended_[at] |= 1u << static_cast<unsigned>(access.kind); });
    any_ended_ = true;
  });
}

bool IntervalChecker::touches_ended(const WarpAccess &access) const {
  if (!any_ended_)
    return false;
  bool touches = false;
  for_lanes(access.active, [&](unsigned lane) {
    granules(access, lane, [&](std::uint64_t at, std::uint64_t) {
      for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic})
        touches |= (ended_[at] >> static_cast<unsigned>(kind) & 1) && conflict(kind, access.kind);
    });
  });
  return touches;
}

void IntervalChecker::begin_block() {
  ended_.assign(ended_.size(), 0);
  any_ended_ = false;
  forget_places();
  written_.assign(ended_.size(), false);
  unwritten_ = written_.size();
}

void IntervalChecker::write(const WarpAccess &access) {
  if (unwritten_ == 0)
    return;
  const auto mark = [&](std::uint64_t at, std::uint64_t) {
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
      granules(access, lane, [&](std::uint64_t at, std::uint64_t granule) {
        if (!found && !written_[at])
          found = {lane, granule * granule_};
      });
    });
  return found;
}

} // namespace smem::race
