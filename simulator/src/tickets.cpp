#include "tickets.h"

#include <algorithm>

namespace smem {
namespace {

/// What depends on the result of one memory operation: through registers, branches, and shared and local memory as a whole.
class Dependence {
public:
  Dependence(const Program &program, const ControlFlow &flow)
      : program_(program), flow_(flow), registers_(program.register_count), blocks_(program.blocks.size()),
        decides_(program.blocks.size()) {}

  std::vector<SiteId> sites_behind(std::uint32_t operation) {
    for (const ValuePart &part : program_.memory_operations[operation].parts)
      mark(part.reg);
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (BlockId b = 0; b < program_.blocks.size(); ++b)
        follow(b);
    }
    std::vector<SiteId> sites;
    for (BlockId b = 0; b < program_.blocks.size(); ++b)
      for (const Instruction &instruction : program_.blocks[b].instructions) {
        if (instruction.opcode != Opcode::Memory)
          continue;
        const MemoryOperation &memory = program_.memory_operations[instruction.index];
        if (memory.site != kNone && (blocks_[b] || depends(memory.address) || depends(memory.source) ||
                                     depends(memory.source_bytes) || depends(memory.predicate)))
          sites.push_back(memory.site);
      }
    std::sort(sites.begin(), sites.end());
    sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
    return sites;
  }

private:
  bool depends(RegisterId id) const { return id != kNone && registers_[id]; }

  void mark(RegisterId id) {
    if (id == kNone || registers_[id])
      return;
    registers_[id] = true;
    changed_ = true;
  }

  void follow(BlockId b) {
    const BasicBlock &block = program_.blocks[b];
    for (const Phi &phi : block.phis)
      if (std::any_of(phi.incoming.begin(), phi.incoming.end(), [&](const Phi::Incoming &in) {
            return depends(in.value) || blocks_[in.from] || decides_[in.from];
          }))
        mark(phi.result);
    for (const Instruction &instruction : block.instructions) {
      if (instruction.opcode == Opcode::Memory)
        move(program_.memory_operations[instruction.index], blocks_[b]);
      else if (blocks_[b] || std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                         [&](RegisterId r) { return depends(r); }))
        mark(instruction.result);
    }
    if (!decides_[b] && depends(block.terminator.condition)) {
      decides_[b] = changed_ = true;
      for (const BlockId target : block.terminator.targets)
        reach(target, flow_.immediate_post_dominator[b]);
    }
  }

  void move(const MemoryOperation &memory, bool uncertain) {
    const bool shared = memory.space == AddressSpace::Shared || memory.space == AddressSpace::Generic;
    const bool local = memory.space == AddressSpace::Local || memory.space == AddressSpace::Generic;
    const bool here = uncertain || depends(memory.address) || depends(memory.predicate);
    if (memory.access.operation != Operation::Load) {
      const bool stores = here || std::any_of(memory.parts.begin(), memory.parts.end(),
                                              [&](const ValuePart &part) { return depends(part.reg); });
      changed_ |= (stores && shared && !shared_) || (stores && local && !local_);
      shared_ |= stores && shared;
      local_ |= stores && local;
    }
    if (memory.access.operation == Operation::Store)
      return;
    if (here || (shared && shared_) || (local && local_))
      for (const ValuePart &part : memory.parts)
        mark(part.reg);
  }

  void reach(BlockId b, BlockId end) {
    if (b == end || blocks_[b])
      return;
    blocks_[b] = changed_ = true;
    for (const BlockId target : program_.blocks[b].terminator.targets)
      reach(target, end);
  }

  const Program &program_;
  const ControlFlow &flow_;
  std::vector<bool> registers_, blocks_, decides_; // decides_: by block: its branch depends
  bool shared_ = false, local_ = false, changed_ = false;
};

} // namespace

std::vector<Ticket> find_tickets(const Program &program, const ControlFlow &flow) {
  std::vector<std::uint32_t> uses(program.sites.size());
  for (const MemoryOperation &operation : program.memory_operations)
    if (operation.site != kNone)
      ++uses[operation.site];
  std::vector<Ticket> tickets;
  for (BlockId b = 0; b < program.blocks.size(); ++b) {
    if (flow.innermost_loop[b] != kNone)
      continue;
    for (const Instruction &instruction : program.blocks[b].instructions) {
      if (instruction.opcode != Opcode::Memory)
        continue;
      const MemoryOperation &operation = program.memory_operations[instruction.index];
      if (operation.operand == kNone || operation.parts.size() != 1 || operation.site == kNone ||
          uses[operation.site] != 1)
        continue;
      tickets.push_back({instruction.index, operation.site, Dependence(program, flow).sites_behind(instruction.index)});
    }
  }
  return tickets;
}

} // namespace smem
