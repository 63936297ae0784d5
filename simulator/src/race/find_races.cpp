#include "smem/race.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "classes.h"
#include "race/all_ways.h"
#include "race/assumed_values.h"
#include "race/block_run.h"
#include "race/grid.h"
#include "race/interval.h"
#include "race/memories.h"
#include "race/order.h"
#include "race/race_watch.h"
#include "race/spins.h"

namespace smem {
namespace {

using race::Conflict;
using race::RaceWatch;
using race::WarpAccess;

/// Between whom.
enum Between : std::uint8_t { Warps, Lanes, Blocks };

class Search {
public:
  Search(Machine &machine, const RaceOptions &options, Races &races, bool each_block)
      : machine_(machine), options_(options), races_(races), grid_(global_.memories, stored_),
        checker_(options.memory == RaceMemory::Shared
                     ? race::IntervalChecker(machine.shared_bytes, race::granule_of(machine.program, options.memory))
                     : race::IntervalChecker(race::granule_of(machine.program, options.memory))),
        warps_(static_cast<std::uint32_t>((machine.launch.block.count() + kWarpSize - 1) / kWarpSize)) {
    global_.each_block = each_block;
    ordered_ = race::orders_in_part(machine.program, machine.launch);
    blocking_ = race::find_spins(machine.program);
    conditional_barriers_ = race::has_barriers_under_conditions(machine.program, machine.flow, false);
    races_.barriers_always = !conditional_barriers_;
  }

  /// False: what was found holds only if each block is executed for itself.
  bool run() {
    std::vector<Box> open{whole_grid(machine_.launch)};
    while (!open.empty()) {
      const Box box = std::move(open.back());
      open.pop_back();
      Scopes scopes(box);
      grid_.begin_class();
      const Warp::Status status = block(scopes);
      if (ends_early()) {
        conclude();
        return true;
      }
      if (free_in_all_ways()) {
        unproved_ = false;
        maybe_.fill(false);
        conclude();
        return true;
      }
      if (status == Warp::Status::Interrupted) {
        const PeriodWish wish = *scopes.wished();
        for (Box &part : split(box, wish.dimension, wish.period))
          open.push_back(std::move(part));
        continue;
      }
      if (status == Warp::Status::OutOfSteps || grid_.too_many() || checker_.too_much()) {
        out_of_steps();
        break;
      }
      grid_.end_class({scopes.region(), {box.corner(0), box.corner(1), box.corner(2)}});
      for (Box &rest : remainder(box, scopes.region()))
        open.push_back(std::move(rest));
    }
    if (is_global() && !compare_blocks())
      return false;
    conclude();
    return true;
  }

private:
  bool is_global() const { return options_.memory == RaceMemory::Global; }

  /// After the first block that leaves something open: a condition that is not known guards a barrier, but it is the same for all threads of a block, and all is free either way.
  bool free_in_all_ways() {
    if (!is_global() || !unproved_ || std::exchange(tried_ways_, true) || !conditional_barriers_ || ordered_ ||
        machine_.assumed || global_.each_block || !races_.witnesses.empty() || machine_.steps >= machine_.step_limit)
      return false;
    SimulationOptions rest = machine_.options;
    rest.max_steps = (machine_.step_limit - machine_.steps) / 2;
    Machine machine(machine_.program, machine_.launch, machine_.architecture, rest);
    machine.symbols.exact = true;
    check_launch(machine);
    const bool free = race::free_in_all_ways(machine);
    machine_.steps += machine.steps;
    return free;
  }

  /// Nothing that is still to come makes it free.
  bool ends_early() const {
    return options_.until_not_free && (unproved_ || !races_.witnesses.empty() || !races_.same_value.empty());
  }

  void out_of_steps() {
    give_up("the budget of " + std::to_string(options_.max_steps) + " steps for races is too small", {});
  }
  void give_up(std::string why, SourceLocation location) {
    if (!unproved_)
      races_.reason = std::move(why), races_.reason_location = std::move(location);
    unproved_ = true;
    maybe_.fill(true);
  }
  void give_up(std::uint32_t reason) { give_up(machine_.reasons[reason].text, machine_.reasons[reason].location); }

