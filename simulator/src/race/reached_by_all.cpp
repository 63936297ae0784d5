#include "reached_by_all.h"

#include <algorithm>
#include <set>

#include "race/block_run.h"
#include "smem/fence.h"
#include "smem/race.h"

namespace smem::race {
namespace {

class Search {
public:
  Search(const Program &program, const ControlFlow &flow)
      : program_(program), flow_(flow), differs_(program.register_count), some_(program.blocks.size()),
        parts_(program.blocks.size()) {}

  std::vector<bool> run() {
    do {
      changed_ = false;
      for (BlockId id = 0; id < program_.blocks.size(); ++id)
        visit(id);
    } while (changed_);
    some_.flip();
    return std::move(some_);
  }

private:
  bool differs(RegisterId id) const { return id != kNone && differs_[id]; }

  void mark(RegisterId id) {
    if (id == kNone || differs_[id])
      return;
    differs_[id] = changed_ = true;
  }

  void visit(BlockId id) {
    const BasicBlock &block = program_.blocks[id];
    for (const Phi &phi : block.phis)
      if (std::ranges::any_of(phi.incoming, [&](const Phi::Incoming &incoming) {
            return differs(incoming.value) || some_[incoming.from] || parts_[incoming.from];
          }))
        mark(phi.result);
    for (const Instruction &instruction : block.instructions) {
      if (instruction.opcode == Opcode::Memory) {
        const MemoryOperation &operation = program_.memory_operations[instruction.index];
        if (operation.access.operation != Operation::Store)
          for (const ValuePart &part : operation.parts)
            mark(part.reg);
        continue;
      }
      const bool computes = instruction.opcode <= Opcode::Select && instruction.opcode != Opcode::LocalAddress &&
                            instruction.opcode != Opcode::Undefined &&
                            (instruction.opcode != Opcode::Special ||
                             is_same_in_block(static_cast<SpecialRegister>(instruction.immediate)));
      if (!computes || std::ranges::any_of(instruction.operands, [&](RegisterId each) { return differs(each); }))
        mark(instruction.result);
    }
    if (!parts_[id] && block.terminator.targets.size() > 1 && differs(block.terminator.condition)) {
      parts_[id] = changed_ = true;
      for (const BlockId target : block.terminator.targets)
        reach(target, flow_.immediate_post_dominator[id]);
    }
  }

  /// All before the paths come together again.
  void reach(BlockId id, BlockId end) {
    std::vector<bool> seen(program_.blocks.size());
    std::vector<BlockId> work{id};
    while (!work.empty()) {
      const BlockId at = work.back();
      work.pop_back();
      if (at == end || seen[at])
        continue;
      seen[at] = some_[at] = true;
      work.insert(work.end(), program_.blocks[at].terminator.targets.begin(),
                  program_.blocks[at].terminator.targets.end());
    }
  }

  const Program &program_;
  const ControlFlow &flow_;
  std::vector<bool> differs_, some_, parts_; // parts_: by block, whose branch threads may take differently
  bool changed_ = false;
};

} // namespace

std::vector<bool> reached_by_all(const Program &program, const ControlFlow &flow) {
  return Search(program, flow).run();
}

} // namespace smem::race

namespace smem {

namespace {

bool has_other_barriers(const Program &program) {
  return program.split_barriers || program.waits_in_memory || program.warps_meet_otherwise ||
         !program.counted_barriers.empty();
}

} // namespace

bool never_accesses_shared(const Program &program) {
  return race::not_followed(program).why.empty() && program.shared_arrays.empty() && !program.shared_used_elsewhere &&
         std::ranges::none_of(program.memory_operations,
                              [](const MemoryOperation &operation) { return operation.space == AddressSpace::Shared; });
}

bool shares_nothing(const Program &program) {
  if (has_other_barriers(program) || !never_accesses_shared(program))
    return false;
  const auto meets = [](const Instruction &instruction) {
    return instruction.opcode == Opcode::Barrier || instruction.opcode == Opcode::BarrierArrive ||
           instruction.opcode == Opcode::WarpBarrier || instruction.opcode == Opcode::WarpMembers ||
           (instruction.opcode == Opcode::Fence && instruction.immediate == kGridBarrier);
  };
  return std::ranges::none_of(program.blocks,
                              [&](const BasicBlock &block) { return std::ranges::any_of(block.instructions, meets); });
}

bool all_come_to_barriers(const Program &program) {
  if (!race::not_followed(program).why.empty() || has_other_barriers(program))
    return false;
  std::set<RegisterId> constant, whole;
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Constant) {
        constant.insert(instruction.result);
        if (static_cast<LaneMask>(instruction.immediate) == kFullMask)
          whole.insert(instruction.result);
      }
  const ControlFlow flow = analyze_control_flow(program);
  const std::vector<bool> by_all = race::reached_by_all(program, flow);
  const auto is_open = [&](const Instruction &instruction, bool all) {
    switch (instruction.opcode) {
    case Opcode::Barrier:
      return !all || std::ranges::any_of(instruction.operands, [&](RegisterId id) { return !constant.contains(id); });
    case Opcode::WarpMembers: return !all || !whole.contains(instruction.operands[0]);
    case Opcode::WarpBarrier: return !all;
    case Opcode::BarrierArrive: return true;
    case Opcode::Fence: return instruction.immediate == kGridBarrier;
    default: return false;
    }
  };
  for (BlockId id = 0; id < program.blocks.size(); ++id)
    if (std::ranges::any_of(program.blocks[id].instructions,
                            [&](const Instruction &instruction) { return is_open(instruction, by_all[id]); }))
      return false;
  return true;
}

} // namespace smem
