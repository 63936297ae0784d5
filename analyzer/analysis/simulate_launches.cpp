#include "analysis/simulate_launches.h"

#include "analysis/alike_launches.h"
#include "support/paths.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>

namespace smem {
namespace {

/// "n % 32 == 0 (host.cu:12)": with the place of the code that says it.
std::string facts_text(const ArgumentValue &argument, const std::string &name) {
  std::string text = to_string(argument.facts, name);
  if (!text.empty() && argument.facts_location.known()) {
    SourceLocation place = argument.facts_location;
    place.file = seen_from_here(place.file);
    place.column = 0;
    text += " (" + to_string(place) + ")";
  }
  return text;
}

/// Problems that what was assumed of a launch may be the cause of: it is no launch of this kernel.
bool refutes(const Problem &problem, const Launch &launch) {
  switch (problem.kind) {
  case Problem::Kind::OutOfBounds:
  case Problem::Kind::DivisionByZero: return true;
  case Problem::Kind::LaunchLimit: return !launch.grid_known || !launch.block_known;
  case Problem::Kind::SharedCapacity: return !launch.dynamic_known;
  default: return false;
  }
}

bool is_refuted(const SimulationResult &result, const Launch &launch) {
  return std::any_of(result.problems.begin(), result.problems.end(),
                     [&](const Problem &problem) { return refutes(problem, launch); });
}

/// Whether the tool has chosen a part of it.
bool is_guessed(const Launch &launch) {
  return !launch.grid_known || !launch.block_known || !launch.dynamic_known ||
         std::any_of(launch.arguments.begin(), launch.arguments.end(), [](const ArgumentValue &argument) {
           return argument.provenance == Provenance::Assumed && !argument.pointer;
         });
}

/// The launch under the assumption that pointers and __device__ arrays are aligned as allocations are.
Launch aligned_launch(const Launch &launch, const std::vector<Assumption> &pointer_assumptions) {
  Launch aligned = launch;
  aligned.least_global_alignment = ArgumentValue().alignment;
  for (ArgumentValue &argument : aligned.arguments)
    if (argument.pointer && !argument.value)
      argument.alignment = ArgumentValue().alignment;
  aligned.assumptions.insert(aligned.assumptions.end(), pointer_assumptions.begin(), pointer_assumptions.end());
  return aligned;
}

/// The launch with what was only assumed of arguments and of the grid left open.
OpenLaunch leave_open(const Launch &launch) {
  OpenLaunch open{launch, {}};
  for (ArgumentValue &argument : open.launch.arguments)
    if (argument.provenance == Provenance::Assumed && !argument.pointer)
      argument.value.reset();
  if (!launch.grid_known) // axes that the kernel does not look at have one block
    open.grid = {true, launch.grid.y > 1, launch.grid.z > 1};
  return open;
}

bool leaves_anything_open(const Program &program, const OpenLaunch &open) {
  const auto is_open = [&](const Instruction &instruction) {
    if (instruction.opcode != Opcode::Argument || instruction.index >= program.parameters.size() ||
        program.parameters[instruction.index].pointer)
      return false;
    return std::none_of(open.launch.arguments.begin(), open.launch.arguments.end(), [&](const ArgumentValue &a) {
      return a.index == instruction.index && a.offset == static_cast<std::uint64_t>(instruction.immediate) &&
             (a.value || a.pointer);
    });
  };
  return std::find(open.grid.begin(), open.grid.end(), true) != open.grid.end() ||
         std::any_of(program.blocks.begin(), program.blocks.end(), [&](const BasicBlock &block) {
           return std::any_of(block.instructions.begin(), block.instructions.end(), is_open);
         });
}

/// A site whose counts are the same for all values of an argument does not rest on the one that was assumed.
void drop_needless_assumptions(SiteResult &site) {
  if (site.verdict != Verdict::Assumed || !site.symbolic || !site.symbolic->known() || site.symbolic->presumes)
    return;
  const SymbolicCounts &any = *site.symbolic;
  for (const Formula *formula : {&any.requests_formula, &any.wavefronts_formula, &any.ideal_wavefronts_formula,
                                 &any.sectors_formula, &any.ideal_sectors_formula, &any.tags_formula})
    if (!formula->constant())
      return;
  std::erase_if(site.assumptions, [](const Assumption &assumption) { return assumption.argument.has_value(); });
  site.reason = to_string(site.assumptions);
  if (site.assumptions.empty())
    site.verdict = Verdict::Exact;
}

/// Formulas for what the launch leaves open; nothing, if it leaves nothing open. Where they depend on alignments that are not known, those under
/// the assumption that the row makes, too.
SymbolicResult add_formulas(const Program &program, LaunchAnalysis &analysis,
                            const std::vector<Assumption> &pointer_assumptions, const Architecture &architecture,
                            const SimulationOptions &options) {
  OpenLaunch open = leave_open(analysis.launch);
  if (program.sites.empty() || !leaves_anything_open(program, open))
    return {};
  SimulationOptions briefly = options;
  briefly.max_steps = std::max<std::uint64_t>(options.max_steps / 8, 1);
  SymbolicResult symbolic = simulate_symbolic(program, open, architecture, briefly);
  const auto is_open = [](const SymbolicCounts &counts) { return !counts.known(); };
  if (!pointer_assumptions.empty() && std::ranges::any_of(symbolic.sites, is_open)) {
    open.launch = aligned_launch(open.launch, pointer_assumptions);
    SymbolicResult supposed = simulate_symbolic(program, open, architecture, briefly);
    const auto rests_on = [&](const SiteResult &site) {
      return std::ranges::find(site.assumptions, pointer_assumptions.front()) != site.assumptions.end();
    };
    symbolic.steps += supposed.steps;
    symbolic.exhausted |= supposed.exhausted;
    if (supposed.sites.size() == symbolic.sites.size()) {
      symbolic.quantities = std::move(supposed.quantities);
      for (std::size_t i = 0; i < symbolic.sites.size(); ++i)
        if (is_open(symbolic.sites[i]) && rests_on(analysis.result.sites[i]))
          symbolic.sites[i] = std::move(supposed.sites[i]);
    }
  }
  const std::vector<PassedScalar> scalars = passed_scalars(program);
  for (const SymbolicResult::Quantity &quantity : symbolic.quantities) {
    LaunchSymbol symbol{quantity.name, {}, quantity.most};
    for (const PassedScalar &passed : scalars)
      for (const ArgumentValue &argument : open.launch.arguments)
        if (quantity.argument == argument.index && passed.index == argument.index &&
            passed.scalar.offset == argument.offset && !argument.pointer &&
            (quantity.name == passed.scalar.name ||
             quantity.name.starts_with("(" + passed.scalar.name + " - "))) // less its remainder
          symbol.facts = facts_text(argument, passed.scalar.name);
    analysis.symbols.push_back(std::move(symbol));
  }
  for (std::size_t i = 0; i < symbolic.sites.size(); ++i) {
    SiteResult &site = analysis.result.sites[i];
    site.symbolic = std::move(symbolic.sites[i]);
    drop_needless_assumptions(site);
  }
  return symbolic;
}

/// How much of the sectors is used, where some access touches clearly more than it needs. It decides what is said of that, and may not take long.
void look_at_sectors(const Program &program, const Launch &launch, const Architecture &architecture,
                     const SimulationOptions &options, SimulationResult &result) {
  constexpr std::uint64_t kSteps = 200'000;
  const auto scatters = [](const SiteResult &site) {
    return 2 * site.counts.sectors >= 3 * site.counts.ideal_sectors && site.counts.sectors != 0;
  };
  if (result.stopped || std::none_of(result.sites.begin(), result.sites.end(), scatters))
    return;
  SimulationOptions briefly = options;
  briefly.max_steps = std::min(kSteps, options.max_steps / 16);
  result.steps += count_sector_use(program, launch, architecture, briefly, result);
}

/// Programs with what is found out of them, when the first of their launches is simulated; by several threads.
class PreparedPrograms {
public:
  explicit PreparedPrograms(std::span<const Program> programs) : programs_(programs), prepared_(programs.size()) {}

