#include "program/lanes_apart.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>

namespace smem::lower {
namespace {

constexpr std::int64_t kAllLanes = std::numeric_limits<std::uint32_t>::max();

class Apart {
public:
  explicit Apart(Program &program) : program_(program), seen_(program.blocks.size()) {
    for (const BasicBlock &block : program.blocks)
      for (const Instruction &instruction : block.instructions)
        if (instruction.opcode == Opcode::Constant && (instruction.immediate & kAllLanes) == kAllLanes)
          all_lanes_.insert(instruction.result);
  }

  void from(BlockId block) {
    go_to(block);
    while (!work_.empty()) {
      const BlockId at = work_.back();
      work_.pop_back();
      if (through(program_.blocks[at]))
        std::ranges::for_each(program_.blocks[at].terminator.targets, [this](BlockId next) { go_to(next); });
    }
  }

private:
  void go_to(BlockId block) {
    if (!seen_[block])
      work_.push_back(block);
    seen_[block] = true;
  }

  /// Do lanes come to the end of the block apart?
  bool through(BasicBlock &block) {
    for (Instruction &instruction : block.instructions) {
      if (joins(instruction))
        return false;
      if (instruction.opcode == Opcode::Memory)
        program_.memory_operations[instruction.index].apart = reason();
      else if (tells_active_lanes(instruction.opcode))
        forget(instruction);
    }
    return true;
  }

  /// Which lanes are active, and what they tell each other, is not known there: a leader of theirs is one of each group.
  static bool tells_active_lanes(Opcode opcode) {
    switch (opcode) {
    case Opcode::ActiveMask:
    case Opcode::Ballot:
    case Opcode::VoteAll:
    case Opcode::VoteAny:
    case Opcode::VoteUniform:
    case Opcode::MatchAny:
    case Opcode::MatchAll:
    case Opcode::Reduce:
    case Opcode::Shuffle:
    case Opcode::ShuffleOk: return true;
    default: return false;
    }
  }

  void forget(Instruction &instruction) {
    instruction.opcode = Opcode::Opaque;
    instruction.operands.clear();
    instruction.immediate = 0;
    instruction.index = reason();
  }

  bool joins(const Instruction &instruction) const {
    return instruction.opcode == Opcode::Barrier ||
           (instruction.opcode == Opcode::WarpBarrier && (instruction.immediate & kAllLanes) == kAllLanes) ||
           (instruction.opcode == Opcode::WarpMembers && all_lanes_.contains(instruction.operands[0]));
  }

  std::uint32_t reason() {
    if (reason_ == kNone) {
      reason_ = static_cast<std::uint32_t>(program_.reasons.size());
      program_.reasons.emplace_back(
          "lanes leave a loop that waits for other threads at different iterations, and reconverge at the next barrier only");
    }
    return reason_;
  }

  Program &program_;
  std::vector<bool> seen_;
  std::vector<BlockId> work_;
  std::set<RegisterId> all_lanes_;
  std::uint32_t reason_ = kNone;
};

} // namespace

void note_lanes_apart(Program &program, const std::vector<BlockId> &waiting) {
  Apart apart(program);
  for (const BlockId block : waiting)
    apart.from(block);
}

} // namespace smem::lower
