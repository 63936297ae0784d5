#include "machine.h"

#include <algorithm>
#include <iterator>

#include "floor/footprint.h"
#include "race/assumed_values.h"

namespace smem {

bool waits_in_part(const Program &program, const Launch &launch) {
  const auto warps = [](std::uint64_t threads) { return (threads + kWarpSize - 1) / kWarpSize; };
  return program.warps_meet_otherwise ||
         std::any_of(program.counted_barriers.begin(), program.counted_barriers.end(),
                     [&](std::uint32_t threads) { return warps(threads) != warps(launch.block.count()); });
}

Machine::Machine(const Program &p, const Launch &l, const Architecture &a, const SimulationOptions &o)
    : program(p), launch(l), architecture(a), options(o), flow(analyze_control_flow(p)),
      places(place_registers(p, flow)), layout(layout_shared(p.shared_arrays, a)),
      load_reasons(p.memory_operations.size()), step_limit(o.max_steps) {
  shared_bytes =
      std::any_of(p.shared_arrays.begin(), p.shared_arrays.end(), [](const SharedArray &s) { return s.dynamic; }) ||
              l.dynamic_shared_bytes
          ? layout.dynamic_offset + l.dynamic_shared_bytes
          : layout.static_bytes;
  for (const MemoryOperation &operation : p.memory_operations) {
    const bool shared = operation.space == AddressSpace::Shared || operation.space == AddressSpace::Generic;
    const bool reads = operation.access.operation == Operation::Load;
    values_in_shared |=
        shared && reads &&
        std::any_of(operation.parts.begin(), operation.parts.end(), [](const ValuePart &v) { return v.reg != kNone; });
  }
  // Warps run from one barrier of the block to the next. What orders only some of them orders nothing here.
  if (p.shared_used_elsewhere || waits_in_part(p, l))
    values_in_shared = false;
  find_conditional_operations();
  for (const Loop &loop : flow.loops) {
    carried.emplace_back();
    std::ranges::copy_if(loop.defined, std::back_inserter(carried.back()),
                         [&](RegisterId reg) { return !places.shared[reg]; });
  }
  innermost_sites.resize(flow.loops.size());
  settled.resize(flow.loops.size(), !open(OpenChoice::UnevenLoop));
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
  if (open(OpenChoice::LaneGroups))
    find_sites_beside_groups();
  tickets = find_tickets(p, flow);
  shared_window = symbols.add({256, 0, Symbol::Window::Shared, kNone});
  other_block = symbols.add({256, 0, Symbol::Window::OtherBlock, kNone});
}

std::uint32_t Machine::supposed(const Assumption &assumption) {
  const std::size_t at = std::find(assumptions.begin(), assumptions.end(), assumption) - assumptions.begin();
  if (at == assumptions.size())
    assumptions.push_back(assumption);
  return static_cast<std::uint32_t>(at);
}

/// Certain is what post-dominates the start of its loop's body. A branch of the source may become predicates, one of the machine code is one;
/// where one way merely ends the kernel, it becomes an exit.
void Machine::find_conditional_operations() {
  conditional.resize(program.memory_operations.size());
  behind_exit.resize(program.memory_operations.size());
  for (BlockId b = 0; b < program.blocks.size(); ++b) {
    const std::uint32_t loop = flow.innermost_loop[b];
    const BlockId start = loop == kNone ? 0 : flow.loops[loop].header;
    BlockId certain = start;
    while (certain != b && certain != kNone)
      certain = flow.immediate_post_dominator[certain];
    std::optional<bool> exits; // to find it out takes time
    for (const Instruction &instruction : program.blocks[b].instructions) {
      if (instruction.opcode != Opcode::Memory)
        continue;
      const MemoryOperation &operation = program.memory_operations[instruction.index];
      if (!exits)
        exits = certain == kNone && !program.is_final && is_behind_exit(start, b);
      conditional[instruction.index] =
          (certain == kNone && !program.is_final && !*exits) || operation.predicate != kNone;
      behind_exit[instruction.index] = *exits && operation.access.operation == Operation::AsyncCopy;
    }
  }
}

/// Does every way from `start` lead through `block`, but for branches to a block that returns and does nothing else?
bool Machine::is_behind_exit(BlockId start, BlockId block) const {
  const auto is_exit = [&](BlockId b) {
    return program.blocks[b].terminator.kind == TerminatorKind::Return && program.blocks[b].instructions.empty();
  };
  std::vector<bool> seen(program.blocks.size());
  std::vector<BlockId> work{start};
  seen[start] = true;
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    if (b == block)
      continue;
    const std::vector<BlockId> &targets = program.blocks[b].terminator.targets;
    if (targets.empty())
      return false;
    for (const BlockId target : targets)
      if (!seen[target] && !(targets.size() > 1 && is_exit(target))) {
        seen[target] = true;
        work.push_back(target);
      }
  }
  return true;
}

