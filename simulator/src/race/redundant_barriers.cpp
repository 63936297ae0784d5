// Which barriers order nothing: without one, no two threads of a block race, in shared or in global memory.
#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "machine.h"
#include "race/pointer_uses.h"
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

/// Operations that come right before a barrier, or right after it, with no other barrier on the way.
class Neighbours {
public:
  explicit Neighbours(const Program &program)
      : program_(program), before_(program.blocks.size()), after_(program.blocks.size()) {
    for (BlockId block = 0; block < program.blocks.size(); ++block)
      for (const BlockId to : program.blocks[block].terminator.targets) {
        after_[block].push_back(to);
        before_[to].push_back(block);
      }
  }

  std::set<std::uint32_t> of(const SourceLocation &place, bool behind) const {
    std::set<std::uint32_t> operations;
    std::vector<BlockId> open;
    for (BlockId block = 0; block < program_.blocks.size(); ++block) {
      const std::vector<Instruction> &all = program_.blocks[block].instructions;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (is_barrier(all[i]) && place_of(program_, all[i]) == place &&
            (behind ? take(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(), operations)
                    : take(std::make_reverse_iterator(all.begin() + static_cast<std::ptrdiff_t>(i)), all.rend(),
                           operations)))
          add(block, behind, open);
    }
    for (std::set<BlockId> seen; !open.empty();) {
      const BlockId block = open.back();
      open.pop_back();
      const std::vector<Instruction> &all = program_.blocks[block].instructions;
      if (seen.insert(block).second &&
          (behind ? take(all.begin(), all.end(), operations) : take(all.rbegin(), all.rend(), operations)))
        add(block, behind, open);
    }
    return operations;
  }

private:
  /// Whether there is no barrier.
  template <class Iterator> static bool take(Iterator at, Iterator end, std::set<std::uint32_t> &operations) {
    for (; at != end && !is_barrier(*at); ++at)
      if (at->opcode == Opcode::Memory)
        operations.insert(at->index);
    return at == end;
  }
  void add(BlockId block, bool behind, std::vector<BlockId> &open) const {
    const std::vector<BlockId> &next = behind ? after_[block] : before_[block];
    open.insert(open.end(), next.begin(), next.end());
  }

  const Program &program_;
  std::vector<std::vector<BlockId>> before_, after_;
};

/// Of two pointers among the arguments the search takes each for an array of its own, be it that callers pass one twice: whether the barrier keeps accesses by two of them apart that may meet.
bool may_part_pointers(const Program &program, const SourceLocation &place, const race::PointerUses &uses) {
  const Neighbours neighbours(program);
  const std::set<std::uint32_t> before = neighbours.of(place, false), after = neighbours.of(place, true);
  return std::ranges::any_of(before, [&](std::uint32_t one) {
    return std::ranges::any_of(after, [&](std::uint32_t other) { return uses.may_meet_by_two(one, other); });
  });
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
      may_have_other_purposes(program))
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
  Machine machine(program, launch, architecture, {});
  const race::PointerUses uses(machine);
  // All of them together: of two that order the same, the first may go only where the second stays.
  Program rest = program;
  for (const SourceLocation &place : places) {
    if (may_part_pointers(rest, place, uses))
      continue;
    Program tried = without(rest, place);
    if (!is_free(tried, RaceMemory::Shared) || !is_free(tried, RaceMemory::Global))
      continue;
    redundant.push_back(place);
    rest = std::move(tried);
  }
  return redundant;
}

} // namespace smem
