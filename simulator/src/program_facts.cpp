#include "program_facts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace smem {

ProgramFacts::ProgramFacts(const Program &p)
    : program(p), flow(analyze_control_flow(p)), places(place_registers(p, flow)) {
  find_conditional_operations();
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

/// Certain is what post-dominates the start of its loop's body. A branch of the source may become predicates, one of the machine code is one;
/// where one way merely ends the kernel, it becomes an exit.
void ProgramFacts::find_conditional_operations() {
  conditional.resize(program.memory_operations.size());
  behind_exit.resize(program.memory_operations.size());
  std::map<BlockId, std::vector<bool>> known; // by start
  const auto is_behind = [&](BlockId start, BlockId block) {
    const auto [at, fresh] = known.try_emplace(start);
    if (fresh)
      at->second = behind_exits(start);
    return at->second[block];
  };
  for (BlockId b = 0; b < program.blocks.size(); ++b) {
    const std::uint32_t loop = flow.innermost_loop[b];
    const BlockId start = loop == kNone ? 0 : flow.loops[loop].header;
    BlockId certain = start;
    while (certain != b && certain != kNone)
      certain = flow.immediate_post_dominator[certain];
    std::optional<bool> exits;
    for (const Instruction &instruction : program.blocks[b].instructions) {
      if (instruction.opcode != Opcode::Memory)
        continue;
      const MemoryOperation &operation = program.memory_operations[instruction.index];
      if (!exits)
        exits = certain == kNone && !program.is_final && is_behind(start, b);
      conditional[instruction.index] =
          (certain == kNone && !program.is_final && !*exits) || operation.predicate != kNone;
      behind_exit[instruction.index] = *exits && operation.access.operation == Operation::AsyncCopy;
    }
  }
}

/// By block: does every way from `start` to an end lead through it, but for branches to a block that returns and does nothing else?
std::vector<bool> ProgramFacts::behind_exits(BlockId start) const {
  const auto is_exit = [&](BlockId b) {
    return program.blocks[b].terminator.kind == TerminatorKind::Return && program.blocks[b].instructions.empty();
  };
  const auto for_each_next = [&](BlockId b, auto &&visit) {
    const std::vector<BlockId> &targets = program.blocks[b].terminator.targets;
    for (const BlockId target : targets)
      if (!(targets.size() > 1 && is_exit(target)))
        visit(target);
  };
  const auto ends = [&](BlockId b) { return program.blocks[b].terminator.targets.empty(); };
  // One way to an end.
  std::vector<BlockId> before(program.blocks.size(), kNone), found{start};
  before[start] = start;
  std::size_t next = 0;
  while (next < found.size() && !ends(found[next]))
    for_each_next(found[next++], [&](BlockId target) {
      if (before[target] == kNone) {
        before[target] = found[next - 1];
        found.push_back(target);
      }
    });
  if (next == found.size()) // no way ends
    return std::vector<bool>(program.blocks.size(), true);
  std::vector<BlockId> way{found[next]};
  while (way.back() != start)
    way.push_back(before[way.back()]);
  std::ranges::reverse(way);
  // All ways lead through what no detour passes by: the farthest that one from an earlier block has come to.
  std::vector<std::size_t> place(program.blocks.size(), way.size() + 1); // on it
  for (std::size_t i = 0; i < way.size(); ++i)
    place[way[i]] = i;
  std::vector<bool> result(program.blocks.size()), seen(program.blocks.size());
  std::size_t farthest = 0;
  for (std::size_t i = 0; i < way.size(); ++i) {
    result[way[i]] = farthest <= i;
    std::vector<BlockId> work{way[i]};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (ends(b))
        farthest = way.size();
      for_each_next(b, [&](BlockId target) {
        if (place[target] < way.size()) {
          farthest = std::max(farthest, place[target]);
        } else if (!seen[target]) {
          seen[target] = true;
          work.push_back(target);
        }
      });
    }
  }
  return result;
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
