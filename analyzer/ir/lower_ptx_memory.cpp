// Memory instructions of inline PTX: loads, stores, matrices, cp.async, atomics.
#include "ir/ptx_lowering.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "ptx/ptx_names.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

constexpr std::array<std::pair<std::string_view, AtomicKind>, 11> kAtomics{{
    {"add", AtomicKind::Add},
    {"and", AtomicKind::And},
    {"or", AtomicKind::Or},
    {"xor", AtomicKind::Xor},
    {"exch", AtomicKind::Exchange},
    {"cas", AtomicKind::CompareAndSwap},
    {"inc", AtomicKind::IncrementWrap},
    {"dec", AtomicKind::DecrementWrap},
    {"min", AtomicKind::Min},
    {"max", AtomicKind::Max},
    {"sub", AtomicKind::Add},
}};

/// Modifiers that change what a plain load, store or atomic does or where.
bool is_unusual(const ptx::Instruction &instruction) {
  return instruction.has("async") || instruction.has("bulk") || instruction.has("multimem") || instruction.has("mmio");
}

bool is_unusual_copy(const ptx::Instruction &instruction) {
  return instruction.has("bulk") || instruction.has("mbarrier") || instruction.has("shared::cluster") ||
         instruction.has("reduce") || !(instruction.has("ca") || instruction.has("cg"));
}

/// The copy engine and the tensor cores, when they like.
bool uses_shared_elsewhere(const ptx::Instruction &instruction) {
  return instruction.opcode[0] == "wgmma" || (instruction.opcode[0] == "cp" && instruction.has("bulk"));
}

unsigned elements_of(const ptx::Instruction &instruction) {
  return instruction.has("v2") ? 2 : instruction.has("v4") ? 4 : instruction.has("v8") ? 8 : 1;
}

struct Type {
  std::string_view name;
  unsigned width = 0; ///< bits of an element
  unsigned elements = 1;
  unsigned bits() const { return width * elements; }
};

std::optional<Type> memory_type(const ptx::Instruction &instruction) {
  const auto types = ptx::types_of(instruction);
  if (types.empty())
    return std::nullopt;
  Type type{types.back(), ptx::type_width(types.back()), elements_of(instruction)};
  return type.width >= 8 && type.bits() <= 128 ? std::optional(type) : std::nullopt;
}

/// Registers that a vector of `type` fills: 64 bits at most each.
std::vector<ValuePart> parts_of(const Type &type) {
  std::vector<ValuePart> parts;
  const unsigned piece = std::min(type.width, 64u);
  for (unsigned done = 0; done < type.bits(); done += piece)
    parts.push_back({static_cast<std::uint16_t>(done / 8), static_cast<std::uint8_t>(piece), kNone});
  return parts;
}

} // namespace

void PtxLowering::lower_memory(const ptx::Instruction &instruction) {
  const std::string &head = instruction.opcode[0];
  bool done = false;
  if (uses_shared_elsewhere(instruction)) {
    lowering_.program_.shared_used_elsewhere = true;
    if (head == "wgmma")
      untimed("wgmma");
  }
  // Where branches skip instructions nobody knows which lanes execute one.
  if (!statement_.branches && statement_.not_understood.empty()) {
    if (head == "cp" && instruction.has("bulk"))
      done = lower_bulk_copy(instruction);
    else if (head == "st" && instruction.has("async"))
      done = lower_async_store(instruction);
    else if (head == "wgmma")
      done = lower_matrix_multiply(instruction);
    else if (head == "ld" || head == "ldu")
      done = lower_load(instruction);
    else if (head == "st")
      done = lower_store(instruction);
    else if (head == "ldmatrix" || head == "stmatrix")
      done = lower_matrix(instruction);
    else if (head == "cp")
      done = lower_async_copy(instruction);
    else if (head == "atom" || head == "red")
      done = lower_atomic(instruction);
  }
  if (done)
    return;
  if (ptx::space_of(instruction) != AddressSpace::Constant && ptx::space_of(instruction) != AddressSpace::Local)
    not_lowered(instruction);
  if (instruction.operands.size() > 1)
    unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
}

