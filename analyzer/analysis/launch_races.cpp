#include "analysis/launch_races.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/assumed_input_races.h"
#include "analysis/launch_rounds.h"
#include "analysis/likely_blocks.h"
#include "analysis/needed_barriers.h"
#include "analysis/passed_twice.h"
#include "analysis/simulate_launches.h"

namespace smem {
namespace {

bool reads(const Program &program, std::initializer_list<SpecialRegister> registers) {
  return std::ranges::any_of(program.blocks, [&](const BasicBlock &block) {
    return std::ranges::any_of(block.instructions, [&](const Instruction &instruction) {
      return instruction.opcode == Opcode::Special &&
             std::ranges::find(registers, static_cast<SpecialRegister>(instruction.immediate)) != registers.end();
    });
  });
}

/// A scalar of the kernel's arguments, or a pointer among them, that host code says nothing of.
ArgumentValue &find_argument(Launch &launch, std::uint32_t index, std::uint64_t offset) {
  const auto known = std::ranges::find_if(launch.arguments, [&](const ArgumentValue &argument) {
    return argument.index == index && argument.offset == offset;
  });
  return known != launch.arguments.end() ? *known : launch.arguments.emplace_back(index, offset);
}

bool is_fixed(const ParameterFact &fact) { return fact.facts.least && fact.facts.least == fact.facts.most; }

/// What all launches with this block have in common: pointers, and the values that the kernel's own code leaves no choice of.
Launch common_part(Launch launch, const Program &source) {
  for (std::uint32_t i = 0; i < source.parameters.size(); ++i)
    if (source.parameters[i].pointer) // one that the optimised kernel has no use for is not among the arguments
      find_argument(launch, i, 0).pointer = true;
  for (const ParameterFact &fact : facts_of_all_sites(source)) {
    if (!is_fixed(fact))
      continue;
    ArgumentValue &argument = find_argument(launch, fact.index, fact.offset);
    if (argument.pointer || argument.value)
      continue;
    argument.width_bits = fact.width;
    argument.value = fact.facts.least;
  }
  for (ArgumentValue &argument : launch.arguments)
    if (argument.pointer)
      argument.alignment = 1;
  return launch;
}

/// What is known of a launch: as it is without the values that were assumed.
Launch known_part(Launch launch, const Program &source) {
  for (ArgumentValue &argument : launch.arguments)
    if (argument.provenance == Provenance::Assumed && !argument.pointer)
      argument.value.reset();
  if (!launch.grid_known)
    launch.grid = {1, 1, 1}; // every grid has this block
  return common_part(std::move(launch), source);
}

/// What all launches with the block of this one have in common.
Launch any_with_block(Launch launch, const Program &source) {
  std::erase_if(launch.arguments, [](const ArgumentValue &argument) { return !argument.pointer; });
  for (ArgumentValue &argument : launch.arguments)
    argument.origin = {}; // others may lead into one allocation
  launch.grid = {1, 1, 1};
  return common_part(std::move(launch), source);
}

/// What is free in every launch with the block of this one.
EveryLaunch every_launch(const Program &source, const Launch &launch, const Architecture &architecture,
                         RaceOptions options) {
  if (reads(source, {SpecialRegister::DynamicSharedSize, SpecialRegister::TotalSharedSize}))
    return {};
  options.max_steps /= 2; // beside what the launch itself may take
  return free_in_every_launch(source, any_with_block(launch, source), architecture, options);
}

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

/// No two threads race, whatever was not known.
void make_free(Races &races) {
  races.between_warps = races.within_warp = races.between_blocks = RaceVerdict::Free;
  races.reason.clear();
  races.reason_location = {};
}

/// `every`: of all launches with this block, where that is known.
Races find(const Program &source, const Launch &launch, const Architecture &architecture, const RaceOptions &options,
           const EveryLaunch &every) {
  if (!every.complete)
    return find_races(source, launch, architecture, options);
  Races races;
  make_free(races);
  return races;
}

/// Which barriers are missing, and which are of no use.
void look_at_barriers(Races &races, const Program &source, const Launch &launch, const Architecture &architecture,
                      RaceOptions rest, const EveryLaunch &every) {
  rest.max_steps -= std::min(rest.max_steps, races.steps);
  find_barriers(races, source, launch, architecture, rest);
  // What all launches of the kernel leave unknown is no reason to take a barrier away.
  if (rest.memory == RaceMemory::Shared && every.free && launch.grid_known && launch.assumptions.empty()) {
    rest.max_steps = std::min<std::uint64_t>(rest.max_steps, 10 * (races.steps + every.steps) + 10'000);
    races.redundant =
        find_redundant_barriers(races, source, launch, any_with_block(launch, source), architecture, rest);
  }
}

Races search(const Program &source, const Launch &launch, const Architecture &architecture, const RaceOptions &options,
             const EveryLaunch &every) {
  Races races = find(source, launch, architecture, options, every);
  look_at_barriers(races, source, launch, architecture, options, every);
  return races;
}

constexpr std::string_view kBlockNotKnown = "how many threads a block has is not known",
                           kGridNotKnown = "the grid is not known";

/// Of a launch whose block is not known: what those blocks say that were tried.
class LikelyBlocks {
public:
  LikelyBlocks(const Program &source, const Launch &launch, const Architecture &architecture,
               const RaceOptions &options)
      : source_(source), launch_(launch), tried_(known_part(launch, source)), architecture_(architecture),
        options_(options), left_(options.max_steps / kShare) {
    // As much as any kernel has without asking for more: how much it is of may depend on the block.
    if (!launch.dynamic_known)
      tried_.dynamic_shared_bytes =
          std::max<std::uint64_t>(tried_.dynamic_shared_bytes, architecture.capacity.shared_default);
  }

  Races run() {
    Races all = Races::unknown(std::string(kBlockNotKnown));
    const bool planes = reads(source_, {SpecialRegister::ThreadY, SpecialRegister::BlockDimY});
    // The one that was assumed for the counts keeps inside the arrays; of what is left others are tried.
    bool decided = decide(launch_.block, all);
    for (const std::vector<Dim3> &tier : likely_blocks(source_, launch_, architecture_, planes)) {
      for (const Dim3 &block : tier)
        decided =
            decided && !options_.stop.stop_requested() && (block == launch_.block || !left_ || decide(block, all));
      if (!decided || racing_)
        break;
    }
    all.steps = steps_;
    if (!decided)
      return all;
    if (!racing_ && all.free_blocks.empty())
      all.free_blocks = std::move(idle_);
    if (!racing_ && !all.free_blocks.empty()) {
      all.between_warps = all.within_warp = all.between_blocks = RaceVerdict::Free;
      all.assumed = true;
      all.leave_barriers_open(std::string(kBlockNotKnown));
      const std::size_t tried = all.free_blocks.size();
      all.assumptions = {
          {"block: not known from the source; no launch races with " +
           (tried == 1 ? std::string("the one block that was tried")
                       : "any of the " + std::to_string(tried) + " blocks that were tried") +
           (left_out_ ? ", " + std::to_string(left_out_) + " others leave the kernel's arrays" : std::string())}};
    } else if (racing_ && all.free_blocks.empty()) {
      all = std::move(*racing_);
      tried_.block = *all.block;
      if (racing_options_.assume)
        find_barriers(all, source_, tried_, architecture_, racing_options_);
      else
        look_at_barriers(all, source_, tried_, architecture_, racing_options_, racing_every_);
      all.steps = steps_;
      const Assumption block{"block=" + to_string(*all.block) + ": not known from the source, and threads race in " +
                             std::to_string(count_) +
                             (count_ == 1 ? " block that was tried" : " blocks that were tried")};
      all.assumed = true;
      all.assumptions.insert(all.assumptions.begin(), block);
      all.leave_barriers_open(std::string(kBlockNotKnown));
    } else if (racing_) {
      all.reason += ", and threads race with " + to_string(*racing_->block);
    }
    return all;
  }

private:
  static constexpr std::uint64_t kShare = 4;   ///< of what a launch that is known may take
  static constexpr std::uint32_t kUsual = 256; ///< threads of a block

  /// False: it is not known what threads of this block do.
  bool decide(const Dim3 &block, Races &all) {
    tried_.block = block;
    options_.max_steps = 2 * left_; // every_launch() takes half
    const EveryLaunch every = every_launch(source_, tried_, architecture_, options_);
    spend(every.steps);
    if (every.free) {
      (every.accesses ? all.free_blocks : idle_).push_back(block);
      return true;
    }
    options_.max_steps = left_;
    Races found = left_ ? find(source_, tried_, architecture_, options_, every) : Races::unknown("");
    spend(found.steps);
    RaceOptions searched = options_;
    bool leaves_arrays = found.leaves_arrays;
    if (found.verdict() == RaceVerdict::Unknown && !leaves_arrays && left_) {
      searched.max_steps = left_;
      AssumedInputRaces assumed = with_assumed_input(source_, tried_, architecture_, searched, found);
      spend(assumed.steps);
      leaves_arrays = assumed.leaves_arrays;
      searched = std::move(assumed.options);
      if (assumed.races)
        found = with_witnesses(std::move(found), std::move(*assumed.races), {});
    }
    if (leaves_arrays) {
      ++left_out_;
      // It is meant for other blocks, unless there is more dynamic shared memory than was assumed.
      return launch_.dynamic_known || std::ranges::none_of(source_.shared_arrays, &SharedArray::dynamic);
    }
    if (found.verdict() != RaceVerdict::Race) {
      if (left_ == 0 && block != launch_.block) // others were decided
        return true;
      all.reason = std::string(kBlockNotKnown) +
                   (found.reason.empty() ? "" : "; with " + to_string(block) + ": " + found.reason);
      all.reason_location = found.reason_location;
      return false;
    }
    const auto distance = [&](const Dim3 &one) {
      const auto threads = static_cast<std::int64_t>(one.count());
      return std::tuple(one != launch_.block, one.y, threads > kUsual ? threads - kUsual : kUsual - threads);
    };
    ++count_;
    if (!racing_ || distance(block) < distance(*racing_->block)) {
      found.block = block;
      racing_ = std::move(found);
      racing_every_ = every;
      racing_options_ = std::move(searched);
    }
    return true;
  }
  void spend(std::uint64_t steps) {
    left_ -= std::min(left_, steps);
    steps_ += steps;
  }

  const Program &source_;
  const Launch &launch_;
  Launch tried_;
  const Architecture &architecture_;
  RaceOptions options_;
  std::uint64_t left_, steps_ = 0;
  std::optional<Races> racing_; ///< those of the most usual block
  EveryLaunch racing_every_;
  RaceOptions racing_options_; ///< it was found with
  std::vector<Dim3> idle_;     ///< those with which nothing is accessed: the kernel is not meant for them
  std::size_t count_ = 0;      ///< blocks whose threads race
  std::size_t left_out_ = 0;   ///< those with which accesses leave their arrays
};

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
                       std::span<const Program> sources, const AnalysisOptions &options, RaceMemory memory) {
  RaceOptions search;
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
      races = memory == RaceMemory::Shared ? LikelyBlocks(*followed[i], launch, architecture, wanted).run()
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
