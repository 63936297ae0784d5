#include "smem/simulate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "account.h"
#include "classes.h"
#include "smem/trace.h"

namespace smem {
namespace {

struct CoarseResult {
  SimulationResult result;
  bool as_good = false; ///< it leaves no further site unknown
};

/// Of a class of blocks: what makes its first block the typical one.
struct Weight {
  bool accesses = false; ///< blocks behind the end of the data do nothing, and may be most
  std::uint64_t blocks = 0;
  auto operator<=>(const Weight &) const = default;
};

/// `typical` of one more class of blocks: the corner of the weightiest.
void choose_typical(Scopes &scopes, const Box &region, Weight &most, Dim3 &typical) {
  const Weight weight{!scopes.events().empty(), region.count()};
  if (weight <= most)
    return;
  most = weight;
  typical = {static_cast<std::uint32_t>(region.corner(0)), static_cast<std::uint32_t>(region.corner(1)),
             static_cast<std::uint32_t>(region.corner(2))};
}

/// The counts with quotients as symbols. Blocks and iterations that differ in nothing but such a quotient then are one class: those
/// of a kernel that goes from tile to tile, say. nullopt where even that takes too long.
std::optional<CoarseResult> simulate_coarsely(const Program &program, const Launch &launch,
                                              const Architecture &architecture, const SimulationOptions &options,
                                              const Account &without, const FloatingReach &floating) {
  CoarseResult coarse;
  SimulationResult &result = coarse.result;
  Machine machine(program, launch, architecture, options);
  machine.floating = floating;
  machine.symbols.coarse = true;
  Account account(machine, result);
  result.shared_bytes = machine.shared_bytes;
  result.problems = check_launch(machine);
  Weight most;
  run_classes(machine, [&](Scopes &scopes, const Box &region) {
    ++result.block_classes;
    choose_typical(scopes, region, most, result.typical_block);
    account.add(scopes, region);
    return !account.knows_nothing();
  });
  if (machine.out_of_steps() || account.knows_nothing())
    return std::nullopt;
  coarse.as_good = account.knows_no_less_than(without);
  account.finish();
  result.steps = machine.steps;
  return coarse;
}

/// `floating.met` says afterwards whether the budget ran out with it.
SimulationResult attempt(const Program &program, const Launch &launch, const Architecture &architecture,
                         const SimulationOptions &options, FloatingReach &floating) {
  SimulationOptions briefly = options;
  briefly.max_steps = options.max_steps / 8;
  std::optional<CoarseResult> coarse;
  bool tried = !options.classes;
  for (;;) {
    SimulationResult result;
    Machine machine(program, launch, architecture, options);
    machine.floating = floating;
    Account account(machine, result);
    result.shared_bytes = machine.shared_bytes;
    result.problems = check_launch(machine);
    if (std::any_of(result.problems.begin(), result.problems.end(), fatal)) {
      account.give_up("the launch fails: " + result.problems.front().message);
      account.finish();
      return result;
    }
    if (!tried)
      machine.step_limit = briefly.max_steps;
    const auto try_coarsely = [&] {
      if (!tried)
        coarse = simulate_coarsely(program, launch, architecture, briefly, account, floating);
      tried = true;
    };
    Weight most;
    std::uint64_t left = launch.grid.count() * groups_of_warps(machine);
    run_classes(machine, [&](Scopes &scopes, const Box &region) {
      ++result.block_classes;
      choose_typical(scopes, region, most, result.typical_block);
      account.add(scopes, region);
      machine.step_limit = options.max_steps;
      left -= std::min(left, region.count());
      if (left != 0 && machine.steps > briefly.max_steps / 2 && machine.symbols.would_be_coarser)
        try_coarsely();
      // Something may still be wrong with the kernel, but that is not looked for at any price.
      return !(coarse && coarse->as_good) &&
             !(machine.steps > options.max_steps / 64 && options.classes && account.knows_nothing());
    });
    const bool nothing_yet = machine.out_of_steps() && machine.step_limit < options.max_steps;
    if (nothing_yet || (machine.hopeless && machine.symbols.would_be_coarser))
      try_coarsely();
    const bool as_good = coarse && coarse->as_good;
    if (nothing_yet && !as_good && machine.steps >= briefly.max_steps) {
      machine.step_limit = options.max_steps;
      machine.hopeless = no_warp_ends_within(machine, briefly.max_steps);
    }
    if (nothing_yet && !as_good && !machine.hopeless)
      continue; // with all steps
    if (coarse && (as_good || machine.out_of_steps())) {
      coarse->result.steps += machine.steps;
      return std::move(coarse->result);
    }
    if (machine.out_of_steps()) {
      Problem problem;
      problem.kind = Problem::Kind::Budget;
      problem.message = "not simulated to the end: " + (machine.hopeless ? "far more than " : std::string()) +
                        std::to_string(options.max_steps) + " instructions" +
                        (machine.hopeless ? " are needed" : " were not enough") +
                        ", the budget of this launch (see --max-steps)";
      problem.location = program.location;
      result.problems.push_back(std::move(problem));
      result.least_budget = machine.hopeless ? machine.least_budget : 0;
      account.give_up("the simulation's budget of " + std::to_string(options.max_steps) + " instructions " +
                      (machine.hopeless ? "is too small" : "ran out"));
    }
    account.finish();
    result.steps = machine.steps;
    floating.met = machine.floating.met && machine.out_of_steps();
    return result;
  }
}

} // namespace

SimulationResult simulate(const Program &program, const Launch &launch, const Architecture &architecture,
                          const SimulationOptions &given) {
  SimulationOptions options = given;
  if (!options.prepared) // for all attempts
    options.prepared = std::make_shared<const PreparedProgram>(program);
  FloatingReach floating;
  SimulationResult result = attempt(program, launch, architecture, options, floating);
  result.stopped = options.stop.stop_requested();
  if (!floating.met || result.stopped)
    return result;
  // What does not depend on it may yet be known.
  const std::uint64_t steps = result.steps, least_budget = result.least_budget;
  floating.follows = false;
  result = attempt(program, launch, architecture, options, floating);
  result.steps += steps;
  result.least_budget = std::min(result.least_budget, least_budget);
  result.stopped = options.stop.stop_requested();
  return result;
}

bool SimulationResult::exhausted() const {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem &problem) { return problem.kind == Problem::Kind::Budget; });
}