MemoryOperation &PtxLowering::memory(const ptx::Instruction &instruction, const KernelLowering::Pointer &to,
                                     const Access &access) {
  const RegisterId predicate = guard(instruction);
  const bool strong = instruction.has("relaxed") || instruction.has("acquire") || instruction.has("release") ||
                      instruction.has("acq_rel") || access.operation == Operation::Atomic;
  if (strong || instruction.has("volatile"))
    builder_.effect(Opcode::Fence);
  MemoryOperation &operation = lowering_.memory(call_, to, access);
  if (strong)
    operation.strength = instruction.has("cta") ? Strength::Block : Strength::Device;
  operation.predicate = predicate;
  return operation;
}

bool PtxLowering::lower_load(const ptx::Instruction &instruction) {
  const auto type = memory_type(instruction);
  if (!type || is_unusual(instruction) || instruction.operands.size() < 2 ||
      instruction.operands[1].kind != Kind::Address)
    return false;
  Access access;
  access.width_bits = static_cast<std::uint16_t>(type->bits());
  access.bypass_l1 = ptx::space_of(instruction) != AddressSpace::Shared && ptx::bypasses_l1(instruction);
  std::vector<ValuePart> parts = parts_of(*type);
  Registers row;
  for (ValuePart &part : parts)
    row.push_back(part.reg = builder_.new_register(part.width));
  memory(instruction, pointer(instruction.operands[1], ptx::space_of(instruction)), access).parts = parts;
  write_elements(instruction.operands[0], row, type->elements, ptx::is_signed(type->name));
  return true;
}

void PtxLowering::write_elements(const ptx::Operand &target, const Registers &row, unsigned elements, bool sign) {
  if (target.kind != Kind::Vector)
    return write(target, row, sign);
  const std::size_t each = row.size() / elements;
  for (std::size_t i = 0; i < target.parts.size() && i < elements; ++i)
    write(target.parts[i],
          {row.begin() + static_cast<std::ptrdiff_t>(i * each),
           row.begin() + static_cast<std::ptrdiff_t>((i + 1) * each)},
          sign);
}

bool PtxLowering::lower_store(const ptx::Instruction &instruction) {
  const auto type = memory_type(instruction);
  if (!type || is_unusual(instruction) || instruction.operands.size() < 2 ||
      instruction.operands[0].kind != Kind::Address)
    return false;
  Access access;
  access.operation = Operation::Store;
  access.width_bits = static_cast<std::uint16_t>(type->bits());
  const ptx::Operand &stored = instruction.operands[1];
  std::vector<ValuePart> parts = parts_of(*type);
  const std::size_t each = parts.size() / type->elements;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ptx::Operand &element =
        stored.kind == Kind::Vector ? stored.parts[std::min(i / each, stored.parts.size() - 1)] : stored;
    if (each == 1) {
      parts[i].reg = read(element, parts[i].width);
    } else {
      const Registers halves = builder_.recut(read_row(element), std::vector<std::uint8_t>(each, 64));
      parts[i].reg = halves[i % each];
    }
  }
  memory(instruction, pointer(instruction.operands[0], ptx::space_of(instruction)), access).parts = std::move(parts);
  return true;
}

bool PtxLowering::lower_matrix(const ptx::Instruction &instruction) {
  const bool load = instruction.opcode[0] == "ldmatrix";
  const std::size_t address_at = load ? 1 : 0;
  // Other shapes move narrower elements.
  if (!instruction.has("m8n8") || !instruction.has("b16") || is_unusual(instruction) ||
      instruction.operands.size() < 2 || instruction.operands[address_at].kind != Kind::Address)
    return false;
  Access access;
  access.operation = load ? Operation::MatrixLoad : Operation::MatrixStore;
  access.width_bits = 128;
  access.matrices = instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : 1;
  access.transposed = instruction.has("trans");
  // Without a space the address is generic and must be shared memory.
  KernelLowering::Pointer at = pointer(instruction.operands[address_at], AddressSpace::Shared);
  if (ptx::space_of(instruction) == AddressSpace::Generic)
    at.address = builder_.emit(Opcode::GenericToShared, 64, {at.address});
  memory(instruction, at, access);
  if (load)
    unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
  return true;
}