  /// The barrier's threads do not come to it as they should. `certain`: nothing that is not known decides that.
  void bad_barrier(const std::string &why, const SourceLocation &place, bool certain) {
    give_up(why, place);
    broken_ = true;
    if (certain)
      add_barrier(why, place);
  }

  /// Of shuffles and the like, which order nothing, and __syncwarp().
  void check_members(const RaceWatch &watch) {
    races_.barriers_open |= watch.masks_open;
    for (const Instruction *at : watch.left_alone)
      add_barrier("its mask names lanes of the warp that do not come to it", place(at));
    for (const Instruction *at : watch.strangers)
      add_barrier("its mask does not name all lanes that execute it", place(at));
  }

  void add_barrier(const std::string &why, const SourceLocation &place) {
    if (std::ranges::find(races_.barriers, place, &Problem::location) != races_.barriers.end())
      return;
    Problem problem;
    problem.kind = Problem::Kind::DivergentBarrier;
    problem.message = why;
    problem.location = place;
    races_.barriers.push_back(std::move(problem));
  }

  void add_excusing(const SourceLocation &place) {
    if (std::ranges::find(races_.excusing, place) == races_.excusing.end())
      races_.excusing.push_back(place);
  }

  void conclude() {
    if (broken_) // some go on
      races_.excusing.clear();
    if (machine_.assumed && broken_) { // no launch has these values
      found_.fill(false);
      maybe_.fill(true);
      races_.witnesses.clear();
    }
    const std::array<RaceVerdict *, 3> verdicts{&races_.between_warps, &races_.within_warp, &races_.between_blocks};
    bool unknown = false;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const bool apart = i == Blocks && !is_global(); // blocks share no shared memory
      *verdicts[i] = found_[i] ? RaceVerdict::Race : maybe_[i] && !apart ? RaceVerdict::Unknown : RaceVerdict::Free;
      unknown |= *verdicts[i] == RaceVerdict::Unknown;
    }
    if (!unknown) {
      races_.reason.clear();
      races_.reason_location = {};
    }
  }

  /// What no barrier orders, and what the intervals of a block have not shown.
  bool compare_blocks() {
    using Result = race::GridTouches::Result;
    const std::uint64_t most = options_.max_steps;
    bool overlap = false;
    Result result = grid_.overlap_within_block(machine_.steps, most, overlap);
    if (overlap && !global_.each_block)
      return false;
    if (result == Result::Compared && !overlap)
      result = grid_.compare(machine_.steps, most, [&](const race::BlockConflict &conflict) { add(conflict); });
    if (result == Result::TooMany)
      out_of_steps();
    if (result == Result::Apart || overlap)
      give_up("how far accesses of one array are apart depends on an argument or on data that are not known", {});
    give_up_lost();
    return true;
  }

  void give_up_lost() {
    if (const std::uint32_t why = race::conflict_of_lost(global_, grid_.kinds()))
      give_up(why);
  }

  SourceLocation place(const Instruction *barrier) const { return race::place_of(machine_.program, barrier); }

  Warp::Status block(Scopes &scopes) {
    std::optional<race::Synchronization> sync;
    if (ordered_)
      sync.emplace(warps_);
    RaceWatch watch(warps_, stored_, is_global() ? &global_ : nullptr, sync ? &*sync : nullptr);
    watch.blocking = blocking_;
    machine_.race_watch = &watch;
    const Warp::Status status = ordered_ ? execute_ordered(scopes, watch) : execute(scopes, watch);
    machine_.race_watch = nullptr;
    races_.leaves_arrays |= watch.leaves_arrays;
    races_.barriers_open |= watch.undecided && conditional_barriers_;
    return status;
  }