  std::shared_ptr<const PreparedProgram> of(std::size_t program) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const PreparedProgram> &known = prepared_[program];
    if (!known)
      known = std::make_shared<const PreparedProgram>(programs_[program]);
    return known;
  }

private:
  std::span<const Program> programs_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const PreparedProgram>> prepared_;
};

/// Launches that have the same results: of one kernel, or of instantiations of a template that differ in their names only.
struct Unit {
  std::vector<std::size_t> work; ///< the first is simulated
  std::uint64_t budget = 0;      ///< what it had last; 0: nothing yet
  std::uint64_t steps = 0;       ///< of that time
  bool exhausted = false;        ///< the budget was too small
  std::uint64_t enough = 0;      ///< with less there is no point in another attempt; 0: there is none anyway
  std::optional<LaunchAnalysis> analysis;
  std::string error;
};

/// Of all that a launch is tried with.
std::vector<Launch> without_origins(const PlannedLaunch &planned) {
  std::vector<Launch> launches;
  std::ranges::transform(planned.candidates, std::back_inserter(launches), without_origin);
  return launches;
}

std::vector<Unit> units_of(std::span<const Program> programs, std::span<const SimulationJob> work) {
  std::vector<Unit> units;
  std::map<SourceLocation, std::vector<std::size_t>> kinds; // one program of each kind
  std::map<std::size_t, std::vector<std::size_t>> of_kind;  // by that program: units
  std::map<std::size_t, std::size_t> kind_of;
  std::vector<std::vector<Launch>> tried; // by unit
  for (std::size_t i = 0; i < work.size(); ++i) {
    const auto [known, fresh] = kind_of.try_emplace(work[i].program, work[i].program);
    if (fresh) {
      std::vector<std::size_t> &candidates = kinds[programs[work[i].program].location];
      const auto same = std::find_if(candidates.begin(), candidates.end(), [&](std::size_t other) {
        return alike(programs[other], programs[work[i].program]);
      });
      if (same != candidates.end())
        known->second = *same;
      else
        candidates.push_back(work[i].program);
    }
    std::vector<std::size_t> &mine = of_kind[known->second];
    std::vector<Launch> launches = without_origins(*work[i].planned);
    const auto same = std::find_if(mine.begin(), mine.end(), [&](std::size_t unit) {
      return work[units[unit].work.front()].planned->pointer_assumptions == work[i].planned->pointer_assumptions &&
             tried[unit] == launches;
    });
    if (same != mine.end()) {
      units[*same].work.push_back(i);
      continue;
    }
    mine.push_back(units.size());
    units.push_back({{i}, 0, 0, false, 0, {}, {}});
    tried.push_back(std::move(launches));
  }
  return units;
}

/// No launch was found under which the kernel stays inside its arrays. What does not rest on the one at hand remains.
void reject(LaunchAnalysis &analysis) {
  Launch &launch = analysis.launch;
  launch.consistent = false;
  const bool too_large = std::ranges::any_of(analysis.result.problems, [&](const Problem &problem) {
    return problem.kind == Problem::Kind::SharedCapacity && refutes(problem, launch);
  });
  std::erase_if(analysis.result.problems, [&](const Problem &problem) { return refutes(problem, launch); });
  for (SiteResult &site : analysis.result.sites) {
    if (site.verdict != Verdict::Assumed)
      continue;
    SiteResult nothing;
    nothing.verdict = Verdict::Unknown;
    nothing.reason = too_large ? "no launch was found whose blocks can have the shared memory that they take"
                               : "no launch was found under which the kernel stays inside its arrays";
    nothing.space = site.space;
    nothing.executed = site.executed;
    if (launch.block_known && launch.dynamic_known)
      nothing.symbolic = std::move(site.symbolic); // holds for all grids and arguments
    site = std::move(nothing);
  }
}

void analyze(Unit &unit, const SimulationJob &work, const Program &program, PreparedPrograms &prepared,
             const AnalysisOptions &options) {
  SimulationOptions simulation = options.simulation;
  simulation.prepared = prepared.of(work.program);
  simulation.max_steps = unit.budget;
  const Architecture &architecture = *options.frontend.architecture;
  // What is slow already is not to be multiplied: not beyond the budget, and not at all where one launch alone would take that long.
  const std::uint64_t costly = std::min(options.simulation.max_steps / 8, unit.budget / 2);
  unit.steps = unit.enough = 0;
  unit.exhausted = false;
  std::optional<LaunchAnalysis> chosen;
  std::uint64_t least = UINT64_MAX; // of the launches that exhaust it
  bool refuted = false;
  const PlannedLaunch &planned = *work.planned;
  for (std::size_t i = 0; i < planned.candidates.size(); ++i) {
    SimulationResult result =
        simulate_launch(program, planned.candidates[i], planned.pointer_assumptions, architecture, simulation, costly);
    unit.steps += result.steps;
    if (result.exhausted()) {
      unit.exhausted = true;
      least = std::min(least, result.least_budget);
    }
    const bool wrong = is_guessed(planned.candidates[i]) && is_refuted(result, planned.candidates[i]);
    const bool slow = result.steps > costly;
    if (slow && result.steps <= options.simulation.max_steps / 8)
      unit.enough = 2 * result.steps;
    if (i == 0 || !wrong) {
      chosen = {work.program, planned.candidates[i], std::move(result), {}, {}, {}, {}, {}, {}};
      refuted = wrong;
    }
    if (!wrong || slow)
      break;
  }
  if (!chosen)
    return;
  SymbolicResult formulas = add_formulas(program, *chosen, planned.pointer_assumptions, architecture, simulation);
  unit.steps += formulas.steps;
  if (refuted)
    reject(*chosen);
  if (chosen->launch.block_known && chosen->launch.dynamic_known)
    std::ranges::move(formulas.problems, std::back_inserter(chosen->result.problems));
  if (unit.exhausted || formulas.exhausted)
    unit.enough = std::max({unit.enough, 2 * unit.budget, formulas.exhausted ? 0 : least});
  if (!simulation.stop.stop_requested())
    unit.analysis = std::move(chosen);
}

/// The results of a launch that is alike. What is wrong with a launch is said where that is.
LaunchAnalysis same_as(const LaunchAnalysis &other, const SimulationJob &work, const Launch &original) {
  LaunchAnalysis analysis = other;
  analysis.program = work.program;
  const auto chosen =
      std::find_if(work.planned->candidates.begin(), work.planned->candidates.end(),
                   [&](const Launch &launch) { return without_origin(launch) == without_origin(original); });
  analysis.launch = *chosen;
  analysis.launch.consistent = original.consistent;
  for (Problem &problem : analysis.result.problems)
    if (original.location.known() && problem.location == original.location)
      problem.location = analysis.launch.location;
  return analysis;
}

} // namespace

