#include "race/all_paths.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "classes.h"
#include "race/block_run.h"
#include "race/choices.h"
#include "race/grid.h"
#include "race/interval.h"
#include "race/memories.h"
#include "race/read_only_arrays.h"

namespace smem::race {
namespace {

constexpr std::size_t kMostPaths = 256;

/// What both stand for; nullopt: it is no box.
std::optional<Box> common_part(Box box, const Box &other) {
  const auto alike = [](const Digit &a, const Digit &b) { return a.axis == b.axis && a.weight == b.weight; };
  if (!std::ranges::equal(box.digits, other.digits, alike))
    return std::nullopt;
  for (std::size_t i = 0; i < box.digits.size(); ++i)
    box.digits[i].extent = std::min(box.digits[i].extent, other.digits[i].extent);
  return box;
}

class AllPaths {
public:
  AllPaths(Machine &machine, Choices &choices)
      : machine_(machine), choices_(choices), grid_(global_.memories, stored_),
        checker_(granule_of(machine.program, RaceMemory::Global)) {}

  bool run() {
    UncoveredBlocks open(machine_.launch);
    while (const std::optional<Box> box = open.next())
      if (!all_paths(*box, open))
        return false;
    return blocks_apart();
  }

private:
  enum class Outcome : std::uint8_t { Done, Again, NotFree };

  /// Of one class of blocks, what they touch on any path is taken together: each block may take any. False: it is not known to be free.
  bool all_paths(const Box &box, UncoveredBlocks &open) {
    grid_.begin_class();
    choices_.restart();
    std::optional<Box> region;
    std::size_t paths = 0;
    bool more = true;
    while (more) {
      if (++paths > kMostPaths)
        return false;
      Scopes scopes(box);
      switch (execute(scopes)) {
      case Outcome::NotFree: return false;
      case Outcome::Done: break;
      case Outcome::Again:
        if (choices_.again && !choices_.failed) { // less is assumed of what an iteration keeps
          grid_.begin_class();
          choices_.restart();
          region.reset();
          continue;
        }
        if (choices_.failed || !scopes.wished())
          return false;
        open.divide(box, *scopes.wished());
        return true;
      }
      region = region ? common_part(*region, scopes.region()) : scopes.region();
      if (!region)
        return false;
      more = choices_.next();
    }
    grid_.end_class({*region, {box.corner(0), box.corner(1), box.corner(2)}});
    open.cover(box, *region);
    return true;
  }

  Outcome execute(Scopes &scopes) {
    const std::uint64_t threads = machine_.launch.block.count();
    RaceWatch watch((threads + kWarpSize - 1) / kWarpSize, stored_, &global_, nullptr);
    Outcome outcome = Outcome::Done;
    const auto take = [&](const BlockRun &run, const BlockRun::Interval &interval) {
      if (interval.status == Warp::Status::Interrupted)
        outcome = Outcome::Again;
      else if (interval.status != Warp::Status::Finished || interval.other || !is_free(watch, scopes) ||
               machine_.steps >= machine_.step_limit || grid_.too_many())
        outcome = Outcome::NotFree;
      ends_early_ |= interval.barrier && leaves_threads_out(watch); // which no barrier orders
      for (const WarpAccess &access : watch.accesses())
        grid_.add(access, false);
      if (choices_.closed() && !choices_.closed_alike(run.running()))
        outcome = Outcome::NotFree; // warps that are not together go on along other paths
      return outcome == Outcome::Done && !choices_.closed();
    };
    run_intervals(machine_, scopes, watch, nullptr, checker_, take);
    return outcome;
  }

  bool is_free(RaceWatch &watch, const Scopes &scopes) {
    watch.check_tickets();
    if (watch.lost || watch.reason || watch.late_lanes || checker_.too_much() || !watch.own_copies().empty())
      return false;
    const std::vector<WarpAccess> &accesses = watch.accesses();
    if (std::ranges::any_of(watch.warps(), &RaceWatch::WarpState::at_grid_barrier) ||
        std::ranges::any_of(accesses, [&](const WarpAccess &access) { return checker_.touches_ended(access); }))
      return false;
    bool free = true;
    machine_.steps +=
        checker_.check(accesses, watch.orders(), [&](const Conflict &conflict) { free &= conflict.alike; });
    return free && memories_apart(accesses, scopes);
  }

  /// The checker looks at each memory by itself. Between intervals barriers order them.
  bool memories_apart(const std::vector<WarpAccess> &accesses, const Scopes &scopes) {
    const bool one = std::ranges::all_of(
        accesses, [&](const WarpAccess &access) { return access.memory == accesses.front().memory; });
    if (one)
      return true;
    GridTouches interval(global_.memories, stored_);
    interval.begin_class();
    for (const WarpAccess &access : accesses)
      interval.add(access, false);
    interval.end_class({scopes.box(), {}});
    return apart_within_block(interval);
  }

  bool apart_within_block(const GridTouches &touches) {
    bool overlap = false;
    return touches.overlap_within_block(machine_.steps, machine_.step_limit, overlap) ==
               GridTouches::Result::Compared &&
           !overlap;
  }

  bool blocks_apart() {
    if (ends_early_ && !apart_within_block(grid_))
      return false;
    bool free = true;
    const GridTouches::Result result = grid_.compare(machine_.steps, machine_.step_limit,
                                                     [&](const BlockConflict &conflict) { free &= conflict.alike; });
    return result == GridTouches::Result::Compared && free && !conflict_of_lost(global_, grid_.kinds());
  }

  Machine &machine_;
  Choices &choices_;
  StoredValues stored_;
  GlobalAccesses global_;
  GridTouches grid_;
  IntervalChecker checker_;
  bool ends_early_ = false; ///< threads have ended where others come to a barrier
};

} // namespace

bool free_on_all_paths(Machine &machine) {
  Choices choices(1, true);
  machine.choices = &choices;
  machine.symbols.of_class = true;
  machine.values_in_shared = false;
  machine.find_guarded_barriers();
  LoadedNumbers loaded(machine);
  machine.loaded = &loaded;
  const bool free = AllPaths(machine, choices).run();
  machine.choices = nullptr;
  machine.loaded = nullptr;
  return free;
}

} // namespace smem::race
