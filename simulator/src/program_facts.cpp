#include "program_facts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace smem {

ProgramFacts::ProgramFacts(const Program &p)
    : program(p), flow(analyze_control_flow(p)), places(place_registers(p, flow)),
      operations(find_conditional_operations(p, flow)) {
  for (const Loop &loop : flow.loops) {
    carried.emplace_back();
    std::ranges::copy_if(loop.defined, std::back_inserter(carried.back()),
                         [&](RegisterId reg) { return !places.shared[reg]; });
  }
  innermost_sites.resize(flow.loops.size());
  settled.resize(flow.loops.size(), p.open[index_of(OpenChoice::UnevenLoop)].empty());
  for (BlockId b = 0; b < p.blocks.size(); ++b)
    if (p.blocks[b].terminator.fully_unrolled && flow.innermost_loop[b] != kNone)
      settled[flow.innermost_loop[b]] = true;
  std::vector<bool> outer(flow.loops.size());
  for (const Loop &loop : flow.loops)
    if (loop.parent != kNone)
      outer[loop.parent] = true;
  for (BlockId b = 0; b < p.blocks.size(); ++b) {
    const std::uint32_t loop = flow.innermost_loop[b];
    if (loop == kNone || outer[loop])
      continue;
    for (const Instruction &instruction : p.blocks[b].instructions)
      if (instruction.opcode == Opcode::Memory && p.memory_operations[instruction.index].site != kNone)
        innermost_sites[loop].push_back(p.memory_operations[instruction.index].site);
  }
  find_nested_loops();
  find_guarded_loops();
  find_repeated_places();
  find_uses_of_conditions();
  if (!p.open[index_of(OpenChoice::LaneGroups)].empty())
    find_sites_beside_groups();
  tickets = find_tickets(p, flow);
}

void ProgramFacts::find_nested_loops() {
  meets_late.resize(flow.loops.size());
  has_barrier.resize(flow.loops.size());
  for (BlockId b = 0; b < program.blocks.size(); ++b)
    if (std::ranges::any_of(program.blocks[b].instructions,
                            [](const Instruction &i) { return i.opcode == Opcode::Barrier; }))
      for (std::uint32_t l = flow.innermost_loop[b]; l != kNone; l = flow.loops[l].parent)
        has_barrier[l] = true;
  for (std::size_t l = 0; l < flow.loops.size(); ++l) {
    if (flow.loops[l].parent == kNone)
      continue;
    meets_late[l] = !has_barrier[flow.loops[l].parent];
  }
}

void ProgramFacts::find_guarded_loops() {
  guarded_loop.assign(program.blocks.size(), kNone);
  // The loop that a block is the way into: its header, or what jumps there.
  const auto leads_into = [&](BlockId b) {
    for (std::size_t jumps = 0; flow.loop_of_header[b] == kNone; ++jumps) {
      if (program.blocks[b].terminator.kind != TerminatorKind::Jump || jumps == program.blocks.size())
        return kNone;
      b = program.blocks[b].terminator.targets[0];
    }
    return flow.loop_of_header[b];
  };
  for (BlockId b = 0; b < program.blocks.size(); ++b)
    if (program.blocks[b].terminator.targets.size() > 1)
      for (const BlockId target : program.blocks[b].terminator.targets)
        if (const std::uint32_t loop = leads_into(target);
            loop != kNone && !settled[loop] && !flow.loops[loop].contains[b])
          guarded_loop[b] = loop;
}

/// Loads and stores of an innermost loop without barriers whose address nothing in the loop changes. (Loads that nothing can
/// interfere with are no longer in the loop when the program is made.)
void ProgramFacts::find_repeated_places() {
  repeats_place.resize(program.sites.size());
  for (std::uint32_t l = 0; l < flow.loops.size(); ++l) {
    if (innermost_sites[l].empty())
      continue;
    const Loop &loop = flow.loops[l];
    std::vector<bool> varies(program.register_count);
    for (const RegisterId r : loop.defined)
      varies[r] = true;
    bool barrier = false;
    // In order of definition a value computed from invariants alone is invariant, too.
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId b = 0; b < program.blocks.size(); ++b) {
        if (!loop.contains[b])
          continue;
        for (const Instruction &i : program.blocks[b].instructions) {
          barrier |= i.opcode == Opcode::Barrier;
          const bool computed =
              i.opcode != Opcode::Memory && i.opcode != Opcode::Undefined && i.opcode < Opcode::Shuffle;
          if (i.result == kNone || !varies[i.result] || !computed)
            continue;
          if (std::any_of(i.operands.begin(), i.operands.end(), [&](RegisterId r) { return varies[r]; }))
            continue;
          varies[i.result] = false;
          changed = true;
        }
      }
    }
    if (barrier)
      continue;
    for (BlockId b = 0; b < program.blocks.size(); ++b) {
      if (!loop.contains[b])
        continue;
      for (const Instruction &i : program.blocks[b].instructions) {
        if (i.opcode != Opcode::Memory)
          continue;
        const MemoryOperation &operation = program.memory_operations[i.index];
        const bool plain =
            operation.access.operation == Operation::Load || operation.access.operation == Operation::Store;
        if (operation.site != kNone && plain && !varies[operation.address])
          repeats_place[operation.site] = true;
      }
    }
  }
}

