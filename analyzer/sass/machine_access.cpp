#include "sass/lower_machine_code.h"
#include "sass/machine_flow.h"
#include "sass/operand.h"

#include <algorithm>
#include <array>

#include <llvm/ADT/StringRef.h>

namespace smem::compiled {
namespace {

struct Entry {
  std::string_view base;
  AddressSpace space;
  Operation operation;
};

// CUDA Binary Utilities, instruction set reference: load/store instructions.
constexpr std::array kEntries{
    Entry{"LDS", AddressSpace::Shared, Operation::Load},
    Entry{"STS", AddressSpace::Shared, Operation::Store},
    Entry{"LDG", AddressSpace::Global, Operation::Load},
    Entry{"STG", AddressSpace::Global, Operation::Store},
    Entry{"LD", AddressSpace::Generic, Operation::Load},
    Entry{"ST", AddressSpace::Generic, Operation::Store},
    Entry{"LDL", AddressSpace::Local, Operation::Load},
    Entry{"STL", AddressSpace::Local, Operation::Store},
    Entry{"LDSM", AddressSpace::Shared, Operation::MatrixLoad},
    Entry{"STSM", AddressSpace::Shared, Operation::MatrixStore},
    Entry{"LDGSTS", AddressSpace::Shared, Operation::AsyncCopy},
    Entry{"ATOMS", AddressSpace::Shared, Operation::Atomic},
    Entry{"ATOMG", AddressSpace::Global, Operation::Atomic},
    Entry{"ATOM", AddressSpace::Generic, Operation::Atomic},
    Entry{"RED", AddressSpace::Global, Operation::Atomic},
    Entry{"REDG", AddressSpace::Global, Operation::Atomic},
};

struct AtomicEntry {
  std::string_view modifier;
  AtomicKind kind;
};
constexpr std::array kAtomics{
    AtomicEntry{"POPC", AtomicKind::Increment},
    AtomicEntry{"ADD", AtomicKind::Add},
    AtomicEntry{"MIN", AtomicKind::Min},
    AtomicEntry{"MAX", AtomicKind::Max},
    AtomicEntry{"AND", AtomicKind::And},
    AtomicEntry{"OR", AtomicKind::Or},
    AtomicEntry{"XOR", AtomicKind::Xor},
    AtomicEntry{"EXCH", AtomicKind::Exchange},
    AtomicEntry{"CAS", AtomicKind::CompareAndSwap},
    AtomicEntry{"INC", AtomicKind::IncrementWrap},
    AtomicEntry{"DEC", AtomicKind::DecrementWrap},
};

std::uint16_t width_of(const ListedInstruction &instruction, bool &sign_extended) {
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  sign_extended = has("S8") || has("S16");
  if (has("U8") || has("S8"))
    return 8;
  if (has("U16") || has("S16"))
    return 16;
  if (has("F32x4"))
    return 128;
  return has("128") ? 128 : has("64") || has("F32x2") || has("F64") || has("U64") || has("S64") ? 64 : 32;
}

} // namespace

std::optional<MachineAccess> access_of(const ListedInstruction &instruction) {
  const std::string_view base = base_of(instruction.opcode);
  const auto entry = std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry &e) { return e.base == base; });
  if (entry == kEntries.end())
    return std::nullopt;
  const auto has = [&](std::string_view modifier) { return has_modifier(instruction.opcode, modifier); };
  MachineAccess result;
  result.space = entry->space;
  result.counted = entry->space != AddressSpace::Local;
  result.access.space = entry->space == AddressSpace::Shared ? Space::Shared : Space::Global;
  result.access.operation = entry->operation;
  result.access.width_bits = width_of(instruction, result.sign_extended);
  if (entry->space == AddressSpace::Generic)
    result.not_modelled = "the machine code does not say which memory " + instruction.opcode + " accesses";
  switch (entry->operation) {
  case Operation::MatrixLoad:
  case Operation::MatrixStore:
    result.access.width_bits = 128;
    result.access.matrices = has("4") ? 4 : has("2") ? 2 : 1;
    result.access.transposed = instruction.opcode.find(".MT") != std::string::npos || has("T");
    break;
  case Operation::Load:
    result.access.bypass_l1 = entry->space != AddressSpace::Shared && (has("STRONG") || has("NA"));
    break;
  case Operation::AsyncCopy:
    result.access.bypass_l1 = has("BYPASS");
    if (has("ZFILL"))
      result.not_modelled = "a copy that may fill with zeros";
    break;
  case Operation::Atomic: {
    const auto kind =
        std::find_if(kAtomics.begin(), kAtomics.end(), [&](const AtomicEntry &e) { return has(e.modifier); });
    const bool floating =
        instruction.opcode.find(".F32") != std::string::npos || instruction.opcode.find(".F64") != std::string::npos ||
        instruction.opcode.find(".F16") != std::string::npos || instruction.opcode.find(".BF16") != std::string::npos;
    if (kind != kAtomics.end())
      result.access.atomic = kind->kind;
    else if (entry->space == AddressSpace::Shared)
      result.not_modelled = "a loop of " + instruction.opcode + ", whose length depends on how lanes and warps meet";
    if (floating && entry->space == AddressSpace::Global)
      result.access.atomic = result.access.atomic == AtomicKind::Add ? AtomicKind::FloatAdd : AtomicKind::FloatMinMax;
    for (const std::string &text : instruction.operands) {
      const MachineOperand operand = parse_operand(text);
      if (operand.kind == MachineOperand::Kind::Memory)
        break; // reductions begin with the address
      if (operand.kind == MachineOperand::Kind::Register && operand.reg.bank == Bank::General)
        result.access.result_used = !operand.reg.constant;
    }
    break;
  }
  default: break;
  }
  return result;
}

} // namespace smem::compiled
