#include "race/interval.h"

#include <algorithm>
#include <bit>

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
  if (!a.edges || !b.edges || a.warp != b.warp)
    return false;
  for (const auto &[branch, to] : *a.edges)
    for (const auto &[other, its] : *b.edges)
      if (branch == other && to != its)
        return true;
  return false;
}

IntervalChecker::IntervalChecker(std::uint64_t shared_bytes, std::uint64_t granule)
    : granule_(granule), block_((shared_bytes + granule - 1) / granule), warp_(block_.size()),
      by_block_{std::vector<bool>(block_.size())}, by_warp_(by_block_), ended_(block_.size()) {}

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
  std::uint64_t begin = access.address[access.anywhere && !access.stride ? 0 : lane];
  std::uint64_t end = (begin + access.bytes + granule_ - 1) / granule_;
  if (!sparse_) {
    if (access.stride && begin + access.bytes > access.end)
      return;
    for (;; begin += access.stride) {
      end = std::min<std::uint64_t>((begin + access.bytes + granule_ - 1) / granule_, block_.size());
      for (std::uint64_t i = begin / granule_; i < end; ++i)
        f(i, i);
      if (!access.stride || access.end - begin < access.stride + access.bytes)
        return;
    }
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

namespace {

/// Of an access: the row of a cell's touches that is its own, and the rows that it conflicts with or has to be compared with.
std::size_t row_of(const WarpAccess &access) {
  return 2 * static_cast<std::size_t>(access.kind) + (access.certain && !access.anywhere);
}

bool is_one_atomic(const WarpAccess &a, unsigned a_lane, const WarpAccess &b, unsigned b_lane) {
  return a.bytes == b.bytes && a.address[a_lane] == b.address[b_lane];
}

std::uint8_t compared_rows(Kind kind) {
  constexpr std::uint8_t reads = 0b000011;
  return kind == Kind::Read ? 0b111111 & ~reads : 0b111111;
}

} // namespace

void IntervalChecker::touch(Cell &cell, std::uint64_t epoch, bool within, bool decided,
                            const std::vector<WarpAccess> &accesses, Touch now, std::uint64_t at,
                            const Found &found) const {
  if (cell.epoch != epoch) {
    cell.epoch = epoch;
    cell.first = cell.second = 0;
  }
  const WarpAccess &access = accesses[now.access];
  const auto other_agent = [&](const Touch &touch) {
    return within ? touch.lane != now.lane : accesses[touch.access].warp != access.warp;
  };
  const auto alike = [&](const Touch &touch) {
    const WarpAccess &before = accesses[touch.access];
    return !touch.mixed && !before.anywhere && !access.anywhere && writes_alike(before, touch.lane, access, now.lane);
  };
  const auto compare = [&](const Touch &touch, bool atomics) {
    if (!other_agent(touch))
      return;
    const WarpAccess &before = accesses[touch.access];
    if (!touch.mixed && have_tickets_apart(before, access))
      return;
    // Atomics that overlap in part are not atomic to each other.
    if (atomics && (before.anywhere || access.anywhere || is_one_atomic(before, touch.lane, access, now.lane)))
      return;
    found({&before, &access, touch.lane, now.lane, at * granule_, within,
           before.certain && access.certain && !before.anywhere && !access.anywhere && decided && !atomics,
           alike(touch)});
  };
  const auto mix = [&](Touch &touch) {
    const WarpAccess &before = accesses[touch.access];
    touch.mixed |= before.ticket || access.ticket ? !have_tickets_apart(before, access)
                                                  : access.kind == Kind::Write && !alike(touch);
  };
  for (unsigned rows = cell.first & compared_rows(access.kind); rows; rows &= rows - 1) {
    const auto row = static_cast<std::size_t>(std::countr_zero(rows));
    const bool atomics = access.kind == Kind::Atomic && row / 2 == static_cast<std::size_t>(Kind::Atomic);
    compare(cell.touches[row][0], atomics);
    if (cell.second >> row & 1)
      compare(cell.touches[row][1], atomics);
  }
  const std::size_t row = row_of(access);
  std::array<Touch, 2> &mine = cell.touches[row];
  const auto bit = static_cast<std::uint8_t>(1u << row);
  if (!(cell.first & bit)) {
    mine[0] = now;
    cell.first |= bit;
  } else if (!(cell.second & bit)) {
    if (other_agent(mine[0])) {
      mine[1] = now;
      cell.second |= bit;
    } else if (access.kind == Kind::Write || any_tickets_) {
      mix(mine[0]);
    }
  } else if (access.kind == Kind::Write || any_tickets_) {
    for (Touch &touch : mine)
      if (!other_agent(touch))
        mix(touch);
  }
}

void IntervalChecker::note_written(std::span<const WarpAccess> accesses, Written &written) const {
  if (std::exchange(written.any, false))
    written.granules.assign(written.granules.size(), false);
  const auto note = [&](std::uint64_t place, std::uint64_t) { written.granules[place] = true; };
  for (const WarpAccess &access : accesses) {
    if (access.kind == Kind::Read || !access.active)
      continue;
    written.any = true;
    if (access.anywhere && !access.stride)
      granules(access, 0, note);
    else
      for_lanes(access.active, [&](unsigned lane) { granules(access, lane, note); });
  }
}

namespace {

/// All of an array that begins where it says.
bool is_of_whole_array(const WarpAccess &access) { return access.anywhere && !access.stride; }

} // namespace

void IntervalChecker::find_alike(const std::vector<WarpAccess> &accesses) {
  alike_.begin = alike_.end = 0;
  std::vector<std::uint64_t> bounds;
  for (const WarpAccess &access : accesses) {
    if (!is_of_whole_array(access) || !access.active)
      continue;
    const std::uint64_t end = (access.address[0] + access.bytes + granule_ - 1) / granule_;
    bounds.push_back(access.address[0] / granule_);
    bounds.push_back(std::min<std::uint64_t>(end, block_.size()));
  }
  std::ranges::sort(bounds);
  const auto repeated = std::ranges::unique(bounds);
  bounds.erase(repeated.begin(), repeated.end());
  if (bounds.size() < 2)
    return;
  alike_.begin = bounds.front();
  alike_.end = bounds.back();
  // Classes are told apart by one lane of one access after the other.
  struct Class {
    std::uint32_t split_by = 0,
                  other = 0; ///< the lane that split it last, and what became of the granules that it touches
  };
  std::vector<Class> classes(bounds.size() - 1);
  std::vector<std::uint32_t> &class_of = alike_.class_of;
  class_of.clear();
  for (std::uint32_t part = 0; part + 1 < bounds.size(); ++part)
    class_of.insert(class_of.end(), bounds[part + 1] - bounds[part], part);
  std::uint32_t turn = 0;
  for (const WarpAccess &access : accesses) {
    if (is_of_whole_array(access))
      continue; // the same in all of a part
    for_lanes(access.active, [&](unsigned lane) {
      ++turn;
      std::as_const(*this).granules(access, lane, [&](std::uint64_t place, std::uint64_t) {
        if (place < alike_.begin || place >= alike_.end)
          return;
        std::uint32_t &mine = class_of[place - alike_.begin];
        if (classes[mine].split_by != turn) {
          classes[mine] = {turn, static_cast<std::uint32_t>(classes.size())};
          classes.emplace_back();
        }
        mine = classes[mine].other;
      });
    });
  }
  alike_.first.clear();
  alike_.stands_for_itself.assign(class_of.size(), false);
  std::vector<bool> met(classes.size());
  for (std::size_t i = 0; i < class_of.size(); ++i)
    if (!met[class_of[i]]) {
      met[class_of[i]] = alike_.stands_for_itself[i] = true;
      alike_.first.push_back(static_cast<std::uint32_t>(alike_.begin + i));
    }
}

/// Returns how many granules it touches, of which f is called with those that stand for others.
template <typename F> std::uint64_t IntervalChecker::representatives(const WarpAccess &access, unsigned lane, F &&f) {
  if (sparse_ || !is_of_whole_array(access)) {
    std::uint64_t touched = 0;
    granules(access, lane, [&](std::uint64_t place, std::uint64_t granule) {
      ++touched;
      if (sparse_ || !alike_.skips(place))
        f(place, granule);
    });
    return touched;
  }
  const std::uint64_t begin = access.address[0] / granule_,
                      end = std::min<std::uint64_t>((access.address[0] + access.bytes + granule_ - 1) / granule_,
                                                    block_.size());
  for (auto at = std::ranges::lower_bound(alike_.first, begin); at != alike_.first.end() && *at < end; ++at)
    f(std::uint64_t{*at}, std::uint64_t{*at});
  return end > begin ? end - begin : 0;
}

namespace {

/// What the lanes of a warp know of each other: up to which segment they have come, as far as barriers tell.
class LaneKnowledge {
public:
  /// The barrier at the end of a segment.
  void meet(LaneMask lanes, std::uint32_t segment) {
    Segments all{};
    for_lanes(lanes, [&](unsigned lane) {
      for (unsigned other = 0; other < kWarpSize; ++other)
        all[other] = std::max(all[other], known_[lane][other]);
    });
    for_lanes(lanes, [&](unsigned lane) { all[lane] = segment + 1; });
    for_lanes(lanes, [&](unsigned lane) { known_[lane] = all; });
  }
  bool knows(unsigned lane, unsigned other, std::uint32_t segment) const { return known_[lane][other] > segment; }
  bool all_know(unsigned other, std::uint32_t segment) const {
    return std::ranges::all_of(known_, [&](const Segments &known) { return known[other] > segment; });
  }

private:
  using Segments = std::array<std::uint32_t, kWarpSize>;
  std::array<Segments, kWarpSize> known_{};
};

} // namespace

/// Between lanes of one warp whose barriers are of some of them.
std::uint64_t IntervalChecker::check_lanes(const std::vector<WarpAccess> &accesses, std::uint32_t begin,
                                           std::uint32_t end, const WarpOrder &order, const Found &found) {
  struct LaneTouch {
    std::uint32_t access = 0;
    unsigned lane = 0;
    bool mixed = false;
  };
  std::unordered_map<std::uint64_t, std::vector<LaneTouch>> cells;
  LaneKnowledge knowledge;
  std::uint32_t segment = 0;
  LaneMask ended = 0; ///< before a barrier that has been
  std::uint64_t compared = 0;
  const auto meets = [&](const LaneTouch &touch, const WarpAccess &access, unsigned lane, std::uint64_t granule) {
    const WarpAccess &before = accesses[touch.access];
    const bool atomics = before.kind == Kind::Atomic && access.kind == Kind::Atomic;
    if (touch.lane == lane || (!conflict(before.kind, access.kind) && !atomics) ||
        knowledge.knows(lane, touch.lane, before.segment) || (!touch.mixed && have_tickets_apart(before, access)))
      return;
    const bool known = !before.anywhere && !access.anywhere;
    if (atomics && (!known || is_one_atomic(before, touch.lane, access, lane)))
      return;
    const bool may_be_ordered = (ended >> touch.lane | ended >> lane) & 1;
    found({&before, &access, touch.lane, lane, granule * granule_, true,
           before.certain && access.certain && known && !order.partial && !may_be_ordered && !atomics,
           known && !touch.mixed && writes_alike(before, touch.lane, access, lane)});
  };
  const auto keep = [&](std::vector<LaneTouch> &cell, std::uint32_t i, unsigned lane) {
    const WarpAccess &access = accesses[i];
    for (LaneTouch &touch : cell) {
      const WarpAccess &before = accesses[touch.access];
      if (touch.lane != lane || row_of(before) != row_of(access) || before.segment != access.segment)
        continue;
      const bool known = !before.anywhere && !access.anywhere;
      touch.mixed |= before.ticket || access.ticket
                         ? !have_tickets_apart(before, access)
                         : access.kind == Kind::Write && !(known && writes_alike(before, lane, access, lane));
      return;
    }
    std::erase_if(
        cell, [&](const LaneTouch &touch) { return knowledge.all_know(touch.lane, accesses[touch.access].segment); });
    cell.push_back({i, lane, false});
  };
  for (std::uint32_t i = begin; i < end; ++i) {
    const WarpAccess &access = accesses[i];
    for (; segment < access.segment; ++segment) {
      knowledge.meet(order.meetings[segment].lanes, segment);
      ended |= order.meetings[segment].ended;
    }
    for_lanes(access.active, [&](unsigned lane) {
      compared += representatives(access, lane, [&](std::uint64_t place, std::uint64_t granule) {
        if (!may_be_written(access, place))
          return;
        std::vector<LaneTouch> &cell = cells[place];
        for (const LaneTouch &touch : cell)
          meets(touch, access, lane, granule);
        keep(cell, i, lane);
      });
    });
  }
  return compared;
}

std::uint64_t IntervalChecker::check(const std::vector<WarpAccess> &accesses, const std::vector<WarpOrder> &orders,
                                     const Found &found) {
  const std::uint64_t block_epoch = ++epoch_;
  std::uint64_t warp_epoch = 0, compared = 0;
  forget_places();
  any_tickets_ = std::ranges::any_of(accesses, [](const WarpAccess &access) { return access.ticket != 0; });
  if (!sparse_) {
    note_written(accesses, by_block_);
    find_alike(accesses);
  }
  const auto begins = [&](std::size_t i) {
    return i == 0 || accesses[i - 1].warp != accesses[i].warp ||
           (accesses[i - 1].segment != accesses[i].segment && !orders[accesses[i].warp].in_part);
  };
  for (std::uint32_t i = 0; i < accesses.size(); ++i) {
    const WarpAccess &access = accesses[i];
    const WarpOrder &order = orders[access.warp];
    if (begins(i) && order.in_part) {
      std::uint32_t end = i + 1;
      while (end < accesses.size() && accesses[end].warp == access.warp)
        ++end;
      compared += check_lanes(accesses, i, end, order, found);
    }
    if (begins(i)) {
      warp_epoch = ++epoch_;
      if (!sparse_ && by_block_.any) {
        std::size_t end = i + 1;
        while (end < accesses.size() && !begins(end))
          ++end;
        note_written(std::span(accesses).subspan(i, end - i), by_warp_);
      }
    }
    // Most of what a warp reads, nothing writes meanwhile.
    const bool reads = !sparse_ && access.kind == Kind::Read;
    unsigned lanes = 0;
    for_lanes(access.active, [&](unsigned lane) {
      if (access.anywhere && !access.stride && ++lanes > 2)
        return; // two stand for all: each may touch every byte
      compared += representatives(access, lane, [&](std::uint64_t place, std::uint64_t granule) {
        if (!may_be_written(access, place))
          return;
        const Touch now{i, lane, false};
        touch(block_[place], block_epoch, false, true, accesses, now, granule, found);
        if (!order.in_part && (!reads || (by_warp_.any && by_warp_.granules[place])))
          touch(warp_[place], warp_epoch, true, !order.partial, accesses, now, granule, found);
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
  if (access.anywhere && !access.stride)
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

void IntervalChecker::find_read_before_written(const std::vector<WarpAccess> &accesses,
                                               const std::vector<bool> &looked_at, const FoundUnwritten &found) const {
  const auto in_question = [&](const WarpAccess &access) {
    return access.kind == Kind::Read && access.certain && !access.anywhere && looked_at[access.operation] &&
           reads_unwritten(access);
  };
  if (unwritten_ == 0 || std::ranges::none_of(accesses, in_question))
    return;
  constexpr std::uint64_t kSeveral = ~std::uint64_t{0};
  struct FirstWrite {
    std::uint64_t thread;
    std::size_t at; ///< in `accesses`
  };
  const auto thread_of = [](const WarpAccess &access, unsigned lane) {
    return std::uint64_t{access.warp} * kWarpSize + lane;
  };
  std::unordered_map<std::uint64_t, FirstWrite> writes; // by granule
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const WarpAccess &access = accesses[i];
    if (access.kind == Kind::Read)
      continue;
    const bool everywhere = access.anywhere && !access.stride;
    for_lanes(everywhere ? LaneMask{1} : access.active, [&](unsigned lane) {
      const std::uint64_t thread = everywhere ? kSeveral : thread_of(access, lane);
      granules(access, lane, [&](std::uint64_t at, std::uint64_t) {
        const auto [known, fresh] = writes.try_emplace(at, FirstWrite{thread, i});
        if (!fresh && known->second.thread != thread)
          known->second.thread = kSeveral;
      });
    });
  }
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (!in_question(accesses[i]))
      continue;
    bool known = false;
    for_lanes(accesses[i].active, [&](unsigned lane) {
      granules(accesses[i], lane, [&](std::uint64_t at, std::uint64_t granule) {
        const auto write = known || written_[at] ? writes.end() : writes.find(at);
        if (write == writes.end() || write->second.thread != thread_of(accesses[i], lane) || write->second.at < i)
          return;
        known = true;
        found(accesses[i], lane, granule * granule_);
      });
    });
  }
}

} // namespace smem::race