Trace trace_first_block(const Program &program, const Launch &launch, const Architecture &architecture,
                        const SimulationOptions &options) {
  Trace trace;
  SimulationOptions one_by_one = options;
  one_by_one.classes = false;
  Machine machine(program, launch, architecture, one_by_one);
  const std::vector<Problem> problems = check_launch(machine);
  if (std::any_of(problems.begin(), problems.end(), fatal))
    return trace;
  trace.complete = true;
  const Box first_block{{{0, 1, 0, 1}, {1, 1, 0, 1}, {2, 1, 0, 1}}};
  const auto warps = static_cast<std::uint32_t>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  const std::uint32_t together = machine.values_in_shared ? warps : 1;
  std::map<std::tuple<std::uint32_t, std::uint32_t, LaneMask, std::array<std::uint64_t, kWarpSize>>, std::size_t> seen;
  for (std::uint32_t first = 0; first < warps; first += together) {
    Scopes scopes(first_block);
    if (execute_block(machine, scopes, first, first + together) != Warp::Status::Finished)
      trace.complete = false;
    for (const auto &[site, reason] : scopes.marks())
      trace.complete &= machine.program.sites[site].access.space != Space::Shared;
    for (const Event &event : scopes.events()) {
      if (event.space != Space::Shared)
        continue;
      trace.complete &= event.progressions.empty() && !event.side.unknown_shift && !event.side.unknown_period &&
                        !event.data && !event.representative;
      if (event.data)
        continue;
      Request request = event.side.request;
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (!(request.active >> lane & 1))
          request.address[lane] = 0;
      const auto [entry, added] =
          seen.emplace(std::tuple{event.operation, event.warp, request.active, request.address}, trace.requests.size());
      if (added)
        trace.requests.push_back({event.operation, event.warp, event.multiplicity, request});
      else
        trace.requests[entry->second].times += event.multiplicity;
    }
  }
  return trace;
}

} // namespace smem
