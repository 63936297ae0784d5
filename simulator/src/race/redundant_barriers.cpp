// Which barriers order nothing: without one, no two threads of a block race, in shared or in global memory.
#include <algorithm>
#include <iterator>
#include <set>

#include "smem/race.h"

namespace smem {
namespace {

constexpr std::size_t kMostPlaces = 12; ///< that are tried

bool is_barrier(const Instruction &instruction) { return instruction.opcode == Opcode::Barrier; }

SourceLocation place_of(const Program &program, const Instruction &barrier) {
  return barrier.index < program.places.size() ? program.places[barrier.index] : SourceLocation{};
}

/// What a barrier may be for but the order of the block's own accesses: what other blocks wait for, votes, barriers of some threads.
bool may_have_other_purposes(const Program &program) {
  const auto has_other_purpose = [](const Instruction &instruction) {
    return instruction.opcode == Opcode::Fence || instruction.opcode == Opcode::BarrierArrive ||
           (is_barrier(instruction) && (instruction.immediate == kVotes || !instruction.operands.empty()));
  };
  return program.split_barriers || program.warps_meet_otherwise || program.waits_in_memory ||
         std::ranges::any_of(program.memory_operations,
                             [](const MemoryOperation &operation) {
                               return operation.access.operation == Operation::Atomic ||
                                      operation.strength != Strength::Weak;
                             }) ||
         std::ranges::any_of(program.blocks, [&](const BasicBlock &block) {
           return std::ranges::any_of(block.instructions, has_other_purpose);
         });
}

/// Of two pointers among the arguments that lead into one allocation, the search takes each for an array of its own.
bool has_equal_pointers(const Launch &launch) {
  for (auto one = launch.arguments.begin(); one != launch.arguments.end(); ++one)
    if (one->pointer && one->origin.allocation != 0 &&
        std::any_of(std::next(one), launch.arguments.end(), [&](const ArgumentValue &other) {
          return other.pointer && other.origin.allocation == one->origin.allocation;
        }))
      return true;
  return false;
}

Program without(Program program, const SourceLocation &place) {
  for (BasicBlock &block : program.blocks)
    std::erase_if(block.instructions, [&](const Instruction &instruction) {
      return is_barrier(instruction) && place_of(program, instruction) == place;
    });
  return program;
}

} // namespace

std::vector<SourceLocation> find_redundant_barriers(const Races &races, const Program &program, const Launch &launch,
                                                    const Launch &any, const Architecture &architecture,
                                                    const RaceOptions &options) {
  if (races.verdict() != RaceVerdict::Free || !races.same_value.empty() || !races.unwritten.empty() ||
      may_have_other_purposes(program) || has_equal_pointers(launch))
    return {};
  std::set<SourceLocation> places;
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions)
      if (is_barrier(instruction) && place_of(program, instruction).known())
        places.insert(place_of(program, instruction));
  std::uint64_t steps = 0;
  const auto is_free = [&](const Program &tried, RaceMemory memory) {
    RaceOptions rest = options;
    rest.memory = memory;
    rest.until_not_free = true;
    rest.max_steps -= std::min(rest.max_steps, steps);
    if (memory == RaceMemory::Shared) { // another launch may have more iterations, or take another branch
      const EveryLaunch every = free_in_every_launch(tried, any, architecture, rest);
      steps += every.steps;
      if (!every.free || every.complete)
        return every.free;
      rest.max_steps -= std::min(rest.max_steps, every.steps);
    }
    const Races found = find_races(tried, launch, architecture, rest);
    steps += found.steps;
    // Writes of one value that a barrier keeps apart are a reason for it.
    return found.between_warps == RaceVerdict::Free && found.within_warp == RaceVerdict::Free &&
           found.same_value.empty();
  };
  std::vector<SourceLocation> redundant;
  if (places.empty() || places.size() > kMostPlaces)
    return redundant;
  // All of them together: of two that order the same, the first may go only where the second stays.
  Program rest = program;
  for (const SourceLocation &place : places) {
    Program tried = without(rest, place);
    if (!is_free(tried, RaceMemory::Shared) || !is_free(tried, RaceMemory::Global))
      continue;
    redundant.push_back(place);
    rest = std::move(tried);
  }
  return redundant;
}

} // namespace smem