  Warp::Status execute(Scopes &scopes, RaceWatch &watch) {
    CellMemory shared;
    race::BlockRun run(machine_, scopes, watch, machine_.values_in_shared ? &shared : nullptr);
    checker_.begin_block();
    bool all_writes_known = !is_global();
    bool waited = false; // a warp may have waited for another block's threads
    SourceLocation begin;
    std::uint32_t phase = 0; // barriers of the grid
    for (std::uint64_t interval = 0;; ++interval) {
      const race::BlockRun::Interval ran = run.run();
      if (ran.status != Warp::Status::Finished)
        return ran.status;
      if (ran.other && !watch.lost) {
        const SourceLocation here = place(ran.other), there = place(ran.barrier);
        bad_barrier((here == there ? "warps of a block wait at barriers of different numbers"
                                   : "warps of a block wait at different barriers") +
                        (here.known() && there.known() && !(here == there)
                             ? ": lines " + std::to_string(there.line) + " and " + std::to_string(here.line)
                             : std::string()),
                    there, !watch.undecided);
        watch.lost = true;
      }
      if (ran.barrier && !watch.lost && race::leaves_threads_out(watch))
        add_excusing(place(ran.barrier));
      check(watch, scopes, {interval, begin, run.finished() || ran.other ? SourceLocation{} : place(ran.barrier)});
      if (ends_early())
        return Warp::Status::Finished;
      if (watch.passes_grid_barrier(run.running())) {
        ++phase;
        grid_barrier_ = place(ran.barrier);
      }
      if (is_global()) {
        for (const WarpAccess &access : watch.accesses())
          grid_.add(access, access.certain && !waited && !watch.fenced, phase);
        waited |= watch.fenced;
        for (const RaceWatch::WarpState &warp : watch.warps())
          waited |= warp.undecided != 0;
      }
      // Where accesses are lost, a write may be among them; lanes that a barrier has passed by may still write before it.
      all_writes_known &= !watch.lost && !watch.late_at && !watch.reason;
      if (all_writes_known)
        find_unwritten(watch, scopes);
      if (machine_.steps >= machine_.step_limit)
        return Warp::Status::OutOfSteps;
      if (watch.late_lanes || watch.reason)
        broken_ = true;
      if (watch.late_lanes)
        give_up("a barrier is reached by only some lanes of a warp", place(watch.late_at));
      if (watch.reason)
        give_up(watch.reason);
      if (watch.lost || run.finished()) {
        end_at_phase(phase, !watch.undecided && !watch.lost);
        return Warp::Status::Finished;
      }
      race::end_lanes(checker_, watch);
      begin = place(ran.barrier);
    }
  }

  /// A block comes to as many barriers of the grid. `certain`: nothing that is not known decides that.
  void end_at_phase(std::uint32_t phase, bool certain) {
    if (phases_.value_or(phase) != phase)
      bad_barrier("blocks come to different numbers of barriers of the grid", grid_barrier_, certain);
    phases_ = phase;
  }

