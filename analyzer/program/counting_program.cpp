#include "program/counting_program.h"

#include <algorithm>

#include "program/forget_undecided.h"
#include "program/slice.h"

namespace smem::lower {
namespace {

bool gives_value(const MemoryOperation &operation) {
  return !operation.parts.empty() &&
         (operation.access.operation == Operation::Load || operation.access.operation == Operation::Atomic ||
          operation.access.operation == Operation::MatrixLoad);
}

/// Nothing that the kernel stores there is read back.
bool is_unknown_when_read(const MemoryOperation &operation) {
  return operation.space == AddressSpace::Global || operation.space == AddressSpace::Constant;
}

/// A load by all lanes that are there, in the first place.
void mark(Program &program, BlockId block) {
  const RegisterId address = program.register_count++;
  program.register_width.push_back(64);
  Instruction zero;
  zero.width = 64;
  zero.result = address;
  MemoryOperation load;
  load.site = static_cast<SiteId>(program.sites.size());
  load.space = AddressSpace::Global;
  load.access.space = Space::Global;
  load.address = address;
  Site site;
  site.access = load.access;
  Instruction access;
  access.opcode = Opcode::Memory;
  access.index = static_cast<std::uint32_t>(program.memory_operations.size());
  program.sites.push_back(std::move(site));
  program.memory_operations.push_back(std::move(load));
  std::vector<Instruction> &instructions = program.blocks[block].instructions;
  instructions.insert(instructions.begin(), {std::move(zero), std::move(access)});
}

/// Without the sliced program's accesses whose values decide nothing.
void drop_accesses(Program &program, SiteId first_mark) {
  const auto each = [&](auto &&what) {
    for (BasicBlock &block : program.blocks)
      for (Instruction &instruction : block.instructions)
        if (instruction.opcode == Opcode::Memory)
          what(program.memory_operations[instruction.index]);
  };
  bool reads_back = false;
  each([&](const MemoryOperation &operation) {
    reads_back |= gives_value(operation) && !is_unknown_when_read(operation);
  });
  for (BasicBlock &block : program.blocks)
    std::erase_if(block.instructions, [&](const Instruction &instruction) {
      if (instruction.opcode == Opcode::Barrier)
        return !reads_back && instruction.result == kNone;
      if (instruction.opcode != Opcode::Memory)
        return false;
      const MemoryOperation &operation = program.memory_operations[instruction.index];
      const bool is_mark = operation.site != kNone && operation.site >= first_mark;
      return !is_mark && !gives_value(operation) && (!reads_back || is_unknown_when_read(operation));
    });
  std::vector<MemoryOperation> left;
  for (BasicBlock &block : program.blocks)
    for (Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Memory) {
        left.push_back(program.memory_operations[instruction.index]);
        instruction.index = static_cast<std::uint32_t>(left.size() - 1);
      }
  program.memory_operations = std::move(left);
}

using Edges = std::vector<std::vector<BlockId>>;

/// The blocks that ways of at least one step lead to.
std::vector<bool> reached(const Edges &edges, BlockId from) {
  std::vector<bool> seen(edges.size());
  std::vector<BlockId> work{from};
  while (!work.empty()) {
    const BlockId at = work.back();
    work.pop_back();
    for (const BlockId next : edges[at])
      if (!seen[next]) {
        seen[next] = true;
        work.push_back(next);
      }
  }
  return seen;
}

/// What is outside of loops first, which may be nothing, then each loop with what is in it.
std::vector<std::vector<BlockWork>> by_loop(const Program &program, std::span<const BlockWork> blocks) {
  constexpr std::size_t kMostLoops = 8; // more of them are one
  Edges after(program.blocks.size()), before(program.blocks.size());
  for (BlockId block = 0; block < program.blocks.size(); ++block)
    for (const BlockId next : program.blocks[block].terminator.targets) {
      after[block].push_back(next);
      before[next].push_back(block);
    }
  std::vector<std::vector<BlockWork>> groups(1);
  std::vector<std::size_t> loop_of(program.blocks.size()); ///< 0: not known yet
  for (const BlockWork &each : blocks) {
    std::size_t &own = loop_of[each.first];
    if (own == 0) {
      const std::vector<bool> to = reached(after, each.first);
      if (!to[each.first]) {
        groups[0].push_back(each);
        continue;
      }
      const std::vector<bool> from = reached(before, each.first);
      const std::size_t number = std::min(groups.size(), kMostLoops);
      groups.resize(std::max(groups.size(), number + 1));
      for (BlockId block = 0; block < program.blocks.size(); ++block)
        if (to[block] && from[block])
          loop_of[block] = number;
    }
    groups[own].push_back(each);
  }
  return groups;
}

CountedCode counted(Program program, std::span<const BlockWork> blocks) {
  CountedCode code;
  program.is_final = true;
  program.open = {};
  const auto first = static_cast<SiteId>(program.sites.size());
  for (const auto &[block, work] : blocks) {
    code.blocks.push_back({{{static_cast<std::uint32_t>(program.sites.size()), 1}}, work});
    mark(program, block);
  }
  forget_undecided(program);
  slice(program);
  drop_accesses(program, first);
  slice(program);
  if (verify(program).empty())
    code.program = std::move(program);
  else
    code.blocks.clear(); // an access that orders others, perhaps: nothing is known then
  return code;
}

} // namespace

std::vector<CountedCode> count_blocks(const Program &program, std::span<const BlockWork> blocks,
                                      bool outside_of_loops) {
  std::vector<CountedCode> all;
  if (blocks.empty())
    return all;
  std::vector<std::vector<BlockWork>> groups = by_loop(program, blocks);
  if (!outside_of_loops)
    groups.front().clear();
  for (const std::vector<BlockWork> &group : groups)
    if (!group.empty())
      if (CountedCode code = counted(program, group); !code.blocks.empty())
        all.push_back(std::move(code));
  return all;
}

} // namespace smem::lower
