#include "analysis/launch_races.h"

#include <algorithm>
#include <map>

#include "analysis/assumed_input_races.h"
#include "analysis/launch_rounds.h"
#include "analysis/needed_barriers.h"
#include "analysis/passed_twice.h"
#include "analysis/race_search.h"
#include "analysis/simulate_launches.h"
#include "analysis/unknown_block_races.h"

namespace smem {
namespace {

/// Without what find_races() and the like do not look at.
Launch as_searched(Launch &&launch) {
  Launch plain;
  plain.grid = launch.grid;
  plain.block = launch.block;
  plain.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  plain.least_global_alignment = launch.least_global_alignment;
  plain.opted_in_bytes = launch.opted_in_bytes;
  plain.arguments = std::move(launch.arguments);
  return plain;
}

/// Why nothing can be said of the launch; empty: something may.
std::string not_judged(const Launch &launch) {
  return !launch.reached ? "host code does not come to the launch with the values that it was followed with"
         : launch.block_known && !launch.consistent
             ? "no launch was found under which the kernel stays inside its arrays"
             : "";
}

/// The edit where the source has room for it; nullopt: nowhere.
std::optional<BarrierEdit> with_room(BarrierEdit edit, const SourceIndex &index) {
  const SourceLocation line{edit.line.file, edit.line.line, 0};
  if (edit.ends_loop) {
    const auto loop = index.loop_heads.find(line);
    if (loop == index.loop_heads.end())
      return std::nullopt;
    edit.in_braces = !loop->second;
    return edit;
  }
  const auto statement = index.statement_lines.find(line);
  if (statement == index.statement_lines.end() || statement->second.begin == 0)
    return std::nullopt;
  edit.in_braces = statement->second.needs_braces;
  if (statement->second.begin != line.line)
    edit.line = {line.file, statement->second.begin, 0};
  return edit;
}

constexpr std::string_view kGridNotKnown = "the grid is not known";

/// What holds whatever the values are that were assumed.
Races certain_races(const Program &source, const Launch &launch, const Architecture &architecture,
                    const RaceOptions &options, const EveryLaunch &every) {
  using enum SpecialRegister;
  if (!launch.grid_known && !every.complete && reads(source, {GridDimX, GridDimY, GridDimZ}))
    return Races::unknown(std::string(kGridNotKnown));
  Races races = search(source, known_part(launch, source), architecture, options, every);
  if (launch.grid_known || every.free)
    return races;
  const auto leave_open = [&](RaceVerdict &verdict) {
    if (verdict != RaceVerdict::Free)
      return;
    verdict = RaceVerdict::Unknown;
    if (races.reason.empty())
      races.reason = kGridNotKnown;
  };
  if (reads(source, {BlockX, BlockY, BlockZ})) { // other blocks than the first may race
    leave_open(races.between_warps);
    leave_open(races.within_warp);
  }
  if (options.memory == RaceMemory::Global)
    leave_open(races.between_blocks);
  return races;
}

/// Of what a search of shared memory may take: for what is assumed of a launch, and where only barriers and exchanges are left to be looked at.
constexpr std::uint64_t kAssumedShare = 3, kBarriersShare = 4;

RaceOptions options_for(const Program &source, RaceOptions search) {
  if (search.memory == RaceMemory::Shared && never_accesses_shared(source))
    search.max_steps /= kBarriersShare;
  return search;
}

/// What may be spent on what is assumed of a launch, and whether that was too little.
struct AssumedShare {
  std::uint64_t most = 0;
  bool exhausted = false;
};

/// `every`: of all launches with this block, where shared memory is asked about.
Races races_of(const Program &source, const Launch &launch, const Architecture &architecture,
               const RaceOptions &options, const EveryLaunch &every, AssumedShare &share) {
  Races certain = certain_races(source, launch, architecture, options, every);
  // Launches with other values make no access, and may come to barriers all the same.
  const bool fixed = std::ranges::any_of(facts_of_all_sites(source), is_fixed);
  if (fixed)
    certain.leave_barriers_open("arguments may have other values than those with which the kernel accesses memory");
  if (every.free && certain.verdict() != RaceVerdict::Race) {
    make_free(certain);
    certain.always = true;
  }
  certain.barriers_always &= !fixed;
  if (every.free && every.complete && !fixed) { // all ways were taken, and all threads came to all barriers
    certain.barriers_open = false;
    certain.barriers_always = true;
  }
  if (certain.verdict() != RaceVerdict::Unknown)
    return certain;
  const bool may_race = options.memory != RaceMemory::Shared || !never_accesses_shared(source);
  RaceOptions rest = options; // one budget for all
  const auto spend = [&](std::uint64_t steps) { rest.max_steps -= std::min(rest.max_steps, steps); };
  spend(certain.steps);
  rest.max_steps = std::min(rest.max_steps, share.most);
  if (may_race && !launch.assumptions.empty()) {
    Races assumed = search(source, launch, architecture, rest, {});
    if (assumed.verdict() == RaceVerdict::Race) {
      assumed.assumed = true;
      assumed.assumptions = launch.assumptions;
      assumed.unwritten = std::move(certain.unwritten);
      return assumed;
    }
    spend(assumed.steps);
  }
  if (!launch.grid_known) {
    Launch likely = known_part(launch, source);
    likely.grid = launch.grid;
    Races found = search(source, likely, architecture, rest, {});
    if (found.verdict() != RaceVerdict::Unknown) {
      found.assumed = true;
      found.leave_barriers_open(std::string(kGridNotKnown));
      found.assumptions = {{"grid=" + to_string(launch.grid) + ": not known from the source"}};
      if (found.verdict() == RaceVerdict::Free)
        found.reason = std::move(certain.reason);
      return found;
    }
    spend(found.steps);
  }
  share.exhausted = rest.max_steps == 0;
  if (!may_race)
    return certain;
  // As far as it is assumed to be one that keeps inside its arrays.
  const Launch base = launch.assumptions.empty() ? known_part(launch, source) : launch;
  AssumedInputRaces assumed = with_assumed_input(source, base, architecture, rest, certain);
  if (!assumed.races)
    return certain;
  find_barriers(*assumed.races, source, base, architecture, assumed.options);
  return with_witnesses(std::move(certain), std::move(*assumed.races), launch.assumptions);
}

/// What every launch with this block is, that is: of this one nothing is known, or no such launch happens.
Races launch_not_judged(const EveryLaunch &every, const std::string &why) {
  Races races = Races::unknown(why);
  races.steps = every.steps;
  if (!every.free)
    return races;
  make_free(races);
  races.always = true;
  if (!every.complete)
    races.leave_barriers_open(why);
  races.barriers_always = every.complete;
  return races;
}

/// Of a kernel that never accesses shared memory: whatever the search of barriers says or leaves open.
void call_free(Races &races) {
  if (races.verdict() == RaceVerdict::Unknown)
    races.leave_barriers_open(races.reason);
  make_free(races);
  races.assumed = false;
  races.assumptions.clear();
  races.free_blocks.clear();
  races.always = true;
}

/// Of a kernel that shares_nothing().
Races nothing_shared() {
  Races races;
  make_free(races);
  races.always = races.barriers_always = true;
  return races;
}

std::optional<Races> &races_in(LaunchAnalysis &launch, RaceMemory memory) {
  return memory == RaceMemory::Shared ? launch.races : launch.global_races;
}

/// What is free in every launch with a block, found once for all launches that have it.
class EveryBlock {
public:
  EveryBlock(std::span<const LaunchAnalysis> launches, const std::vector<const Program *> &sources,
             const Architecture &architecture, const RaceOptions &search, const AnalysisOptions &options)
      : of_launch_(launches.size(), SIZE_MAX) {
    struct Job {
      std::size_t launch;
      Launch searched;
    };
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (search.memory != RaceMemory::Shared || !sources[i] || !launches[i].launch.block_known ||
          shares_nothing(*sources[i]))
        continue;
      Launch searched = as_searched(any_with_block(launches[i].launch, *sources[i]));
      const auto same = std::ranges::find_if(
          jobs, [&](const Job &job) { return sources[job.launch] == sources[i] && job.searched == searched; });
      of_launch_[i] = static_cast<std::size_t>(same - jobs.begin());
      if (same == jobs.end())
        jobs.push_back({i, std::move(searched)});
    }
    found_.resize(jobs.size());
    options.parallel_for(jobs.size(), [&](std::size_t i) {
      const Program &source = *sources[jobs[i].launch];
      found_[i] = every_launch(source, jobs[i].searched, architecture, options_for(source, search));
    });
  }