SimulationResult simulate_launch(const Program &program, const Launch &launch,
                                 const std::vector<Assumption> &pointer_assumptions, const Architecture &architecture,
                                 const SimulationOptions &options, std::uint64_t costly) {
  SimulationResult result = simulate(program, launch, architecture, options);
  const auto is_unknown = [](const SiteResult &site) { return site.verdict == Verdict::Unknown; };
  if (pointer_assumptions.empty() || result.steps > costly ||
      std::none_of(result.sites.begin(), result.sites.end(), is_unknown)) {
    look_at_sectors(program, pointer_assumptions.empty() ? launch : aligned_launch(launch, pointer_assumptions),
                    architecture, options, result);
    return result;
  }
  const Launch aligned = aligned_launch(launch, pointer_assumptions);
  SimulationResult supposed = simulate(program, aligned, architecture, options);
  for (std::size_t i = 0; i < result.sites.size(); ++i)
    if (is_unknown(result.sites[i]) && !is_unknown(supposed.sites[i]))
      result.sites[i] = std::move(supposed.sites[i]);
  result.steps += supposed.steps;
  if (supposed.exhausted())
    result.least_budget = std::min(result.least_budget, supposed.least_budget);
  look_at_sectors(program, aligned, architecture, options, result);
  return result;
}

