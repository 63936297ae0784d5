#include "smem/race.h"

#include <algorithm>
#include <optional>
#include <set>

#include "classes.h"
#include "race/all_paths.h"
#include "race/assumed_values.h"
#include "race/block_run.h"
#include "race/grid.h"
#include "race/interval.h"
#include "race/loads_by_name.h"
#include "race/memories.h"
#include "race/order.h"
#include "race/ordered_block.h"
#include "race/race_report.h"
#include "race/race_watch.h"
#include "race/read_only_arrays.h"
#include "race/spins.h"

namespace smem {
namespace {

using race::Conflict;
using race::RaceWatch;
using race::WarpAccess;

/// Executes classes of blocks, and hands what races to the report.
class Search {
public:
  Search(Machine &machine, const RaceOptions &options, Races &races, bool each_block)
      : machine_(machine), options_(options), races_(races), report_(machine, options, global_, races),
        grid_(global_.memories, stored_),
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
    if (execute_classes() && is_global() && !compare_blocks())
      return false;
    report_.conclude();
    return true;
  }

private:
  /// False: the verdicts are settled already.
  bool execute_classes() {
    UncoveredBlocks open(machine_.launch);
    while (const std::optional<Box> box = open.next()) {
      Scopes scopes(*box);
      grid_.begin_class();
      const Warp::Status status = execute(scopes);
      if (report_.ends_early())
        return false;
      if (free_on_all_paths()) {
        report_.proved_free();
        return false;
      }
      if (status == Warp::Status::Interrupted) {
        open.divide(*box, *scopes.wished());
        continue;
      }
      if (status == Warp::Status::OutOfSteps || grid_.too_many() || checker_.too_much()) {
        report_.give_up_at_limit();
        return true;
      }
      grid_.end_class({scopes.region(), {box->corner(0), box->corner(1), box->corner(2)}});
      open.cover(*box, scopes.region());
    }
    return true;
  }

  bool is_global() const { return options_.memory == RaceMemory::Global; }
  SourceLocation place(const Instruction *barrier) const { return race::place_of(machine_.program, barrier); }

  /// After the first block that leaves something open: a condition that is not known guards a barrier, but it is the same for all threads of a block, and all is free on either path.
  bool free_on_all_paths() {
    if (!is_global() || !report_.only_open_so_far() || std::exchange(tried_paths_, true) || !conditional_barriers_ ||
        ordered_ || machine_.assumed || global_.each_block || machine_.steps >= machine_.step_limit)
      return false;
    SimulationOptions rest = machine_.options;
    rest.max_steps = (machine_.step_limit - machine_.steps) / 2;
    Machine machine(machine_.program, machine_.launch, machine_.architecture, rest);
    machine.symbols.exact = true;
    check_launch(machine);
    const bool free = race::free_on_all_paths(machine);
    machine_.steps += machine.steps;
    return free;
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
      result = grid_.compare(machine_.steps, most, [&](const race::BlockConflict &conflict) { report_.add(conflict); });
    if (result == Result::TooMany)
      report_.give_up_at_limit();
    if (result == Result::Apart || overlap)
      report_.give_up("how far accesses of one array are apart depends on an argument or on data that are not known",
                      SourceLocation{});
    if (const std::uint32_t why = race::conflict_of_lost(global_, grid_.kinds()))
      report_.give_up(why);
    return true;
  }

  /// The block at the corner of the scopes' box.
  Warp::Status execute(Scopes &scopes) {
    std::optional<race::Synchronization> sync;
    if (ordered_)
      sync.emplace(warps_);
    RaceWatch watch(warps_, stored_, is_global() ? &global_ : nullptr, sync ? &*sync : nullptr);
    watch.blocking = blocking_;
    CellMemory shared;
    Warp::Status status = Warp::Status::Finished;
    if (ordered_) {
      status = race::execute_ordered_block(machine_, options_, scopes, watch, report_, grid_);
    } else {
      BlockState state{race::block_of(scopes), !is_global(), false, {}, 0};
      const auto take = [&](const race::BlockRun &run, const race::BlockRun::Interval &interval) {
        status = take_interval(state, watch, run, interval);
        const bool impossible = machine_.assumed && watch.leaves_arrays; // no launch has such values
        return status == Warp::Status::Finished && !watch.lost && !impossible && !report_.ends_early();
      };
      race::run_intervals(machine_, scopes, watch, machine_.values_in_shared ? &shared : nullptr, checker_, take);
    }
    report_.end_block(watch, conditional_barriers_);
    return status;
  }

  /// A block, before one of its intervals.
  struct BlockState {
    Dim3 index;
    bool all_writes_known = false; ///< of shared memory
    bool waited = false;           ///< a warp may have waited for another block's threads
    race::IntervalPlace interval;
    std::uint32_t phase = 0; ///< barriers of the grid
  };

