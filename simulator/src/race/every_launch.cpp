// One block executed for all launches: whatever the grid, the block's index and the arguments are.
#include <algorithm>

#include "classes.h"
#include "race/block_run.h"
#include "race/choices.h"
#include "race/interval.h"
#include "race/loads_by_name.h"
#include "race/read_only_arrays.h"
#include "smem/race.h"

namespace smem {
namespace {

using race::Choices;
using race::Conflict;
using race::RaceWatch;
using race::WarpAccess;

constexpr std::size_t kPeriods[] = {1, 2, 3, 4}; ///< of buffers that take turns by the iteration's number
constexpr std::size_t kMostExecutions = 256;

class Attempt {
public:
  Attempt(Machine &machine, Choices &choices, EveryLaunch &result)
      : machine_(machine), choices_(choices), result_(result),
        checker_(machine.shared_bytes, race::granule_of(machine.program, RaceMemory::Shared)) {}

  /// Whether all executions are free.
  bool run() {
    const Box box{{{0, 1, 0, 1}, {1, 1, 0, 1}, {2, 1, 0, 1}}};
    std::size_t executions = 0;
    do {
      if (++executions > kMostExecutions)
        return false;
      Scopes scopes(box);
      const bool free = execute(scopes);
      if (choices_.failed || (!free && !choices_.again))
        return false;
      if (choices_.again) {
        choices_.restart();
        result_.complete = true;
        continue;
      }
      if (!choices_.next())
        return true;
    } while (true);
  }

private:
  bool execute(Scopes &scopes) {
    const std::uint64_t threads = machine_.launch.block.count();
    RaceWatch watch((threads + kWarpSize - 1) / kWarpSize, stored_, nullptr, nullptr);
    bool free = true;
    const auto take = [&](const race::BlockRun &run, const race::BlockRun::Interval &interval) {
      free = interval.status == Warp::Status::Finished && !interval.other && is_free(watch) &&
             machine_.steps < machine_.step_limit;
      result_.complete &= !interval.barrier || !race::leaves_threads_out(watch);
      if (choices_.closed() && !choices_.closed_alike(run.running()))
        free = false; // warps that are not together go on along other paths
      return free && !choices_.closed();
    };
    race::run_intervals(machine_, scopes, watch, nullptr, checker_, take);
    return free;
  }

  bool is_free(RaceWatch &watch) {
    watch.check_tickets();
    if (watch.lost || watch.reason || watch.late_lanes || checker_.too_much())
      return false;
    for (const RaceWatch::WarpState &warp : watch.warps())
      result_.complete &= !warp.at_grid_barrier; // which other blocks may not come to
    result_.complete &= !watch.late_at;          // lanes that end, and may do something before
    result_.complete &= watch.left_alone.empty() && watch.strangers.empty() && !watch.masks_open;
    const std::vector<WarpAccess> &accesses = watch.accesses();
    result_.accesses |= !accesses.empty();
    bool free =
        std::ranges::none_of(accesses, [&](const WarpAccess &access) { return checker_.touches_ended(access); }) &&
        watch.own_copies().empty();
    machine_.steps += checker_.check(accesses, watch.orders(), [&](const Conflict &conflict) {
      free &= conflict.alike;
      result_.complete = false;
    });
    checker_.find_read_before_written(accesses, by_name_,
                                      [&](const WarpAccess &, unsigned, std::uint64_t) { result_.complete = false; });
    for (const WarpAccess &access : accesses)
      if (access.kind != race::Kind::Read)
        checker_.write(access);
    for (const WarpAccess &access : accesses)
      result_.complete &=
          access.kind == race::Kind::Read ? !access.anywhere && !checker_.reads_unwritten(access) : access.made;
    return free;
  }

  Machine &machine_;
  Choices &choices_;
  EveryLaunch &result_;
  race::StoredValues stored_;
  race::IntervalChecker checker_;
  std::vector<bool> by_name_ = race::loads_by_name(machine_.program);
};

} // namespace

EveryLaunch free_in_every_launch(const Program &program, const Launch &launch, const Architecture &architecture,
                                 const RaceOptions &options) {
  EveryLaunch result;
  if (!race::not_followed(program).why.empty() || race::orders_in_part(program, launch))
    return result;
  SimulationOptions simulation;
  simulation.classes = false;
  simulation.stop = options.stop;
  for (const std::size_t period : kPeriods) {
    simulation.max_steps = options.max_steps - result.steps;
    Machine machine(program, launch, architecture, simulation);
    machine.symbols.exact = machine.symbols.of_every_launch = true;
    machine.find_guarded_barriers();
    machine.values_in_shared = false; // another block's, or another iteration's
    const std::vector<Problem> problems = check_launch(machine);
    if (std::ranges::any_of(problems, fatal))
      return result;
    Choices choices(period);
    machine.choices = &choices;
    race::LoadedNumbers loaded(machine);
    machine.loaded = &loaded;
    // Lanes that end, and what they do in global memory before, are not looked at here.
    const bool whole = !race::has_barriers_under_conditions(program, machine.flow, true);
    result.complete = true;
    result.free = Attempt(machine, choices, result).run();
    result.complete &= whole;
    result.steps += machine.steps;
    if (result.free || !choices.blurred || result.steps >= options.max_steps)
      break;
  }
  result.complete &= result.free;
  return result;
}

} // namespace smem