  const EveryLaunch &of(std::size_t launch) const {
    return of_launch_[launch] == SIZE_MAX ? nothing_ : found_[of_launch_[launch]];
  }

private:
  const EveryLaunch nothing_;
  std::vector<EveryLaunch> found_;
  std::vector<std::size_t> of_launch_;
};

} // namespace

bool may_judge_races(const Launch &launch) { return launch.block_known || not_judged(launch).empty(); }

void find_launch_races(std::span<LaunchAnalysis> launches, std::span<const Program> programs,
                       std::span<const Program> sources, const SourceIndex &index, const AnalysisOptions &options,
                       RaceMemory memory) {
  RaceOptions search;
  search.as_written = [&](const BarrierEdit &edit) { return with_room(edit, index); };
  search.memory = memory;
  // A tenth of what simulations may take by default, and as much of a larger budget.
  search.max_steps =
      std::min(std::max(search.max_steps, options.simulation.max_steps / 10), options.simulation.max_steps);
  search.stop = options.frontend.stop;
  const Architecture &architecture = *options.frontend.architecture;
  std::vector<std::optional<const Program *>> source_of(programs.size());
  std::vector<const Program *> followed, kinds; // by launch; those that searches tell apart
  for (const LaunchAnalysis &launch : launches) {
    std::optional<const Program *> &known = source_of[launch.program];
    if (!known) {
      const auto source = std::ranges::find(sources, programs[launch.program].mangled, &Program::mangled);
      known = source != sources.end() && verify(*source).empty() ? &*source : nullptr;
      const auto same =
          std::ranges::find_if(kinds, [&](const Program *kind) { return *known && races_alike(*kind, **known); });
      if (same != kinds.end())
        known = *same;
      else if (*known)
        kinds.push_back(*known);
    }
    followed.push_back(*known);
  }
  const EveryBlock every(launches, followed, architecture, search, options);
  const Repeated repeated(launches, followed);
  std::vector<AssumedShare> shares(launches.size());
  const auto search_one = [&](std::size_t i) {
    const Launch &launch = launches[i].launch;
    std::optional<Races> &races = races_in(launches[i], memory);
    if (memory == RaceMemory::Shared && followed[i] && shares_nothing(*followed[i])) {
      races = nothing_shared();
      return;
    }
    if (const std::string why = not_judged(launch); !why.empty())
      races = launch_not_judged(every.of(i), why);
    else if (!followed[i])
      races = Races::unknown("the kernel cannot be followed before it is optimised");
    else if (const RaceOptions wanted = options_for(*followed[i], search); launch.block_known)
      races = races_of(*followed[i], launch, architecture, wanted, every.of(i), shares[i]);
    else
      races = memory == RaceMemory::Shared ? races_of_unknown_block(*followed[i], launch, architecture, wanted)
                                           : Races::unknown(std::string(kBlockNotKnown));
    if (memory == RaceMemory::Global && followed[i])
      leave_open_within_arrays(*races, *followed[i], launch, architecture);
    if (memory == RaceMemory::Shared && followed[i] && never_accesses_shared(*followed[i]))
      call_free(*races);
    races->barriers_by_all = memory == RaceMemory::Shared && followed[i] && all_come_to_barriers(*followed[i]);
  };
  std::map<SourceLocation, unsigned> exhausted; // by kernel or template
  for (const std::vector<std::size_t> &round : rounds_of(launches, programs, repeated)) {
    for (const std::size_t i : round)
      shares[i].most = (memory == RaceMemory::Shared ? search.max_steps / kAssumedShare : search.max_steps) >>
                       std::min(exhausted[programs[launches[i].program].location], StepBudget::kMostHalvings);
    options.parallel_for(round.size(), [&](std::size_t k) { search_one(round[k]); });
    for (const std::size_t i : round) {
      unsigned &so_far = exhausted[programs[launches[i].program].location];
      so_far = StepBudget::exhausted_after(so_far, shares[i].exhausted);
    }
  }
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (const std::size_t first = repeated.first(i); first != i)
      races_in(launches[i], memory) = races_in(launches[first], memory);
  if (memory == RaceMemory::Shared)
    keep_needed_barriers(launches, programs, sources);
}

} // namespace smem
