#include "analysis/race_search.h"

#include <algorithm>

namespace smem {
namespace {

/// A scalar of the kernel's arguments, or a pointer among them, that host code says nothing of.
ArgumentValue &find_argument(Launch &launch, std::uint32_t index, std::uint64_t offset) {
  const auto known = std::ranges::find_if(launch.arguments, [&](const ArgumentValue &argument) {
    return argument.index == index && argument.offset == offset;
  });
  return known != launch.arguments.end() ? *known : launch.arguments.emplace_back(index, offset);
}

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

} // namespace

bool reads(const Program &program, std::initializer_list<SpecialRegister> registers) {
  return std::ranges::any_of(program.blocks, [&](const BasicBlock &block) {
    return std::ranges::any_of(block.instructions, [&](const Instruction &instruction) {
      return instruction.opcode == Opcode::Special &&
             std::ranges::find(registers, static_cast<SpecialRegister>(instruction.immediate)) != registers.end();
    });
  });
}

bool is_fixed(const ParameterFact &fact) { return fact.facts.least && fact.facts.least == fact.facts.most; }

Launch known_part(Launch launch, const Program &source) {
  for (ArgumentValue &argument : launch.arguments)
    if (argument.provenance == Provenance::Assumed && !argument.pointer)
      argument.value.reset();
  if (!launch.grid_known)
    launch.grid = {1, 1, 1}; // every grid has this block
  return common_part(std::move(launch), source);
}

Launch any_with_block(Launch launch, const Program &source) {
  std::erase_if(launch.arguments, [](const ArgumentValue &argument) { return !argument.pointer; });
  for (ArgumentValue &argument : launch.arguments)
    argument.origin = {}; // others may lead into one allocation
  launch.grid = {1, 1, 1};
  return common_part(std::move(launch), source);
}

EveryLaunch every_launch(const Program &source, const Launch &launch, const Architecture &architecture,
                         RaceOptions options) {
  if (reads(source, {SpecialRegister::DynamicSharedSize, SpecialRegister::TotalSharedSize}))
    return {};
  options.max_steps /= 2; // beside what the launch itself may take
  return free_in_every_launch(source, any_with_block(launch, source), architecture, options);
}

void make_free(Races &races) {
  races.between_warps = races.within_warp = races.between_blocks = RaceVerdict::Free;
  races.reason.clear();
  races.reason_location = {};
}

Races find_or_free(const Program &source, const Launch &launch, const Architecture &architecture,
                   const RaceOptions &options, const EveryLaunch &every) {
  if (!every.complete)
    return find_races(source, launch, architecture, options);
  Races races;
  make_free(races);
  return races;
}

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
  Races races = find_or_free(source, launch, architecture, options, every);
  look_at_barriers(races, source, launch, architecture, options, every);
  return races;
}

} // namespace smem
