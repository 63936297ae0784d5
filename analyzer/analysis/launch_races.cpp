#include "analysis/launch_races.h"

#include <algorithm>

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

/// What is known of a launch: as it is without the values that were assumed, and with those that the kernel's own code leaves no choice of.
Launch known_part(Launch launch, const Program &source) {
  for (ArgumentValue &argument : launch.arguments)
    if (argument.provenance == Provenance::Assumed && !argument.pointer)
      argument.value.reset();
  for (std::uint32_t i = 0; i < source.parameters.size(); ++i)
    if (source.parameters[i].pointer) // one that the optimised kernel has no use for is not among the arguments
      find_argument(launch, i, 0).pointer = true;
  for (const ParameterFact &fact : facts_of_all_sites(source)) {
    if (!fact.facts.least || fact.facts.least != fact.facts.most)
      continue;
    ArgumentValue &argument = find_argument(launch, fact.index, fact.offset);
    if (argument.pointer || argument.value)
      continue;
    argument.width_bits = fact.width;
    argument.value = fact.facts.least;
  }
  if (!launch.grid_known)
    launch.grid = {1, 1, 1}; // every grid has this block
  return launch;
}

/// Why nothing can be said of the launch; empty: something may.
std::string not_judged(const Launch &launch) {
  return !launch.reached       ? "host code does not come to the launch with the values that it was followed with"
         : !launch.block_known ? "how many threads a block has is not known"
         : !launch.consistent  ? "no launch was found under which the kernel stays inside its arrays"
                               : "";
}

Races search(const Program &source, const Launch &launch, const Architecture &architecture,
             const RaceOptions &options) {
  Races races = find_races(source, launch, architecture, options);
  RaceOptions rest = options;
  rest.max_steps -= std::min(rest.max_steps, races.steps);
  find_barriers(races, source, launch, architecture, rest);
  // What all launches of the kernel leave unknown is no reason to take a barrier away.
  if (options.memory == RaceMemory::Shared && launch.grid_known && launch.assumptions.empty()) {
    rest.max_steps = std::min<std::uint64_t>(rest.max_steps, 10 * races.steps + 10'000);
    races.redundant = find_redundant_barriers(races, source, launch, architecture, rest);
  }
  return races;
}

/// What holds whatever the values are that were assumed.
Races certain_races(const Program &source, const Launch &launch, const Architecture &architecture,
                    const RaceOptions &options) {
  using enum SpecialRegister;
  if (!launch.grid_known && reads(source, {GridDimX, GridDimY, GridDimZ}))
    return Races::unknown("the grid is not known");
  Races races = search(source, known_part(launch, source), architecture, options);
  if (launch.grid_known)
    return races;
  const auto leave_open = [&](RaceVerdict &verdict) {
    if (verdict != RaceVerdict::Free)
      return;
    verdict = RaceVerdict::Unknown;
    if (races.reason.empty())
      races.reason = "the grid is not known";
  };
  if (reads(source, {BlockX, BlockY, BlockZ})) { // other blocks than the first may race
    leave_open(races.between_warps);
    leave_open(races.within_warp);
  }
  if (options.memory == RaceMemory::Global)
    leave_open(races.between_blocks);
  return races;
}

Races races_of(const Program &source, const Launch &launch, const Architecture &architecture,
               const RaceOptions &options) {
  Races certain = certain_races(source, launch, architecture, options);
  if (certain.verdict() != RaceVerdict::Unknown || launch.assumptions.empty())
    return certain;
  RaceOptions rest = options; // one budget for both
  rest.max_steps -= std::min(rest.max_steps, certain.steps);
  Races assumed = search(source, launch, architecture, rest);
  if (assumed.verdict() != RaceVerdict::Race)
    return certain;
  assumed.assumed = true;
  assumed.unwritten = std::move(certain.unwritten);
  return assumed;
}

} // namespace

bool may_judge_races(const Launch &launch) { return not_judged(launch).empty(); }

void find_launch_races(std::span<LaunchAnalysis> launches, std::span<const Program> programs,
                       std::span<const Program> sources, const AnalysisOptions &options, RaceMemory memory) {
  RaceOptions search;
  search.memory = memory;
  // A tenth of what simulations may take by default, and as much of a larger budget.
  search.max_steps =
      std::min(std::max(search.max_steps, options.simulation.max_steps / 10), options.simulation.max_steps);
  search.stop = options.frontend.stop;
  options.parallel_for(launches.size(), [&](std::size_t i) {
    const Launch &launch = launches[i].launch;
    const std::string &kernel = programs[launches[i].program].mangled;
    const auto source = std::ranges::find(sources, kernel, &Program::mangled);
    std::optional<Races> &races = memory == RaceMemory::Shared ? launches[i].races : launches[i].global_races;
    if (const std::string why = not_judged(launch); !why.empty())
      races = Races::unknown(why);
    else if (source == sources.end() || !verify(*source).empty())
      races = Races::unknown("the kernel cannot be followed before it is optimised");
    else
      races = races_of(*source, launch, *options.frontend.architecture, search);
  });
}

} // namespace smem