  /// What the block's warps have done between two of its barriers. Finished: it was executed to its end.
  Warp::Status take_interval(BlockState &state, RaceWatch &watch, const race::BlockRun &run,
                             const race::BlockRun::Interval &ran) {
    if (ran.status != Warp::Status::Finished)
      return ran.status;
    if (ran.other && !watch.lost) {
      report_different_barriers(place(ran.barrier), place(ran.other), !watch.undecided);
      watch.lost = true;
    }
    if (ran.barrier && !watch.lost && race::leaves_threads_out(watch))
      report_.add_excusing(place(ran.barrier));
    state.interval.end = run.finished() || ran.other ? SourceLocation{} : place(ran.barrier);
    check(watch, state);
    if (report_.ends_early())
      return Warp::Status::Finished;
    if (watch.passes_grid_barrier(run.running())) {
      ++state.phase;
      grid_barrier_ = place(ran.barrier);
    }
    if (is_global())
      add_to_grid(watch, state);
    // Where accesses are lost, a write may be among them; lanes that a barrier has passed by may still write before it.
    state.all_writes_known &= !watch.lost && !watch.late_at && !watch.reason;
    if (state.all_writes_known)
      find_unwritten(watch, state.index);
    if (machine_.steps >= machine_.step_limit)
      return Warp::Status::OutOfSteps;
    if (watch.late_lanes || watch.reason)
      report_.executes_wrongly();
    if (watch.late_lanes)
      report_.give_up("a barrier is reached by only some lanes of a warp", place(watch.late_at));
    if (watch.reason)
      report_.give_up(watch.reason);
    if (watch.lost || run.finished())
      end_at_phase(state.phase, !watch.undecided && !watch.lost);
    state.interval = {state.interval.number + 1, place(ran.barrier), {}};
    return Warp::Status::Finished;
  }

  void add_to_grid(const RaceWatch &watch, BlockState &state) {
    for (const WarpAccess &access : watch.accesses())
      grid_.add(access, access.certain && !state.waited && !watch.fenced, state.phase);
    state.waited |= watch.fenced;
    for (const RaceWatch::WarpState &warp : watch.warps())
      state.waited |= warp.undecided != 0;
  }

  void report_different_barriers(const SourceLocation &first, const SourceLocation &second, bool certain) {
    const std::string lines = first.known() && second.known() && !(first == second)
                                  ? ": lines " + std::to_string(first.line) + " and " + std::to_string(second.line)
                                  : std::string();
    report_.bad_barrier((first == second ? "warps of a block wait at barriers of different numbers"
                                         : "warps of a block wait at different barriers") +
                            lines,
                        first, certain);
  }

  /// A block comes to as many barriers of the grid. `certain`: nothing that is not known decides that.
  void end_at_phase(std::uint32_t phase, bool certain) {
    if (phases_.value_or(phase) != phase)
      report_.bad_barrier("blocks come to different numbers of barriers of the grid", grid_barrier_, certain);
    phases_ = phase;
  }

  void check(RaceWatch &watch, const BlockState &state) {
    watch.check_tickets();
    const std::vector<WarpAccess> &accesses = watch.accesses();
    for (const WarpAccess &access : accesses)
      if (checker_.touches_ended(access))
        report_.give_up("a thread that ends without coming to a barrier touches what others touch after it", access);
    report_.check_members(watch);
    machine_.steps += checker_.check(accesses, watch.orders(), [&](const Conflict &conflict) {
      report_.add(conflict, watch, state.index, state.interval);
    });
    report_.add_own_copies(watch, state.index, state.interval);
  }

  /// What a thread reads may be written by others in the same interval.
  void find_unwritten(const RaceWatch &watch, const Dim3 &block) {
    checker_.find_read_before_written(watch.accesses(), by_name_,
                                      [&](const WarpAccess &access, unsigned lane, std::uint64_t byte) {
                                        report_.add_unwritten(access, lane, byte, block);
                                      });
    for (const WarpAccess &access : watch.accesses())
      if (access.kind != race::Kind::Read)
        checker_.write(access);
    for (const WarpAccess &access : watch.accesses()) {
      if (access.kind != race::Kind::Read || !access.certain || access.anywhere)
        continue;
      if (const auto found = checker_.reads_unwritten(access))
        report_.add_unwritten(access, found->first, found->second, block);
    }
  }

  Machine &machine_;
  const RaceOptions &options_;
  Races &races_;
  race::StoredValues stored_;
  race::GlobalAccesses global_;
  race::RaceReport report_;
  race::GridTouches grid_;
  race::IntervalChecker checker_;
  std::vector<bool> by_name_ = race::loads_by_name(machine_.program);
  std::uint32_t warps_;
  bool ordered_ = false; ///< barriers are of some of the threads
  std::set<const Instruction *> blocking_;
  std::optional<std::uint32_t> phases_; ///< barriers of the grid, of each block so far
  SourceLocation grid_barrier_;         ///< the latest one
  bool tried_paths_ = false;            ///< free_on_all_paths()
  bool conditional_barriers_ = false;   ///< not all threads come to all barriers, whatever the values are
};

} // namespace

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
  std::optional<race::LoadedNumbers> loaded;
  if (race::may_store_what_is_loaded(program))
    machine.loaded = &loaded.emplace(machine);
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
