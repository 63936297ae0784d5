#include "race/ordered_block.h"

#include <algorithm>
#include <optional>

#include "race/block_run.h"
#include "race/order.h"

namespace smem::race {
namespace {

constexpr std::uint64_t kMbarrierBytes = 8;

class OrderedBlock {
public:
  OrderedBlock(Machine &machine, const RaceOptions &options, Scopes &scopes, RaceWatch &watch, RaceReport &report,
               GridTouches &grid)
      : machine_(machine), is_global_(options.memory == RaceMemory::Global), watch_(watch), report_(report),
        grid_(grid), block_(block_of(scopes)), accesses_(granule_of(machine.program, options.memory)),
        finished_(watch.warps().size()), turns_(watch.warps().size()) {
    warps_.reserve(count());
    for (std::uint32_t w = 0; w < count(); ++w)
      warps_.emplace_back(machine_, scopes, w, machine_.values_in_shared ? &shared_ : nullptr);
  }

  Warp::Status run() {
    machine_.race_watch = &watch_;
    const Warp::Status status = run_warps();
    machine_.race_watch = nullptr;
    return status;
  }

private:
  Warp::Status run_warps() {
    watch_.flush = [this] { take_accesses(); };
    watch_.begin_interval();
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t n = 0; n < count(); ++n) {
        // Most often the first ones copy: the others then see as little of it as can be.
        turn_ = machine_.program.waits_in_memory ? count() - 1 - n : n;
        if (finished_[turn_] || order().waits(turn_) || !passes_phases())
          continue;
        moved = true;
        if (const auto ended = take_turn())
          return *ended;
        if (finished_[turn_])
          order().end(turn_);
        else if (const auto &waits = watch_.warps()[turn_].waits; !waits.empty() && are_ready(waits))
          --n; // it need not wait: before the others make it too late
      }
      // Copies are under way for as long as all warps wait for them.
      Fault fault;
      moved = moved || watch_.sync->mbarriers.end_copies(fault);
      if (!fault.why.empty()) {
        report_.bad_barrier(fault.why, {}, false);
        return Warp::Status::Finished;
      }
    }
    report_waiting();
    if (!watch_.order_open.why.empty()) // what was executed is one order of several
      report_.give_up(watch_.order_open.why, place(watch_.order_open_at));
    for (const std::uint64_t address : watch_.sync->mbarriers.addresses())
      if (!is_global_ && accesses_.touched(address, kMbarrierBytes))
        report_.give_up("an mbarrier is accessed by something else, too", SourceLocation{});
    return Warp::Status::Finished;
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(watch_.warps().size()); }
  Order &order() { return watch_.sync->order; }
  SourceLocation place(const Instruction *instruction) const { return place_of(machine_.program, instruction); }

  /// The warp runs until it waits or ends. A result ends the block: it was not executed to its end, or the order of what follows is not known.
  std::optional<Warp::Status> take_turn() {
    watch_.begin_turn(turn_);
    const Warp::Status status = warps_[turn_].run(true);
    if (status == Warp::Status::Interrupted || status == Warp::Status::OutOfSteps)
      return status;
    finished_[turn_] = status != Warp::Status::AtBarrier;
    watch_.flush();
    report_.check_members(watch_);
    watch_.left_alone.clear();
    watch_.strangers.clear();
    ++turns_[turn_];
    waited_ |= watch_.fenced || watch_.warps()[turn_].undecided;
    if (machine_.steps >= machine_.step_limit)
      return Warp::Status::OutOfSteps;
    report_faults();
    return watch_.lost ? std::optional(Warp::Status::Finished) : std::nullopt;
  }

  void report_faults() {
    const bool late = watch_.late_lanes || watch_.late_at;
    if (late || watch_.reason)
      report_.executes_wrongly();
    if (late)
      report_.give_up("a barrier is reached by only some lanes of a warp", place(watch_.late_at));
    if (watch_.reason)
      report_.give_up(watch_.reason);
    if (!watch_.fault.why.empty())
      report_.bad_barrier(watch_.fault.why, place(watch_.fault_at),
                          watch_.fault.wrong && !watch_.undecided && !watch_.late_at);
    if (watch_.lost && !watch_.order_open.why.empty())
      report_.give_up(watch_.order_open.why, place(watch_.order_open_at));
  }

