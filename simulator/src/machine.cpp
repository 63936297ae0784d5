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
    : program(p), launch(l), architecture(a), options(o),
      facts(o.prepared && o.prepared->is_of(p) ? o.prepared->facts() : std::make_shared<const ProgramFacts>(p)),
      layout(layout_shared(p.shared_arrays, a)), load_reasons(p.memory_operations.size()), step_limit(o.max_steps) {
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
  tickets = facts->tickets;
  shared_window = symbols.add({256, 0, Symbol::Window::Shared, kNone});
  other_block = symbols.add({256, 0, Symbol::Window::OtherBlock, kNone});
}

std::uint32_t Machine::program_reason(std::uint32_t index) {
  const std::size_t all = program.reasons.size();
  program_reasons.resize(all + 1);
  std::uint32_t &known = program_reasons[std::min<std::size_t>(index, all)];
  if (!known)
    known = reasons.add(index < all ? program.reasons[index] : "an operation that is not modelled");
  return known;
}

std::uint32_t Machine::assume(const Assumption &assumption) {
  const std::size_t at = std::find(assumptions.begin(), assumptions.end(), assumption) - assumptions.begin();
  if (at == assumptions.size())
    assumptions.push_back(assumption);
  return static_cast<std::uint32_t>(at);
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
  find_deciding_registers();
}

void Machine::find_deciding_registers() {
  decides_barrier.assign(program.register_count, false);
  for (bool more = true; more;) {
    more = false;
    const auto mark = [&](RegisterId id) {
      if (id != kNone && !decides_barrier[id])
        decides_barrier[id] = more = true;
    };
    for (BlockId b = 0; b < program.blocks.size(); ++b) {
      const BasicBlock &block = program.blocks[b];
      if (guards_barrier[b])
        mark(block.terminator.condition);
      for (const Phi &phi : block.phis)
        if (decides_barrier[phi.result])
          for (const Phi::Incoming &incoming : phi.incoming)
            mark(incoming.value);
      for (const Instruction &instruction : block.instructions)
        if (instruction.result != kNone && decides_barrier[instruction.result])
          std::ranges::for_each(instruction.operands, mark);
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
    symbol.of_launch = symbol.of_block = symbol.of_grid = true;
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
    symbol.of_launch = symbol.of_grid = true;
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