std::uint64_t StepBudget::share(std::size_t batch, std::size_t remaining, unsigned exhausted) const {
  constexpr std::uint64_t kShares = 4; // most launches need next to nothing
  constexpr std::uint64_t kLeastShare = 256, kLeastAfterAll = 1024;
  const std::uint64_t fair =
      std::min(left_ / std::max<std::size_t>(remaining, 1) * kShares, left_ / std::max<std::size_t>(batch, 1));
  const std::uint64_t share = std::clamp(fair, std::max<std::uint64_t>(most_ / kLeastShare, 1), most_);
  std::uint64_t least = most_ / kLeastAfterAll;
  if (exhausted > kMany) // so that all of them together take no more than some
    least = least * kMany / exhausted * kMany / exhausted;
  return std::max({share >> std::min(exhausted, kMostHalvings), least, std::uint64_t{1}});
}

unsigned StepBudget::exhausted_after(unsigned before, bool exhausted) {
  return exhausted ? before + 1 : std::min(before, kMostHalvings);
}

std::uint64_t steps_for_assumed(std::uint64_t most, std::uint64_t source_bytes) {
  constexpr double kBytesOfBudget = 50e6; // 5 bytes a step, with the budget that the tool gives a launch by itself
  const double steps = static_cast<double>(most) * (static_cast<double>(source_bytes) / kBytesOfBudget);
  return steps < static_cast<double>(most) ? static_cast<std::uint64_t>(steps) + 1 : most;
}