  /// What the warp has done with what it has known.
  void take_accesses() {
    const IntervalPlace interval{turns_[turn_], {}, {}};
    const bool waited = waited_ || watch_.fenced;
    report_.add_own_copies(watch_, block_, interval);
    machine_.steps += accesses_.add(
        watch_.accesses(), watch_.sync->clocks, watch_.hand_overs,
        [&](std::uint32_t warp) { return watch_.ends_waited_for(warp); },
        [&](const OrderedAccesses::Found &found) {
          const Conflict conflict{found.first,
                                  found.second,
                                  found.first_lane,
                                  found.second_lane,
                                  found.byte,
                                  found.first->warp == found.second->warp,
                                  found.certain && !watch_.blurred,
                                  found.alike};
          report_.add(conflict, watch_, block_, interval);
        });
    if (is_global_)
      for (const WarpAccess &access : watch_.accesses())
        grid_.add(access, access.certain && !waited);
  }

  bool are_ready(const std::vector<MbarrierWait> &waits) const {
    return std::ranges::all_of(waits, [&](const MbarrierWait &wait) { return watch_.sync->mbarriers.ready(wait); });
  }

  /// False: the warp waits for a phase of a barrier in shared memory.
  bool passes_phases() {
    std::vector<MbarrierWait> &waits = watch_.warps()[turn_].waits;
    if (!are_ready(waits))
      return false;
    for (const MbarrierWait &wait : waits)
      if (Fault fault = watch_.sync->mbarriers.pass(turn_, wait); !fault.why.empty())
        watch_.fail(std::move(fault), *wait.at);
    waits.clear();
    return true;
  }

  /// No warp goes on any more.
  void report_waiting() {
    const bool known = !watch_.undecided && !watch_.late_at && !report_.unproved();
    bool whole = true; // else other lanes of a warp may come
    for (std::uint32_t w = 0; w < count(); ++w)
      whole &= finished_[w] || watch_.warps()[w].waits.empty() || watch_.warps()[w].waits_whole;
    for (std::uint32_t w = 0; w < count(); ++w) {
      if (finished_[w])
        continue;
      if (order().waits(w)) {
        const BarrierCall &at = order().waits_at(w);
        report_.bad_barrier(
            "threads wait at barrier " + std::to_string(at.number) + " for others that do not come" +
                (watch_.order_open.why.empty() ? "" : ", in one of the orders that warps may come to it in"),
            place(at.instruction), known && whole);
        return;
      }
      for (const MbarrierWait &wait : watch_.warps()[w].waits) {
        if (watch_.sync->mbarriers.ready(wait))
          continue;
        const bool open = watch_.sync->mbarriers.open(wait);
        report_.bad_barrier(whole && !open ? "threads wait for a phase of an mbarrier that is never complete: " +
                                                 watch_.sync->mbarriers.missing(wait)
                                           : "whether a phase of an mbarrier is ever complete is not known",
                            place(wait.at), known && whole && !open);
        return;
      }
    }
  }

  Machine &machine_;
  bool is_global_;
  RaceWatch &watch_;
  RaceReport &report_;
  GridTouches &grid_;
  Dim3 block_;
  CellMemory shared_;
  std::vector<Warp> warps_;
  OrderedAccesses accesses_;
  std::vector<bool> finished_;
  std::vector<std::uint64_t> turns_; ///< by warp: it has run so often
  std::uint32_t turn_ = 0;           ///< the warp that runs
  bool waited_ = false;              ///< a warp may have waited for another block's threads
};

} // namespace

Warp::Status execute_ordered_block(Machine &machine, const RaceOptions &options, Scopes &scopes, RaceWatch &watch,
                                   RaceReport &report, GridTouches &grid) {
  return OrderedBlock(machine, options, scopes, watch, report, grid).run();
}

} // namespace smem::race
