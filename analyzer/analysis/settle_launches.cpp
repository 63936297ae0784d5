#include "analysis/settle_launches.h"

#include "analysis/count_launches.h"
#include "flags/translate_flags.h"
#include "sass/settle.h"
#include "sass/use_machine_code.h"
#include "smem/floor.h"
#include "support/paths.h"

#include <algorithm>
#include <deque>
#include <exception>

namespace smem {
namespace {

using compiled::MachineCodeWish;

/// What one launch may cost. Most need next to nothing; those that exhaust their budget must not add up in a file that has many.
class FileBudget {
public:
  FileBudget(const SimulationOptions &options, std::size_t launches)
      : options(options), left(2 * options.max_steps), launches(launches) {}

  /// Several times its share is left to a launch, but half of all at most.
  SimulationOptions next() const {
    SimulationOptions launch = options;
    const std::uint64_t share = left / std::max<std::size_t>(launches, 1) * kShares;
    launch.max_steps = std::clamp(std::min(left / 2, share),
                                  std::max<std::uint64_t>(options.max_steps / kLeastShare, 1), options.max_steps);
    return launch;
  }
  void spend(std::uint64_t steps) { left -= std::min(left, steps); }
  void end_launch() { launches -= launches != 0; }

private:
  static constexpr std::uint64_t kLeastShare = 128, kShares = 4;
  const SimulationOptions &options;
  std::uint64_t left;
  std::size_t launches; ///< still to come
};

/// Requests to local memory in one launch.
LocalTraffic local_traffic(const compiled::LoweredMachineCode &code, const SimulationResult &result) {
  LocalTraffic traffic;
  for (const SiteId id : code.local) {
    const SiteResult &site = result.sites[id];
    traffic.exact &= site.verdict == Verdict::Exact;
    (code.program.sites[id].access.operation == Operation::Load ? traffic.load_requests : traffic.store_requests) +=
        site.counts.requests;
  }
  return traffic;
}

/// The machine code that the rows are to be settled with; nothing, and the reason in the analysis, if it is of no use.
std::optional<compiled::MachineCode> obtain(MachineCodeSource &source, const LowerOptions &lowering,
                                            const AnalysisOptions &options, FileAnalysis &analysis) {
  if (!source.wanted() || analysis.programs.empty())
    return std::nullopt;
  compiled::ObtainedListings obtained = source.take(analysis);
  analysis.dependencies.read.insert(obtained.read.begin(), obtained.read.end());
  // What a compiler that failed has read, and where it has looked in vain, is not known; that there is none is part of the tools' identity.
  if (options.machine_code.compiles() && obtained.read.empty() && compiled::missing_tools(options.tools).empty())
    analysis.dependencies.complete = false;
  std::string error = std::move(obtained.error);
  std::optional<compiled::MachineCode> code;
  if (error.empty()) {
    code.emplace(std::move(obtained.listings), analysis.programs, lowering, !obtained.hint.empty());
    error = code->unusable(options.frontend.architecture->name);
    if (!error.empty() && !obtained.hint.empty())
      error += "; " + obtained.hint;
  }
  if (error.empty()) {
    analysis.compiled.from = obtained.from;
    return code;
  }
  if (options.machine_code.from == MachineCodeWish::From::NvccIfFound)
    analysis.compiled.unavailable = error;
  else
    analysis.diagnostics.push_back(
        {Diagnostic::Severity::Error, {normalise_path(options.frontend.file), 0, 0}, "--as-compiled: " + error});
  return std::nullopt;
}

/// What launches compute as the machine code has it. Code without accesses is counted when all are simulated.
struct MachineWork {
  struct OfLaunch {
    LaunchAnalysis *launch = nullptr;
    ArithmeticWork known; ///< by its accesses
  };
  std::deque<KernelArithmetic> kernels; ///< that jobs point to
  std::vector<OfLaunch> launches;
  std::vector<CountingJob> jobs; ///< parallel to the launches
};

void count_rest(MachineWork &all, const AnalysisOptions &options, FileAnalysis &analysis) {
  const CountedLaunches counted = count_launches(all.jobs, options);
  if (!counted.error.empty())
    analysis.diagnostics.push_back({Diagnostic::Severity::Error,
                                    {normalise_path(options.frontend.file), 0, 0},
                                    "internal error: the count of instructions of " + counted.error});
  for (std::size_t i = 0; i < all.launches.size(); ++i) {
    ArithmeticWork work = all.launches[i].known;
    work += counted.work[i];
    ArithmeticWork &of_source = all.launches[i].launch->arithmetic;
    of_source = most_of(of_source, work);
  }
}

/// The launches of one kernel as its machine code has them, too.
void settle_kernel(const compiled::MachineCode &code, std::size_t index,
                   const std::vector<const PlannedLaunch *> &planned, FileBudget &budget, MachineWork &work,
                   const AnalysisOptions &options, FileAnalysis &analysis) {
  Program &program = analysis.programs[index];
  compiled::LoweredMachineCode lowered = code.lowered(program);
  if (!lowered.missing) {
    const compiled::ListedResources &taken = lowered.resources;
    analysis.compiled.kernels[program.mangled] = {taken.registers, taken.stack_bytes, taken.shared_bytes,
                                                  taken.local_loads, taken.local_stores};
  }
  if (!lowered.error.empty()) {
    const bool asked_for = options.machine_code.from != MachineCodeWish::From::NvccIfFound;
    analysis.diagnostics.push_back({asked_for ? Diagnostic::Severity::Warning : Diagnostic::Severity::Note,
                                    program.location,
                                    "--as-compiled: " + program.kernel + " is not settled: " + lowered.error,
                                    /*incomplete=*/asked_for});
    if (!lowered.missing)
      for (LaunchAnalysis &launch : analysis.launches)
        if (launch.program == index)
          compiled::leave_unsettled(launch.result, "the machine code cannot be followed: " + lowered.error);
    return;
  }
  const KernelArithmetic &arithmetic = work.kernels.emplace_back(std::move(lowered.arithmetic));
  std::vector<compiled::SimulatedTwice> launches;
  std::size_t number = 0;
  for (LaunchAnalysis &launch : analysis.launches) {
    if (launch.program != index)
      continue;
    if (!launch.launch.consistent) {
      ++number;
      continue;
    }
    SimulationResult machine = simulate_launch(lowered.program, launch.launch, planned[number++]->pointer_assumptions,
                                               *analysis.architecture, budget.next(), budget.next().max_steps / 8);
    budget.spend(machine.steps);
    budget.end_launch();
    launch.local = local_traffic(lowered, machine);
    work.launches.push_back({&launch, arithmetic_of(machine, arithmetic.blocks)});
    work.jobs.push_back({&program, &launch.launch, &arithmetic});
    launches.push_back({&launch.result, std::move(machine)});
  }
  if (options.simulation.stop.stop_requested()) { // what there is of them may be half of it
    analysis.diagnostics.push_back({Diagnostic::Severity::Error, program.location,
                                    "--as-compiled: " + program.kernel + " is not settled: " + options.stop_reason,
                                    /*incomplete=*/true});
    for (compiled::SimulatedTwice &launch : launches)
      compiled::leave_unsettled(*launch.source, options.stop_reason);
    return;
  }
  const compiled::Settled settled = compiled::settle(program, lowered, launches);
  analysis.compiled.confirmed += settled.confirmed;
  analysis.compiled.corrected += settled.corrected;
  analysis.compiled.absent += settled.absent;
  analysis.compiled.open += settled.open;
}

} // namespace

MachineCodeSource::MachineCodeSource(const AnalysisOptions &options) {
  const FrontendOptions &frontend = options.frontend;
  if (options.machine_code.from != MachineCodeWish::From::Nowhere && !frontend.for_others)
    request_.emplace(options.machine_code,
                     compiled::CompileWish{frontend.file, target_of(frontend), options.tools, options.nvcc_flags},
                     options.listings);
}

compiled::ObtainedListings MachineCodeSource::take(const FileAnalysis &analysis) {
  const std::set<std::string> &absent = analysis.dependencies.absent;
  return request_->take(analysis.programs, {absent.begin(), absent.end()});
}

void settle_launches(MachineCodeSource &source, const std::vector<SimulationJob> &work,
                     const std::vector<bool> &complete, const LowerOptions &lowering, const AnalysisOptions &options,
                     FileAnalysis &analysis) {
  const std::optional<compiled::MachineCode> code = obtain(source, lowering, options, analysis);
  if (!code)
    return;
  FileBudget budget(options.simulation, work.size());
  MachineWork computed;
  for (std::size_t i = 0; i < analysis.programs.size(); ++i) {
    const Program &program = analysis.programs[i];
    std::vector<const PlannedLaunch *> planned;
    for (const SimulationJob &each : work)
      if (each.program == i)
        planned.push_back(each.planned);
    if (planned.empty() || !complete[i])
      continue;
    try {
      settle_kernel(*code, i, planned, budget, computed, options, analysis);
    } catch (const std::exception &error) {
      analysis.diagnostics.push_back(
          {Diagnostic::Severity::Error, program.location,
           "internal error: the simulation of " + program.kernel + " failed: " + error.what()});
    }
  }
  count_rest(computed, options, analysis);
}

} // namespace smem
