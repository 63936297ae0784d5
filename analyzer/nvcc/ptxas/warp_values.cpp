#include "nvcc/ptxas/warp_values.h"

#include <algorithm>

namespace smem::lower {
namespace {

/// The parts of others are what they store.
bool gives_values(const MemoryOperation &operation) {
  const Operation kind = operation.access.operation;
  return kind == Operation::Load || kind == Operation::Atomic || kind == Operation::MatrixLoad;
}

} // namespace

WarpValues::WarpValues(const Program &program)
    : program_(program), flow_(analyze_control_flow(program)), definitions_(program.register_count),
      home_(program.register_count, kNone), registers_(program.register_count), branches_(program.blocks.size()),
      phis_(program.blocks.size()), apart_(flow_.loops.size()) {
  for (BlockId id = 0; id < program_.blocks.size(); ++id) {
    const BasicBlock &block = program_.blocks[id];
    for (const Phi &phi : block.phis)
      home_[phi.result] = id;
    for (const Instruction &instruction : block.instructions) {
      if (instruction.result != kNone) {
        home_[instruction.result] = id;
        definitions_[instruction.result] = &instruction;
      }
      if (instruction.opcode == Opcode::Memory && gives_values(program_.memory_operations[instruction.index]))
        for (const ValuePart &part : program_.memory_operations[instruction.index].parts)
          if (part.reg != kNone)
            home_[part.reg] = id;
    }
    // At least: ptxas may have made predicated loads of a merge, whose results it does not know to be uniform, whatever the branch.
    if (!block.phis.empty() && flow_.loop_of_header[id] == kNone)
      phis_[id] = Sharing::Unclear;
  }
  do {
    changed_ = false;
    for (BlockId id = 0; id < program_.blocks.size(); ++id)
      visit(id);
  } while (changed_);
}

Sharing WarpValues::sharing(RegisterId id, BlockId block) const {
  if (id == kNone)
    return Sharing::Uniform;
  const BlockId home = home_[id];
  for (std::uint32_t loop = home == kNone ? kNone : flow_.innermost_loop[home]; loop != kNone;
       loop = flow_.loops[loop].parent)
    if (apart_[loop] && !flow_.loops[loop].contains[block])
      return Sharing::Varying;
  return registers_[id];
}

/// Computed alike of the same: LLVM computes some addresses early on either side of a branch.
bool WarpValues::is_same_value(RegisterId a, RegisterId b, unsigned depth) const {
  constexpr unsigned kDeepest = 8;
  if (a == b)
    return true;
  const Instruction *of_a = a == kNone ? nullptr : definitions_[a], *of_b = b == kNone ? nullptr : definitions_[b];
  if (!of_a || !of_b || depth == kDeepest || of_a->opcode > Opcode::Select || of_a->opcode != of_b->opcode ||
      of_a->width != of_b->width || of_a->index != of_b->index || of_a->immediate != of_b->immediate ||
      of_a->operands.size() != of_b->operands.size())
    return false;
  for (std::size_t i = 0; i < of_a->operands.size(); ++i)
    if (!is_same_value(of_a->operands[i], of_b->operands[i], depth + 1))
      return false;
  return true;
}

void WarpValues::raise(RegisterId id, Sharing to) {
  if (id == kNone || registers_[id] >= to)
    return;
  registers_[id] = to;
  changed_ = true;
}

void WarpValues::visit(BlockId id) {
  const BasicBlock &block = program_.blocks[id];
  for (const Phi &phi : block.phis) {
    const bool one = std::ranges::all_of(phi.incoming, [&](const Phi::Incoming &incoming) {
      return is_same_value(incoming.value, phi.incoming[0].value);
    });
    Sharing merged = one ? Sharing::Uniform : phis_[id];
    for (const Phi::Incoming &incoming : phi.incoming)
      merged = std::max(merged, sharing(incoming.value, incoming.from));
    raise(phi.result, merged);
  }
  for (const Instruction &instruction : block.instructions) {
    if (instruction.opcode == Opcode::Memory) {
      const MemoryOperation &operation = program_.memory_operations[instruction.index];
      if (gives_values(operation))
        for (const ValuePart &part : operation.parts)
          raise(part.reg, of_memory(operation, id));
    } else if (instruction.result != kNone) {
      raise(instruction.result, of_result(instruction, id));
    }
  }
  if (!branches_[id] && sharing(block.terminator.condition, id) == Sharing::Varying)
    branch(id);
}

Sharing WarpValues::of_memory(const MemoryOperation &operation, BlockId id) const {
  return operation.access.operation == Operation::Load ? sharing(operation.address, id) : Sharing::Varying;
}

/// `shfl.idx` without segments reads one lane's value.
Sharing WarpValues::of_shuffle(const Instruction &instruction, BlockId id) const {
  constexpr std::int64_t kWholeWarp = 0x1f;
  const RegisterId clamp = instruction.operands[2];
  const Instruction *whole = clamp == kNone ? nullptr : definitions_[clamp];
  return static_cast<ShuffleMode>(instruction.immediate) == ShuffleMode::Index && whole &&
                 whole->opcode == Opcode::Constant && whole->immediate == kWholeWarp
             ? sharing(instruction.operands[1], id)
             : Sharing::Varying;
}

Sharing WarpValues::of_result(const Instruction &instruction, BlockId id) const {
  switch (instruction.opcode) {
  case Opcode::Special:
    return !is_same_in_block(static_cast<SpecialRegister>(instruction.immediate)) ? Sharing::Varying : Sharing::Uniform;
  case Opcode::LocalAddress: // of which ptxas may know all that is stored
  case Opcode::Undefined: return Sharing::Unclear;
  case Opcode::UDiv: // of 64 bits they are calls, but by a constant
  case Opcode::SDiv:
  case Opcode::URem:
  case Opcode::SRem:
    if (const Instruction *by = definitions_[instruction.operands[1]];
        instruction.width > 32 && !(by && by->opcode == Opcode::Constant))
      return Sharing::Varying;
    break;
  case Opcode::Shuffle: return of_shuffle(instruction, id);
  case Opcode::ShuffleOk:
  case Opcode::MatchAny: return Sharing::Varying;
  case Opcode::Ballot:
  case Opcode::VoteAll:
  case Opcode::VoteAny:
  case Opcode::VoteUniform:
  case Opcode::MatchAll:
  case Opcode::Reduce:
  case Opcode::ActiveMask: return Sharing::Uniform;
  default: break;
  }
  Sharing all = Sharing::Uniform;
  for (const RegisterId operand : instruction.operands)
    all = std::max(all, sharing(operand, id));
  return all;
}

/// Nothing but the end of the kernel: lanes exit, and the others go on as if there were no branch.
bool WarpValues::ends(BlockId id) const {
  const BasicBlock &block = program_.blocks[id];
  return block.terminator.kind == TerminatorKind::Return && block.instructions.empty();
}

void WarpValues::branch(BlockId id) {
  branches_[id] = changed_ = true;
  const std::vector<BlockId> &targets = program_.blocks[id].terminator.targets;
  if (std::ranges::count_if(targets, [&](BlockId target) { return !ends(target); }) < 2)
    return;
  for (const BlockId join : joins_of(id))
    phis_[join] = Sharing::Varying;
  for (std::size_t loop = 0; loop < flow_.loops.size(); ++loop)
    if (flow_.loops[loop].contains[id] && std::ranges::any_of(targets, [&](BlockId target) {
          return !flow_.loops[loop].contains[target] && !ends(target);
        })) {
      apart_[loop] = true;
      phis_[flow_.loops[loop].header] = Sharing::Varying;
    }
}

/// Where paths from two targets of the branch come together that had no block in common: the label of a block is the last such place, or the target, on each way to it.
/// Blocks are in reverse post-order, as their producers have them.
std::vector<BlockId> WarpValues::joins_of(BlockId branch) const {
  const BlockId all = flow_.immediate_post_dominator[branch];
  std::vector<bool> reached(program_.blocks.size());
  std::vector<bool> first(program_.blocks.size());
  std::vector<BlockId> work;
  const auto reach = [&](BlockId id) {
    if (!reached[id] && id != branch)
      work.push_back(id);
    reached[id] = true;
  };
  for (const BlockId target : program_.blocks[branch].terminator.targets)
    if (!ends(target)) {
      first[target] = true;
      reach(target);
    }
  while (!work.empty()) {
    const BlockId id = work.back();
    work.pop_back();
    if (id != all)
      std::ranges::for_each(program_.blocks[id].terminator.targets, reach);
  }
  reached[branch] = false;
  std::vector<BlockId> labels(program_.blocks.size(), kNone);
  std::vector<bool> joins(program_.blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockId id = 0; id < program_.blocks.size(); ++id) {
      if (!reached[id])
        continue;
      BlockId label = first[id] ? id : kNone;
      bool several = false;
      for (const BlockId from : flow_.predecessors[id])
        if (from != branch && from != all && labels[from] != kNone) {
          several |= label != kNone && label != labels[from];
          label = label == kNone ? labels[from] : label;
        }
      if (several)
        label = id;
      joins[id] = several;
      changed |= labels[id] != label;
      labels[id] = label;
    }
  }
  std::vector<BlockId> out;
  for (BlockId id = 0; id < joins.size(); ++id)
    if (joins[id])
      out.push_back(id);
  return out;
}

} // namespace smem::lower