  /// Where barriers are of some of the threads: each warp runs to the next barrier that it waits at, whichever can.
  Warp::Status execute_ordered(Scopes &scopes, RaceWatch &watch) {
    CellMemory shared;
    std::vector<Warp> warps;
    warps.reserve(warps_);
    for (std::uint32_t w = 0; w < warps_; ++w)
      warps.emplace_back(machine_, scopes, w, machine_.values_in_shared ? &shared : nullptr);
    race::Order &order = watch.sync->order;
    race::OrderedAccesses all(race::granule_of(machine_.program, options_.memory));
    std::vector<bool> finished(warps_);
    std::vector<std::uint64_t> turns(warps_);
    bool waited = false;
    std::uint32_t turn = 0;
    watch.flush = [&] { take(watch, all, scopes, turns[turn], waited || watch.fenced); };
    watch.begin_interval();
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t n = 0; n < warps_; ++n) {
        // Most often the first ones copy: the others then see as little of it as can be.
        turn = machine_.program.waits_in_memory ? warps_ - 1 - n : n;
        if (finished[turn] || order.waits(turn) || !pass_phases(watch, turn))
          continue;
        moved = true;
        watch.begin_turn(turn);
        const Warp::Status status = warps[turn].run(true);
        if (status == Warp::Status::Interrupted || status == Warp::Status::OutOfSteps)
          return status;
        finished[turn] = status != Warp::Status::AtBarrier;
        watch.flush();
        check_members(watch);
        watch.left_alone.clear();
        watch.strangers.clear();
        ++turns[turn];
        waited |= watch.fenced || watch.warps()[turn].undecided;
        if (machine_.steps >= machine_.step_limit)
          return Warp::Status::OutOfSteps;
        if (watch.late_lanes || watch.late_at || watch.reason)
          broken_ = true;
        if (watch.late_lanes || watch.late_at)
          give_up("a barrier is reached by only some lanes of a warp", place(watch.late_at));
        if (watch.reason)
          give_up(watch.reason);
        if (!watch.fault.why.empty())
          bad_barrier(watch.fault.why, place(watch.fault_at), watch.fault.wrong && !watch.undecided && !watch.late_at);
        if (watch.lost && !watch.order_open.why.empty())
          give_up(watch.order_open.why, place(watch.order_open_at));
        if (watch.lost)
          return Warp::Status::Finished;
        if (finished[turn])
          order.end(turn);
        else if (const auto &waits = watch.warps()[turn].waits; !waits.empty() && are_ready(watch, waits))
          --n; // it need not wait: before the others make it too late
      }
      // Copies are under way for as long as all warps wait for them.
      race::Fault fault;
      moved = moved || watch.sync->mbarriers.end_copies(fault);
      if (!fault.why.empty()) {
        bad_barrier(fault.why, {}, false);
        return Warp::Status::Finished;
      }
    }
    report_waiting(watch, finished);
    if (!watch.order_open.why.empty()) // what was executed is one order of several
      give_up(watch.order_open.why, place(watch.order_open_at));
    for (const std::uint64_t address : watch.sync->mbarriers.addresses())
      if (!is_global() && all.touched(address, kMbarrierBytes))
        give_up("an mbarrier is accessed by something else, too", {});
    return Warp::Status::Finished;
  }

  /// What lies between two barriers of the block.
  struct Interval {
    std::uint64_t number = 0;
    SourceLocation begin, end; ///< the barriers
  };

  /// What the warp has done with what it has known.
  void take(RaceWatch &watch, race::OrderedAccesses &all, const Scopes &scopes, std::uint64_t turn, bool waited) {
    add_own_copies(watch, scopes, {turn, {}, {}});
    machine_.steps += all.add(
        watch.accesses(), watch.sync->clocks, watch.hand_overs,
        [&](std::uint32_t warp) { return watch.ends_waited_for(warp); },
        [&](const race::OrderedAccesses::Found &found) {
          const Conflict conflict{found.first,
                                  found.second,
                                  found.first_lane,
                                  found.second_lane,
                                  found.byte,
                                  found.first->warp == found.second->warp,
                                  found.certain && !watch.blurred,
                                  found.alike};
          if (conflict.alike || conflict.certain)
            add_witness(conflict.alike ? races_.same_value : races_.witnesses, conflict, scopes, {turn, {}, {}});
          else
            leave_open(conflict, watch);
        });
    if (is_global())
      for (const WarpAccess &access : watch.accesses())
        grid_.add(access, access.certain && !waited);
  }

  static bool are_ready(const RaceWatch &watch, const std::vector<race::MbarrierWait> &waits) {
    return std::ranges::all_of(waits,
                               [&](const race::MbarrierWait &wait) { return watch.sync->mbarriers.ready(wait); });
  }
  /// False: the warp waits for a phase of a barrier in shared memory.
  static bool pass_phases(RaceWatch &watch, std::uint32_t warp) {
    std::vector<race::MbarrierWait> &waits = watch.warps()[warp].waits;
    race::Mbarriers &all = watch.sync->mbarriers;
    if (!are_ready(watch, waits))
      return false;
    for (const race::MbarrierWait &wait : waits)
      if (race::Fault fault = all.pass(warp, wait); !fault.why.empty())
        watch.fail(std::move(fault), *wait.at);
    waits.clear();
    return true;
  }

  /// No warp goes on any more.
  void report_waiting(const RaceWatch &watch, const std::vector<bool> &finished) {
    const bool known = !watch.undecided && !watch.late_at && !unproved_;
    bool whole = true; // else other lanes of a warp may come
    for (std::uint32_t w = 0; w < warps_; ++w)
      whole &= finished[w] || watch.warps()[w].waits.empty() || watch.warps()[w].waits_whole;
    for (std::uint32_t w = 0; w < warps_; ++w) {
      if (finished[w])
        continue;
      if (watch.sync->order.waits(w)) {
        const race::BarrierCall &at = watch.sync->order.waits_at(w);
        bad_barrier("threads wait at barrier " + std::to_string(at.number) + " for others that do not come" +
                        (watch.order_open.why.empty() ? "" : ", in one of the orders that warps may come to it in"),
                    place(at.instruction), known && whole);
        return;
      }
      for (const race::MbarrierWait &wait : watch.warps()[w].waits) {
        if (watch.sync->mbarriers.ready(wait))
          continue;
        const bool open = watch.sync->mbarriers.open(wait);
        bad_barrier(whole && !open ? "threads wait for a phase of an mbarrier that is never complete: " +
                                         watch.sync->mbarriers.missing(wait)
                                   : "whether a phase of an mbarrier is ever complete is not known",
                    place(wait.at), known && whole && !open);
        return;
      }
    }
  }

  void check(RaceWatch &watch, const Scopes &scopes, const Interval &interval) {
    watch.check_tickets();
    const std::vector<WarpAccess> &accesses = watch.accesses();
    for (const WarpAccess &access : accesses)
      if (checker_.touches_ended(access))
        give_up("a thread that ends without coming to a barrier touches what others touch behind it" + line_of(access),
                location_of(access));
    check_members(watch);
    machine_.steps += checker_.check(accesses, watch.orders(), [&](const Conflict &conflict) {
      if (conflict.alike)
        add_witness(races_.same_value, conflict, scopes, interval);
      else if (conflict.certain)
        add_witness(races_.witnesses, conflict, scopes, interval);
      else
        leave_open(conflict, watch);
    });
    add_own_copies(watch, scopes, interval);
  }

  /// What lanes touch that copies of their own touch.
  void add_own_copies(const RaceWatch &watch, const Scopes &scopes, const Interval &interval) {
    for (const RaceWatch::OwnCopy &own : watch.own_copies()) {
      const Conflict conflict{&own.copy,
                              &own.access,
                              own.lane,
                              own.lane,
                              own.byte,
                              true,
                              own.copy.certain && own.access.certain && !own.access.anywhere && !watch.blurred,
                              false};
      if (conflict.certain)
        add_witness(races_.witnesses, conflict, scopes, interval);
      else
        leave_open(conflict, watch);
    }
  }

  /// What a thread reads may be written by others in the same interval.
  void find_unwritten(const RaceWatch &watch, const Scopes &scopes) {
    for (const WarpAccess &access : watch.accesses())
      if (access.kind != race::Kind::Read)
        checker_.write(access);
    for (const WarpAccess &access : watch.accesses()) {
      if (access.kind != race::Kind::Read || !access.certain || access.anywhere)
        continue;
      const auto found = checker_.reads_unwritten(access);
      if (!found || !unwritten_.insert(access.operation).second)
        continue;
      UnwrittenRead read;
      read.access = racing(access, found->first);
      read.block = block_of(scopes);
      read.byte = found->second;
      find_array(read.byte, read.array, read.array_byte);
      races_.unwritten.push_back(std::move(read));
    }
  }

  /// What was made up decides where they are: other values may keep them apart.
  bool assumed_places(std::uint32_t first, std::uint32_t second) const {
    return machine_.assumed && (machine_.assumed->in_address(first) || machine_.assumed->in_address(second));
  }

  void leave_open(const Conflict &conflict, const RaceWatch &watch) {
    if (std::exchange(maybe_[conflict.within_warp ? Lanes : Warps], true) || unproved_ || !races_.reason.empty())
      return;
    if (watch.undecided) {
      races_.reason = machine_.reasons[watch.undecided].text;
      races_.reason_location = machine_.reasons[watch.undecided].location;
      return;
    }
    const bool of_barriers = conflict.within_warp && conflict.first->certain && conflict.second->certain;
    races_.reason = (of_barriers ? "barriers of some lanes of a warp may order accesses"
                                 : "it is not certain that both accesses are made, one of them") +
                    line_of(*conflict.second);
    races_.reason_location = location_of(*conflict.second);
  }

  bool is_new(const std::vector<RaceWitness> &list, std::uint32_t first, std::uint32_t second, Between between) {
    return list.size() < options_.most_witnesses &&
           known_.insert({&list == &races_.same_value, statement_of(first), statement_of(second), between}).second;
  }

  /// The first operation of those that one statement does alike: the pieces of a copy of a structure, say.
  std::uint32_t statement_of(std::uint32_t operation) {
    const std::vector<MemoryOperation> &all = machine_.program.memory_operations;
    statements_.resize(all.size(), kNone);
    std::uint32_t &known = statements_[operation];
    if (known != kNone)
      return known;
    const auto place = [&](const MemoryOperation &each) {
      const Site &site = machine_.program.sites[each.site];
      return std::tie(site.location, site.inlined_at);
    };
    known = operation;
    for (std::uint32_t i = 0; i < operation && known == operation && all[operation].site != kNone; ++i)
      if (all[i].site != kNone && all[i].access.operation == all[operation].access.operation &&
          place(all[i]) == place(all[operation]))
        known = i;
    return known;
  }

  void add_witness(std::vector<RaceWitness> &list, const Conflict &conflict, const Scopes &scopes,
                   const Interval &interval) {
    const Between between = conflict.within_warp ? Lanes : Warps;
    if (assumed_places(conflict.first->operation, conflict.second->operation)) {
      maybe_[between] = true;
      return;
    }
    if (&list == &races_.witnesses)
      found_[between] = true;
    if (!is_new(list, conflict.first->operation, conflict.second->operation, between))
      return;
    RaceWitness witness;
    witness.within_warp = conflict.within_warp;
    witness.first = racing(*conflict.first, conflict.first_lane);
    witness.second = racing(*conflict.second, conflict.second_lane);
    witness.block = witness.second_block = block_of(scopes);
    witness.byte = conflict.byte;
    witness.interval = interval.number;
    witness.interval_begin = interval.begin;
    witness.interval_end = interval.end;
    if (is_global()) {
      witness.byte -= race::kGlobalOrigin;
      name_object(conflict.first->memory, witness);
    } else {
      find_array(witness.byte, witness.array, witness.array_byte);
    }
    list.push_back(std::move(witness));
  }

  void add(const race::BlockConflict &conflict) {
    if ((!conflict.certain && !conflict.alike) || assumed_places(conflict.first.operation, conflict.second.operation)) {
      if (!std::exchange(maybe_[Blocks], true) && !unproved_ && races_.reason.empty()) {
        const SourceLocation location = location_of(conflict.second.operation);
        races_.reason = "whether two blocks touch the same bytes" + line_of(location) +
                        " depends on a branch or on an order that is not known";
        races_.reason_location = location;
      }
      return;
    }
    std::vector<RaceWitness> &list = conflict.alike ? races_.same_value : races_.witnesses;
    if (!conflict.alike)
      found_[Blocks] = true;
    if (!is_new(list, conflict.first.operation, conflict.second.operation, Blocks))
      return;
    RaceWitness witness;
    witness.between_blocks = true;
    witness.first = racing(conflict.first.operation, conflict.first.warp, conflict.first.lane, conflict.first_kind);
    witness.second =
        racing(conflict.second.operation, conflict.second.warp, conflict.second.lane, conflict.second_kind);
    const auto dim = [](const std::array<std::int64_t, 3> &at) {
      return Dim3{static_cast<std::uint32_t>(at[0]), static_cast<std::uint32_t>(at[1]),
                  static_cast<std::uint32_t>(at[2])};
    };
    witness.block = dim(conflict.first_block);
    witness.second_block = dim(conflict.second_block);
    witness.byte = static_cast<std::uint64_t>(conflict.byte);
    name_object(conflict.memory, witness);
    list.push_back(std::move(witness));
  }

  /// The pointer or variable, where nothing else that is not known is added to it.
  void name_object(std::uint32_t index, RaceWitness &witness) const {
    const race::Memory &memory = global_.memories[index];
    if (!memory.symbols.empty())
      return;
    witness.array_byte = witness.byte;
    for (const auto &[place, symbol] : machine_.argument_symbols)
      if (symbol == memory.object && place.first < machine_.program.parameters.size()) {
        const Parameter &parameter = machine_.program.parameters[place.first];
        witness.array = parameter.name;
        for (const ParameterMember &member : parameter.members)
          if (member.offset == static_cast<std::uint64_t>(place.second))
            witness.array = member.name;
      }
    for (const auto &[object, symbol] : machine_.global_symbols)
      if (symbol == memory.object)
        witness.array = machine_.program.global_objects[object].name;
  }

  static Dim3 block_of(const Scopes &scopes) {
    return {static_cast<std::uint32_t>(scopes.box().corner(0)), static_cast<std::uint32_t>(scopes.box().corner(1)),
            static_cast<std::uint32_t>(scopes.box().corner(2))};
  }

  void find_array(std::uint64_t byte, std::string &array, std::uint64_t &array_byte) const {
    const std::vector<SharedArray> &arrays = machine_.program.shared_arrays;
    for (std::uint32_t i = 0; i < arrays.size(); ++i) {
      const std::uint64_t begin = arrays[i].dynamic ? machine_.layout.dynamic_offset : machine_.layout.offset[i];
      const std::uint64_t end = arrays[i].dynamic ? machine_.shared_bytes : begin + arrays[i].size;
      if (byte < begin || byte >= end)
        continue;
      if (!array.empty()) { // several dynamic ones lie over each other
        array.clear();
        array_byte = 0;
        return;
      }
      array = arrays[i].name;
      array_byte = byte - begin;
    }
  }

  RacingAccess racing(const WarpAccess &access, unsigned lane) const {
    RacingAccess racing = this->racing(access.operation, access.warp, lane, access.kind);
    racing.asynchronous = access.asynchronous;
    if (!is_global()) {
      racing.request = {access.address, access.active};
      racing.request_bytes = static_cast<std::uint32_t>(access.bytes);
    }
    return racing;
  }
  RacingAccess racing(std::uint32_t operation, std::uint32_t warp, unsigned lane, race::Kind kind) const {
    const Dim3 &block = machine_.launch.block;
    const std::uint64_t thread = std::uint64_t{warp} * kWarpSize + lane;
    const SiteId site = machine_.program.memory_operations[operation].site;
    RacingAccess racing;
    racing.operation = operation;
    racing.location = location_of(operation);
    racing.expression = site == kNone ? std::string() : machine_.program.sites[site].expression;
    racing.thread = {static_cast<std::uint32_t>(thread % block.x),
                     static_cast<std::uint32_t>(thread / block.x % block.y),
                     static_cast<std::uint32_t>(thread / block.x / block.y)};
    racing.lane = lane;
    racing.writes = kind != race::Kind::Read;
    racing.atomic = kind == race::Kind::Atomic;
    return racing;
  }
  SourceLocation location_of(std::uint32_t operation) const {
    const SiteId site = machine_.program.memory_operations[operation].site;
    return site == kNone ? SourceLocation{} : machine_.program.sites[site].location;
  }
  SourceLocation location_of(const WarpAccess &access) const { return location_of(access.operation); }
  static std::string line_of(const SourceLocation &location) {
    return location.known() ? " at line " + std::to_string(location.line) : "";
  }
  std::string line_of(const WarpAccess &access) const { return line_of(location_of(access)); }

  Machine &machine_;
  const RaceOptions &options_;
  Races &races_;
  race::StoredValues stored_;
  race::GlobalAccesses global_;
  race::GridTouches grid_;
  race::IntervalChecker checker_;
  static constexpr std::uint64_t kMbarrierBytes = 8;

  std::uint32_t warps_;
  bool ordered_ = false; ///< barriers are of some of the threads
  std::set<const Instruction *> blocking_;
  std::optional<std::uint32_t> phases_;   ///< barriers of the grid, of each block so far
  SourceLocation grid_barrier_;           ///< the latest one
  bool broken_ = false;                   ///< what is executed may leave arrays, or hang
  bool unproved_ = false;                 ///< nothing is proved any more
  bool tried_ways_ = false;               ///< free_in_all_ways()
  bool conditional_barriers_ = false;     ///< not all threads come to all barriers, whatever the values are
  std::array<bool, 3> found_{}, maybe_{}; ///< by Between
  std::vector<std::uint32_t> statements_; ///< statement_of(), by operation; kNone: not asked for yet
  std::set<std::tuple<bool, std::uint32_t, std::uint32_t, Between>> known_;
  std::set<std::uint32_t> unwritten_; ///< instructions that read what is not written
};

} // namespace