namespace {

/// The launches of `units` are simulated, all within `budget`.
void run_units(std::vector<Unit> &units, StepBudget budget, std::span<const Program> programs,
               PreparedPrograms &prepared, std::span<const SimulationJob> work, const AnalysisOptions &options,
               std::atomic<std::size_t> &begun, std::size_t all, SimulatedLaunches &simulated) {
  std::map<SourceLocation, unsigned> exhausted; // by where a kernel or its template is
  const auto run = [&](const std::vector<std::size_t> &batch) {
    options.parallel_for(batch.size(), [&](std::size_t i) {
      Unit &unit = units[batch[i]];
      const SimulationJob &first = work[unit.work.front()];
      if (options.simulation.stop.stop_requested())
        return;
      if (options.progress)
        options.progress(
            {AnalysisProgress::Phase::Simulation, programs[first.program].kernel, std::min(++begun, all), all});
      try {
        analyze(unit, first, programs[first.program], prepared, options);
      } catch (const std::exception &error) {
        unit.error = error.what();
      }
    });
    for (const std::size_t i : batch)
      budget.spend(units[i].steps);
    for (const std::size_t i : batch)
      simulated.steps += units[i].steps;
  };
  const auto failures = [&](std::size_t unit) -> unsigned & {
    return exhausted[programs[work[units[unit].work.front()].program].location];
  };
  const auto count = [&](const std::vector<std::size_t> &batch) {
    for (const std::size_t i : batch)
      failures(i) = StepBudget::exhausted_after(failures(i), units[i].exhausted);
  };
  std::vector<std::size_t> batch;
  for (std::size_t next = 0; next < units.size(); next += batch.size()) {
    batch.clear();
    for (std::size_t i = next; i < std::min(next + StepBudget::kBatch, units.size()); ++i)
      batch.push_back(i);
    for (const std::size_t i : batch)
      units[i].budget = budget.share(batch.size(), units.size() - next, failures(i));
    run(batch);
    count(batch);
  }
  // What others have left may suffice where a share did not, unless it turns out not to.
  exhausted.clear();
  std::vector<std::size_t> again;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i].enough && units[i].enough <= budget.left())
      again.push_back(i);
  for (std::size_t next = 0; next < again.size();) {
    batch.clear();
    const std::size_t left = again.size() - next;
    for (; next < again.size() && batch.size() < StepBudget::kBatch; ++next) {
      Unit &unit = units[again[next]];
      const std::uint64_t share = budget.share(std::min(left, StepBudget::kBatch), left, failures(again[next]));
      if (unit.enough > share)
        continue;
      unit.budget = share;
      batch.push_back(again[next]);
    }
    run(batch);
    count(batch);
  }
}

} // namespace

SimulatedLaunches simulate_launches(std::span<const Program> programs, std::span<const SimulationJob> work,
                                    const AnalysisOptions &options, std::uint64_t source_bytes) {
  SimulatedLaunches simulated;
  simulated.launches.resize(work.size());
  std::vector<Unit> units = units_of(programs, work), assumed;
  const auto rest = std::stable_partition(units.begin(), units.end(), [&](const Unit &unit) {
    return !is_guessed(work[unit.work.front()].planned->candidates.front());
  });
  assumed.assign(std::move_iterator(rest), std::move_iterator(units.end()));
  units.erase(rest, units.end());
  const std::uint64_t most = options.simulation.max_steps;
  std::atomic<std::size_t> begun = 0;
  PreparedPrograms prepared(programs);
  simulated.executed = units.size() + assumed.size();
  run_units(units, StepBudget(most), programs, prepared, work, options, begun, simulated.executed, simulated);
  run_units(assumed, StepBudget(most, steps_for_assumed(most, source_bytes)), programs, prepared, work, options, begun,
            simulated.executed, simulated);
  std::move(assumed.begin(), assumed.end(), std::back_inserter(units));
  for (const Unit &unit : units)
    for (const std::size_t i : unit.work) {
      simulated.launches[i].error = unit.error;
      if (unit.error.empty() && unit.analysis)
        simulated.launches[i].analysis =
            i == unit.work.front() ? *unit.analysis : same_as(*unit.analysis, work[i], unit.analysis->launch);
    }
  return simulated;
}

} // namespace smem
