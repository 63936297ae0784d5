#include "race/pointer_uses.h"

#include <algorithm>

#include "race/address_origin.h"
#include "scope.h"
#include "smem/race.h"

namespace smem::race {

PointerUses::PointerUses(Machine &machine) : program_(machine.program) {
  // Symbols of all pointers, which origins are told by.
  Scopes scopes(Box{{{0, 1, 0, 1}, {1, 1, 0, 1}, {2, 1, 0, 1}}});
  Arithmetic arithmetic(scopes, machine.symbols, machine.reasons, machine.floating);
  for (const BasicBlock &block : program_.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Argument)
        machine.argument(instruction, 1, arithmetic);
  std::vector<RegisterId> addresses;
  for (const MemoryOperation &operation : program_.memory_operations)
    addresses.push_back(operation.address);
  origins_ = origins_of(machine, addresses);
  const std::vector<PassedPointer> passed = passed_pointers(program_, machine.launch);
  for (const auto &[place, symbol] : machine.argument_symbols) {
    const auto known = std::ranges::find(passed, place, &PassedPointer::place);
    pointers_.emplace(symbol, known == passed.end() ? PassedPointer{place} : *known);
  }
}

const PassedPointer *PointerUses::pointer_of(DimensionId symbol) const {
  const auto known = pointers_.find(symbol);
  return known == pointers_.end() ? nullptr : &known->second;
}

bool PointerUses::is_in_global_memory(const MemoryOperation &operation, const AddressOrigin &origin) {
  return operation.space != AddressSpace::Shared && operation.space != AddressSpace::Local && !origin.elsewhere;
}

bool PointerUses::only_reads(const MemoryOperation &operation) {
  using enum Operation;
  const Operation what = operation.access.operation;
  return what == Load || what == MatrixLoad || what == AsyncCopy;
}

bool PointerUses::may_meet_by_two(std::uint32_t one, std::uint32_t other) const {
  const MemoryOperation &first = program_.memory_operations[one], &second = program_.memory_operations[other];
  if (!is_in_global_memory(first, origins_[one]) || !is_in_global_memory(second, origins_[other]) ||
      (only_reads(first) && only_reads(second)))
    return false;
  if (!origins_[one].object || !origins_[other].object)
    return true;
  if (*origins_[one].object == *origins_[other].object)
    return false;
  const PassedPointer *by = pointer_of(*origins_[one].object), *and_by = pointer_of(*origins_[other].object);
  if (by && and_by)
    return may_be_changed(*by, *and_by);
  return (by && !by->is_restrict) || (and_by && !and_by->is_restrict); // two variables are two places
}

} // namespace smem::race

std::optional<std::pair<std::string, std::string>>
smem::pointers_into_one_array(const Program &program, const Launch &launch, const Architecture &architecture) {
  Machine machine(program, launch, architecture, {});
  const race::PointerUses uses(machine);
  const auto pointer_of = [&](std::uint32_t operation) {
    const std::optional<DimensionId> object = uses.origins()[operation].object;
    return object ? uses.pointer_of(*object) : nullptr;
  };
  for (std::uint32_t i = 0; i < program.memory_operations.size(); ++i)
    for (std::uint32_t j = 0; j < i; ++j) {
      const race::PassedPointer *one = pointer_of(j), *other = pointer_of(i);
      if (one && other && one->origin.allocation && one->origin.allocation == other->origin.allocation &&
          uses.may_meet_by_two(j, i))
        return std::pair(one->name, other->name);
    }
  return std::nullopt;
}
