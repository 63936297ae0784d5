#include "race/read_only_arrays.h"

#include <algorithm>

#include "race/pointer_uses.h"

namespace smem::race {

std::vector<ReadOnlyArray> read_only_arrays(Machine &machine, bool taken_apart) {
  const Program &program = machine.program;
  const PointerUses uses(machine);
  const std::vector<AddressOrigin> &origins = uses.origins();
  std::set<DimensionId> written;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const MemoryOperation &operation = program.memory_operations[i];
    if (operation.access.operation == Operation::BulkCopy) // where it writes is not looked at
      return {};
    if (PointerUses::only_reads(operation) || !PointerUses::is_in_global_memory(operation, origins[i]))
      continue;
    if (!origins[i].object)
      return {};
    written.insert(*origins[i].object);
  }
  std::vector<PassedPointer> stored;
  for (const DimensionId symbol : written)
    if (const PassedPointer *pointer = uses.pointer_of(symbol))
      stored.push_back(*pointer);
  std::vector<ReadOnlyArray> all;
  for (const auto &[place, symbol] : machine.argument_symbols) {
    const PassedPointer *pointer = uses.pointer_of(symbol);
    const auto is_changed = [&](const PassedPointer &other) {
      return other.place == pointer->place ||
             (pointer->origin.allocation && pointer->origin.allocation == other.origin.allocation);
    };
    const auto may_be = [&](const PassedPointer &other) { return may_be_changed(*pointer, other); };
    if (!pointer || pointer->depth != 1)
      continue;
    const bool may_change = std::ranges::any_of(stored, may_be);
    if (std::ranges::any_of(stored, is_changed) || (may_change && !taken_apart))
      continue;
    ReadOnlyArray array{*pointer, symbol};
    array.taken_apart = may_change;
    for (std::uint32_t i = 0; i < origins.size(); ++i) {
      const MemoryOperation &operation = program.memory_operations[i];
      if (origins[i].object == symbol && operation.access.operation == Operation::Load &&
          operation.strength == Strength::Weak && !operation.parts.empty())
        array.loads.push_back(i);
    }
    if (!array.loads.empty())
      all.push_back(std::move(array));
  }
  return all;
}

bool may_store_what_is_loaded(const Program &program) {
  const auto loads = [](const MemoryOperation &each) {
    return each.space == AddressSpace::Global && each.access.operation == Operation::Load && !each.parts.empty();
  };
  return std::ranges::any_of(program.memory_operations, loads) &&
         std::ranges::any_of(program.memory_operations, [](const auto &each) { return !each.stored.empty(); });
}

LoadedNumbers::LoadedNumbers(Machine &machine) : machine_(machine) {
  for (const ReadOnlyArray &array : read_only_arrays(machine))
    for (const std::uint32_t load : array.loads)
      if (!machine.program.memory_operations[load].access.bypass_l1)
        loads_.insert(load);
}

std::optional<DimensionId> LoadedNumbers::symbol_of(std::uint32_t operation, const ValuePart &part,
                                                    const Value &address, LaneMask mask, std::uint32_t reason) {
  if (!loads_.contains(operation))
    return std::nullopt;
  const unsigned lane = first_lane(mask);
  std::vector<std::int64_t> key{part.width, address.at(lane) + part.byte_offset};
  bool of_grid = true;
  for (const Term &term : address.terms) {
    if (is_loop(term.dimension))
      return std::nullopt;
    of_grid &= is_symbol(term.dimension) && machine_.symbols[term.dimension].of_grid;
    key.push_back(std::int64_t{term.dimension});
    key.push_back(term.at(lane));
  }
  const auto [entry, fresh] = known_.try_emplace(std::move(key), 0);
  if (fresh)
    entry->second = machine_.symbols.add(
        {.reason = reason, .of_block = machine_.symbols.of_block(address, mask), .of_grid = of_grid});
  return entry->second;
}

} // namespace smem::race