bool PtxLowering::lower_async_copy(const ptx::Instruction &instruction) {
  const auto &operands = instruction.operands;
  if (!instruction.has("async") || is_unusual_copy(instruction) || operands.size() < 3 ||
      operands[0].kind != Kind::Address || operands[1].kind != Kind::Address)
    return false;
  const auto size = builder_.constant_value(read(operands[2], 32));
  if (!size || (*size != 4 && *size != 8 && *size != 16))
    return false;
  Access access;
  access.operation = Operation::AsyncCopy;
  access.bypass_l1 = instruction.has("cg");
  access.width_bits = static_cast<std::uint16_t>(*size * 8);
  const bool policy = instruction.has("L2::cache_hint");
  const std::size_t given = operands.size() - (policy ? 1 : 0);
  RegisterId source_bytes = kNone;
  if (given > 3) {
    const Registers row = read_row(operands[3]);
    const bool ignored = row.size() == 1 && builder_.width(row[0]) == 1; // the predicate form: copies zeros
    source_bytes = ignored
                       ? builder_.select(predicate(operands[3]), builder_.constant(32, 0), builder_.constant(32, *size))
                       : read(operands[3], 32);
  }
  const KernelLowering::Pointer from = pointer(operands[1], AddressSpace::Global);
  MemoryOperation &operation = memory(instruction, pointer(operands[0], AddressSpace::Shared), access);
  operation.source = from.address;
  if (source_bytes != kNone && builder_.constant_value(source_bytes) !=
                                   std::optional<std::int64_t>(*size)) // else ptxas makes a plain copy of it
    operation.source_bytes = source_bytes;
  return true;
}

bool PtxLowering::lower_atomic(const ptx::Instruction &instruction) {
  const bool returns = instruction.opcode[0] == "atom";
  const std::size_t address_at = returns ? 1 : 0;
  const auto type = memory_type(instruction);
  if (!type || is_unusual(instruction) || instruction.operands.size() < address_at + 2 ||
      instruction.operands[address_at].kind != Kind::Address)
    return false;
  const AtomicKind *kind = nullptr;
  for (const std::string &part : instruction.opcode)
    if (!kind && (kind = ptx::find(kAtomics, part)))
      break;
  if (!kind)
    return false;
  Access access;
  access.operation = Operation::Atomic;
  access.width_bits = static_cast<std::uint16_t>(type->bits());
  access.atomic = *kind;
  access.result_used = returns && result_is_used(instruction.operands[0]);
  if (ptx::is_float(type->name) && (*kind == AtomicKind::Add || *kind == AtomicKind::Min || *kind == AtomicKind::Max))
    access.atomic = *kind == AtomicKind::Add ? AtomicKind::FloatAdd : AtomicKind::FloatMinMax;
  else if (*kind == AtomicKind::Add && instruction.has("add") &&
           !instruction.has("shared::cluster")) // there it is the generic instruction
    access.atomic = KernelLowering::add_kind(builder_.constant_value(read(instruction.operands[address_at + 1], 64)));
  std::vector<ValuePart> parts = parts_of(*type);
  Registers row;
  for (ValuePart &part : parts)
    row.push_back(part.reg = builder_.new_register(part.width));
  memory(instruction, pointer(instruction.operands[address_at], ptx::space_of(instruction)), access).parts = parts;
  if (returns)
    write_elements(instruction.operands[0], row, type->elements, ptx::is_signed(type->name));
  return true;
}

bool PtxLowering::result_is_used(const ptx::Operand &target) const {
  if (target.kind == Kind::Vector)
    return std::any_of(target.parts.begin(), target.parts.end(),
                       [&](const ptx::Operand &part) { return result_is_used(part); });
  if (target.kind == Kind::Placeholder)
    return target.number < slots_.size() && slots_[target.number].used;
  if (target.name == "_")
    return false;
  const auto reads = [&](const ptx::Operand &operand, auto &&self) -> bool {
    return (operand.kind == Kind::Name && operand.name == target.name) ||
           std::any_of(operand.parts.begin(), operand.parts.end(),
                       [&](const ptx::Operand &part) { return self(part, self); });
  };
  for (std::size_t i = at_ + 1; i < statement_.instructions.size(); ++i)
    for (const ptx::Operand &operand : statement_.instructions[i].operands)
      if (reads(operand, reads))
        return true;
  return false;
}

} // namespace smem::lower