void Machine::find_nested_loops() {
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

void Machine::find_guarded_barriers() {
  guards_barrier.assign(program.blocks.size(), false);
  std::vector<bool> barrier(program.blocks.size());
  for (BlockId b = 0; b < program.blocks.size(); ++b)
    barrier[b] = std::ranges::any_of(program.blocks[b].instructions,
                                     [](const Instruction &i) { return i.opcode == Opcode::Barrier; });
  for (BlockId from = 0; from < program.blocks.size(); ++from) {
    if (program.blocks[from].terminator.targets.size() < 2)
      continue;
    const BlockId join = flow.immediate_post_dominator[from];
    std::vector<bool> seen(program.blocks.size());
    std::vector<BlockId> work;
    const auto go_on = [&](BlockId b) {
      for (const BlockId to : program.blocks[b].terminator.targets)
        if (to != join && !seen[to])
          seen[to] = true, work.push_back(to);
    };
    go_on(from);
    while (!work.empty() && !guards_barrier[from]) {
      const BlockId b = work.back();
      work.pop_back();
      guards_barrier[from] = barrier[b];
      go_on(b);
    }
  }
}

void Machine::find_guarded_loops() {
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
void Machine::find_repeated_places() {
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

const std::vector<SiteId> &Machine::sites_from(BlockId block) {
  const auto [it, inserted] = reached_from.try_emplace(block);
  if (!inserted)
    return it->second;
  std::vector<bool> seen(program.blocks.size());
  std::vector<BlockId> work{block};
  seen[block] = true;
  while (!work.empty()) {
    const BasicBlock &at = program.blocks[work.back()];
    work.pop_back();
    for (const Instruction &i : at.instructions)
      if (i.opcode == Opcode::Memory && program.memory_operations[i.index].site != kNone)
        it->second.push_back(program.memory_operations[i.index].site);
    for (const BlockId next : at.terminator.targets)
      if (!seen[next]) {
        seen[next] = true;
        work.push_back(next);
      }
  }
  std::ranges::sort(it->second);
  it->second.erase(std::unique(it->second.begin(), it->second.end()), it->second.end());
  return it->second;
}

void Machine::find_sites_beside_groups() {
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

void Machine::find_uses_of_conditions() {
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

DimensionId Machine::grid_symbol(unsigned axis) {
  if (!grid_symbols[axis]) {
    static constexpr const char *kNames[] = {"gridDim.x", "gridDim.y", "gridDim.z"};
    const std::uint32_t most = axis == 0 ? launch.grid.x : axis == 1 ? launch.grid.y : launch.grid.z;
    Definition extent;
    extent.name = kNames[axis];
    extent.range = {1, most};
    grid_symbols[axis] = symbols.define(std::move(extent), reasons.add(std::string(kNames[axis]) + " is not known"));
  }
  return grid_symbols[axis];
}

namespace {

/// What is known of an argument without its value, as a quantity `argument - remainder`.
Definition quantity_of(const ArgumentFacts &facts, const std::string &name, unsigned width, bool is_unsigned) {
  Definition quantity;
  const Wide most = (Wide{1} << (width - 1)) - 1;
  quantity.name = facts.remainder ? "(" + name + " - " + std::to_string(facts.remainder) + ")" : name;
  quantity.presumed = is_unsigned ? !facts.most : !facts.least;
  quantity.range = {facts.least ? Wide{*facts.least} : Wide{0}, facts.most ? Wide{*facts.most} : most};
  quantity.range.least -= facts.remainder;
  quantity.range.most -= facts.remainder;
  quantity.modulus = facts.modulus;
  // Inwards to multiples.
  const Wide m = facts.modulus;
  const auto down = [m](Wide v) { return v >= 0 ? v / m * m : -((-v + m - 1) / m * m); };
  quantity.range.most = down(quantity.range.most);
  quantity.range.least = -down(-quantity.range.least);
  return quantity;
}

} // namespace

Value Machine::argument(const Instruction &instruction, LaneMask mask, Arithmetic &arithmetic) {
  const auto found = std::find_if(launch.arguments.begin(), launch.arguments.end(), [&](const ArgumentValue &v) {
    return v.index == instruction.index && v.offset == static_cast<std::uint64_t>(instruction.immediate);
  });
  const bool present = found != launch.arguments.end();
  if (present && !found->pointer && found->value && found->width_bits >= instruction.width)
    return make_uniform(*found->value, instruction.width, mask);
  if (assumed)
    if (const auto value = assumed->argument(instruction))
      return make_uniform(*value, instruction.width, mask);
  const auto [entry, fresh] = argument_symbols.try_emplace({instruction.index, instruction.immediate}, 0);
  if (fresh) {
    const Parameter *parameter =
        instruction.index < program.parameters.size() ? &program.parameters[instruction.index] : nullptr;
    const ParameterMember *member = nullptr; // just that one
    if (parameter)
      for (const ParameterMember &one : parameter->members)
        if (one.offset == static_cast<std::uint64_t>(instruction.immediate) && one.size * 8 == instruction.width)
          member = &one;
    const std::string name = member ? member->name : parameter ? parameter->name : std::to_string(instruction.index);
    const bool pointer = present && found->pointer;
    const ArgumentFacts facts = present ? found->facts : ArgumentFacts{};
    Symbol symbol{pointer ? found->alignment : 1, reasons.add("the value of argument `" + name + "` is not known"),
                  pointer ? Symbol::Window::Global : Symbol::Window::None, kNone, nullptr};
    if (!pointer) {
      symbol.alignment = static_cast<std::uint64_t>(facts.modulus & -facts.modulus);
      const bool whole = member || (parameter && parameter->size * 8 == instruction.width);
      const std::string &type = member ? member->type : parameter ? parameter->type : name;
      const bool is_unsigned =
          type.find("unsigned") != std::string::npos || type.starts_with("uint") || type == "size_t";
      const bool floating = type.find("float") != std::string::npos || type.find("double") != std::string::npos;
      if (symbols.symbolic && instruction.width >= 8 && !floating)
        symbol.definition = std::make_shared<const Definition>(quantity_of(
            facts, whole ? name : name + "+" + std::to_string(instruction.immediate), instruction.width, is_unsigned));
    }
    symbol.of_launch = symbol.of_block = true;
    const std::string &declared = member ? member->type : parameter ? parameter->type : name;
    if (declared == "int" || declared == "long" || declared == "long long" || declared.starts_with("int"))
      symbol.signed_width = instruction.width;
    entry->second = symbols.add(std::move(symbol));
  }
  Value value = arithmetic.of_symbol(entry->second, instruction.width, mask);
  if (present && !found->pointer)
    value.base[0] = canonical(found->facts.remainder, instruction.width);
  if (present && found->pointer)
    value.base[0] = canonical(found->value.value_or(0), instruction.width);
  return value;
}

DimensionId Machine::local_symbol(std::uint32_t object) {
  const auto [entry, fresh] = local_symbols.try_emplace(object, 0);
  if (fresh)
    entry->second = symbols.add({program.local_objects[object].alignment, 0, Symbol::Window::Local, object});
  return entry->second;
}

DimensionId Machine::global_symbol(std::uint32_t object) {
  const auto [entry, fresh] = global_symbols.try_emplace(object, 0);
  const std::uint64_t alignment = std::max(program.global_objects[object].alignment, launch.least_global_alignment);
  if (fresh) {
    Symbol symbol{alignment,
                  reasons.add("the address of `" + program.global_objects[object].name +
                              "` is only known to be a multiple of " + std::to_string(alignment)),
                  Symbol::Window::Global, object};
    symbol.of_launch = true;
    entry->second = symbols.add(std::move(symbol));
  }
  return entry->second;
}

std::uint32_t Machine::base_number(const Base &base) {
  if (std::ranges::any_of(base, [&](const auto &term) { return !symbols[term.first].of_launch; }))
    return 0;
  return bases.try_emplace(base, static_cast<std::uint32_t>(bases.size() + 1)).first->second;
}

BaseOrigin Machine::origin_of(std::uint32_t number) const {
  const auto found = std::ranges::find(bases, number, [](const auto &entry) { return entry.second; });
  if (found == bases.end() || found->first.size() != 1 || found->first.front().second != 1)
    return {};
  const DimensionId symbol = found->first.front().first;
  for (const auto &[object, dimension] : global_symbols)
    if (dimension == symbol)
      return {BaseOrigin::kFirstVariable + object, 0, 0, program.global_objects[object].size};
  for (const auto &[place, dimension] : argument_symbols)
    if (dimension == symbol)
      for (const ArgumentValue &argument : launch.arguments)
        if (argument.index == place.first && argument.offset == static_cast<std::uint64_t>(place.second) &&
            argument.pointer)
          return {argument.origin.allocation, argument.origin.place, argument.value.value_or(0), argument.origin.bytes};
  return {};
}

} // namespace smem