std::string_view to_string(RaceVerdict verdict) {
  switch (verdict) {
  case RaceVerdict::Free: return "free";
  case RaceVerdict::Race: return "race";
  case RaceVerdict::Unknown: break;
  }
  return "unknown";
}

Races Races::unknown(std::string why, SourceLocation location) {
  Races races;
  races.reason = std::move(why);
  races.reason_location = std::move(location);
  return races;
}

RaceVerdict Races::verdict() const {
  const std::array all{between_warps, within_warp, between_blocks};
  for (const RaceVerdict verdict : {RaceVerdict::Race, RaceVerdict::Unknown})
    if (std::ranges::find(all, verdict) != all.end())
      return verdict;
  return RaceVerdict::Free;
}

Races find_races(const Program &program, const Launch &launch, const Architecture &architecture,
                 const RaceOptions &options) {
  if (const race::NotFollowed not_followed = race::not_followed(program); !not_followed.why.empty())
    return Races::unknown(not_followed.why, not_followed.location);
  SimulationOptions simulation;
  simulation.classes = false; // every iteration
  simulation.max_steps = options.max_steps;
  simulation.stop = options.stop;
  Machine machine(program, launch, architecture, simulation);
  machine.symbols.exact = true;
  const std::vector<Problem> problems = check_launch(machine);
  const auto wrong = std::find_if(problems.begin(), problems.end(), fatal);
  if (wrong != problems.end())
    return Races::unknown(wrong->message);
  std::optional<race::AssumedValues> assumed;
  if (options.assume)
    machine.assumed = &assumed.emplace(machine, *options.assume);
  if (assumed && options.assume->slope && !assumed->may_decide())
    return Races::unknown("nothing that is assumed of memory decides a branch");
  Races races;
  // Whether all threads come to the barriers, and the lanes that masks name, is told, too.
  const bool waits = options.memory == RaceMemory::Shared &&
                     (race::orders_in_part(program, launch) || race::has_opcode(program, Opcode::Barrier) ||
                      race::has_opcode(program, Opcode::WarpMembers));
  if (!waits && std::ranges::none_of(program.memory_operations,
                                     [&](const MemoryOperation &each) { return race::may_be(each, options.memory); })) {
    races.between_warps = races.within_warp = races.between_blocks = RaceVerdict::Free;
    return races;
  }
  if (!Search(machine, options, races, false).run()) {
    races = {};
    Search(machine, options, races, true).run();
  }
  races.steps = machine.steps;
  if (assumed)
    races.assumptions = assumed->assumptions();
  return races;
}

} // namespace smem