void ProgramFacts::find_sites_beside_groups() {
  std::vector<bool> constant(program.register_count);
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &i : block.instructions)
      if (i.opcode == Opcode::Constant)
        constant[i.result] = true;
  // From a place in a block on, or back from there, to the next barriers.
  const auto collect = [&](BlockId from, std::size_t at, bool forwards, std::vector<SiteId> &sites) {
    std::vector<bool> seen(program.blocks.size());
    const auto scan = [&](BlockId b, std::size_t first, std::size_t last) { // whether the end is reached
      const auto &instructions = program.blocks[b].instructions;
      for (std::size_t n = first; n != last; forwards ? ++n : --n) {
        const Instruction &i = instructions[forwards ? n : n - 1];
        if (i.opcode == Opcode::Barrier)
          return false;
        if (i.opcode == Opcode::Memory && program.memory_operations[i.index].site != kNone)
          sites.push_back(program.memory_operations[i.index].site);
      }
      return true;
    };
    std::vector<BlockId> work;
    const auto go_on = [&](BlockId b) {
      for (const BlockId next : forwards ? program.blocks[b].terminator.targets : flow.predecessors[b])
        if (!seen[next])
          seen[next] = true, work.push_back(next);
    };
    if (scan(from, at, forwards ? program.blocks[from].instructions.size() : 0))
      go_on(from);
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      const std::size_t size = program.blocks[b].instructions.size();
      if (scan(b, forwards ? 0 : size, forwards ? size : 0))
        go_on(b);
    }
  };
  for (BlockId b = 0; b < program.blocks.size(); ++b)
    for (std::size_t n = 0; n < program.blocks[b].instructions.size(); ++n) {
      const Instruction &i = program.blocks[b].instructions[n];
      if (i.opcode < Opcode::Ballot || i.opcode > Opcode::Reduce || constant[i.operands[1]])
        continue;
      std::vector<SiteId> &sites = beside_group[i.result];
      collect(b, n, true, sites);
      collect(b, n, false, sites);
      std::sort(sites.begin(), sites.end());
      sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
    }
}

void ProgramFacts::find_uses_of_conditions() {
  std::vector<BlockId> home(program.register_count, kNone);
  for (BlockId b = 0; b < program.blocks.size(); ++b)
    for (const Instruction &i : program.blocks[b].instructions)
      if (i.result != kNone)
        home[i.result] = b;
  use_of_condition.assign(program.register_count, ConditionUse::BranchAtOnce);
  const auto used = [&](RegisterId r) {
    if (r != kNone)
      use_of_condition[r] = ConditionUse::Any;
  };
  for (BlockId b = 0; b < program.blocks.size(); ++b) {
    const BasicBlock &block = program.blocks[b];
    for (const Phi &phi : block.phis)
      for (const Phi::Incoming &in : phi.incoming)
        used(in.value);
    for (const Instruction &i : block.instructions)
      for (const RegisterId r : i.operands)
        used(r);
    if (const RegisterId r = block.terminator.condition; r != kNone && home[r] != b)
      use_of_condition[r] = std::min(use_of_condition[r], ConditionUse::Branches);
  }
  for (const MemoryOperation &operation : program.memory_operations) {
    for (const RegisterId r :
         {operation.address, operation.source, operation.operand, operation.source_bytes, operation.predicate})
      used(r);
    for (const RegisterId r : operation.stored)
      used(r);
    for (const ValuePart &part : operation.parts)
      used(part.reg);
  }
}

PreparedProgram::PreparedProgram(const Program &program)
    : program_(&program), facts_(std::make_shared<const ProgramFacts>(program)) {}

} // namespace smem
