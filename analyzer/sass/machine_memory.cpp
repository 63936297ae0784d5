// Loads, stores, atomics and copies of machine code.
#include "sass/machine_lowering.h"
#include "nvcc/uncertainty.h"

#include <algorithm>

#include <llvm/ADT/StringRef.h>

namespace smem::compiled {

/// The low 32 bits of an address: counts depend on global addresses modulo 128 and on their distances within a warp.
RegisterId MachineLowering::address(const MachineOperand &operand) {
  RegisterId sum = builder_.constant(32, operand.value);
  for (const MachineOperand::Summand &summand : operand.summands) {
    RegisterId value = read(summand.reg);
    if (summand.scale > 1)
      value = builder_.mul(value, summand.scale);
    sum = builder_.add(value, sum);
  }
  return builder_.resize(sum, 64, true);
}

bool MachineLowering::lower_uncounted(std::string_view base, const ListedInstruction &instruction,
                                      const Operands &operands) {
  if (options_.alone && base == "LDTM" && !operands.empty()) { // tensor memory, which is neither shared nor global
    unsigned words = 128;
    if (const std::size_t times = instruction.opcode.find(".x"); times != std::string::npos)
      (void)llvm::StringRef(instruction.opcode).drop_front(times + 2).consumeInteger(10, words);
    for (unsigned i = 0; i < std::min(words, 255u); ++i)
      if (operands[0].kind == MachineOperand::Kind::Register && operands[0].reg.number + i < 255)
        write(operands[0],
              builder_.opaque_event(32, "what tensor memory holds is not followed",
                                    {builder_.special(SpecialRegister::Lane)}),
              i);
    return true;
  }
  const bool multiplies = base.ends_with("GMMA") || base.starts_with("UTC");
  const bool copies = base.starts_with("UTMA") || base.starts_with("UBLKCP") || base.starts_with("UBLKRED");
  if (!options_.alone || (!multiplies && !copies))
    return false;
  if (base == "UTMACMDFLUSH" || base == "UTMAPF" || base == "UTMACCTL" || base == "UTCBAR" || base == "UTCATOMSWS")
    return false; // which move no data of the kernel
  Site site;
  site.location = options_.place(instruction.places);
  site.access.space = Space::Shared;
  site.access.operation = multiplies ? Operation::MatrixMultiply : Operation::BulkCopy;
  site.access.width_bits = 0;
  if (multiplies)
    site.not_lowered = "`" + instruction.opcode +
                       "` (wgmma) reads shared memory by descriptors, which are not followed in machine code";
  MemoryOperation operation;
  operation.space = AddressSpace::Shared;
  operation.access = site.access;
  operation.predicate = guard_;
  operation.site = static_cast<SiteId>(program_.sites.size());
  operation.address = builder_.constant(64, 0);
  program_.sites.push_back(std::move(site));
  addresses_.push_back(instruction.address);
  program_.memory_operations.push_back(std::move(operation));
  builder_.effect(Opcode::Memory, static_cast<std::uint32_t>(program_.memory_operations.size() - 1));
  unsigned words = 128, columns = 0; // 64 x N results in 128 threads, N <= 256
  if (const std::size_t shape = instruction.opcode.find(".64x"); shape != std::string::npos)
    if (llvm::StringRef rest = llvm::StringRef(instruction.opcode).drop_front(shape + 4);
        !rest.consumeInteger(10, columns) && columns <= 256)
      words = columns / 2;
  if (base.ends_with("GMMA") && !operands.empty() && operands[0].kind == MachineOperand::Kind::Register)
    for (unsigned i = 0; i < words && operands[0].reg.number + i < 255; ++i)
      write(operands[0],
            builder_.opaque_event(32, "what wgmma computes is not followed", {builder_.special(SpecialRegister::Lane)}),
            i);
  return true;
}

RegisterId MachineLowering::table_word(const MachineOperand &operand) {
  if (table_ == kNone) {
    GlobalObject table;
    table.name = "constant bank 2";
    table.size = function_.constants.size();
    table.alignment = 256;
    table.constant_space = true;
    table.initializer = function_.constants;
    table_ = static_cast<std::uint32_t>(program_.global_objects.size());
    program_.global_objects.push_back(std::move(table));
  }
  RegisterId offset = builder_.constant(32, operand.value);
  if (operand.indexed)
    offset = builder_.add(read(operand.reg), offset);
  MemoryOperation load;
  load.space = AddressSpace::Constant;
  load.predicate = guard_;
  load.address = builder_.add(builder_.leaf(Opcode::GlobalAddress, 64, table_), builder_.resize(offset, 64, false));
  const RegisterId value = builder_.new_register(32);
  load.parts.push_back({0, 32, value});
  program_.memory_operations.push_back(std::move(load));
  builder_.effect(Opcode::Memory, static_cast<std::uint32_t>(program_.memory_operations.size() - 1));
  return value;
}

void MachineLowering::lower_memory(const ListedInstruction &instruction, const Operands &operands,
                                   const MachineAccess &access) {
  std::vector<const MachineOperand *> addresses;
  const MachineOperand *result = nullptr, *stored = nullptr;
  for (const MachineOperand &operand : operands) {
    if (operand.kind == MachineOperand::Kind::Memory) {
      addresses.push_back(&operand);
      continue;
    }
    const bool number = (operand.kind == MachineOperand::Kind::Register && operand.reg.bank != Bank::Predicate &&
                         operand.reg.bank != Bank::UniformPredicate) ||
                        operand.kind == MachineOperand::Kind::Immediate;
    if (number && addresses.empty())
      result = &operand;
    else if (number && !stored)
      stored = &operand;
  }
  const Operation kind = access.access.operation;
  MemoryOperation operation;
  operation.space = access.space;
  operation.access = access.access;
  operation.predicate = guard_;
  if (access.counted) {
    Site site;
    site.location = options_.place(instruction.places);
    site.access = access.access;
    site.generic = access.space == AddressSpace::Generic;
    site.not_lowered = access.not_modelled;
    if (addresses.empty() || (kind == Operation::AsyncCopy && addresses.size() < 2))
      site.not_lowered = "the address of `" + instruction.opcode + "` is not understood";
    operation.site = static_cast<SiteId>(program_.sites.size());
    if (breaks_)
      site.assumption = assumption(Uncertainty::Reconvergence,
                                   "the lanes of a loop that some leave in its middle come together at its end");
    program_.sites.push_back(std::move(site));
    addresses_.push_back(instruction.address);
    if (options_.has_uncertain_line(instruction))
      uncertain_lines_.insert(operation.site);
  } else if (access.space == AddressSpace::Local && (kind == Operation::Load || kind == Operation::Store)) {
    Site site;
    site.access = access.access;
    operation.site = static_cast<SiteId>(program_.sites.size());
    program_.sites.push_back(std::move(site));
    addresses_.push_back(instruction.address);
    local_.insert(operation.site);
  }
  operation.address = addresses.empty() ? builder_.constant(64, 0) : address(*addresses[0]);
  if (access.space == AddressSpace::Shared && options_.reserved_shared != 0 && !addresses.empty())
    operation.address = builder_.add(operation.address, builder_.constant(64, -std::int64_t{options_.reserved_shared}));
  if (kind == Operation::AsyncCopy)
    operation.source = addresses.size() > 1 ? address(*addresses[1]) : builder_.constant(64, 0);

  // A predicate behind the addresses of an asynchronous copy: lanes where it does not hold write zeros and read nothing.
  if (kind == Operation::AsyncCopy && !operands.empty())
    if (const MachineOperand &last = operands.back();
        last.kind == MachineOperand::Kind::Register && last.reg.bank == Bank::Predicate)
      operation.source_bytes =
          builder_.select(truth(last), builder_.constant(32, access.access.width_bits / 8), builder_.constant(32, 0));

  const unsigned bits = access.access.width_bits;
  const auto piece = static_cast<std::uint8_t>(std::min(bits, 32u));
  const unsigned words = std::max(1u, bits / 32);
  std::vector<RegisterId> loaded;
  if (result && (kind == Operation::Load || kind == Operation::Atomic))
    for (unsigned i = 0; i < words; ++i) {
      loaded.push_back(builder_.new_register(piece));
      operation.parts.push_back({static_cast<std::uint16_t>(4 * i), piece, loaded.back()});
    }
  if (kind == Operation::Store)
    for (unsigned i = 0; i < words; ++i) {
      RegisterId value = kNone;
      if (stored && stored->kind == MachineOperand::Kind::Register)
        value = read(stored->reg, stored->reg.constant ? 0 : i);
      else if (stored)
        value = word(*stored);
      operation.parts.push_back(
          {static_cast<std::uint16_t>(4 * i), piece, value == kNone ? kNone : builder_.resize(value, piece, false)});
    }
  const bool counts = access.access.atomic == AtomicKind::Add || access.access.atomic == AtomicKind::Increment ||
                      access.access.atomic == AtomicKind::IncrementWrap;
  if (kind == Operation::Atomic && counts && access.access.result_used && stored && bits == 32)
    operation.operand = word(*stored);
  program_.memory_operations.push_back(std::move(operation));
  builder_.effect(Opcode::Memory, static_cast<std::uint32_t>(program_.memory_operations.size() - 1));
  for (unsigned i = 0; i < loaded.size(); ++i)
    write(*result, builder_.resize(loaded[i], 32, access.sign_extended), i);
  if (kind == Operation::MatrixLoad && result)
    for (unsigned i = 0; i < access.access.matrices; ++i)
      write(*result,
            builder_.opaque_event(32, "what ldmatrix loads is not followed", {builder_.special(SpecialRegister::Lane)}),
            i);
  // Whether an atomic did what it was to do.
  for (const MachineOperand &operand : operands)
    if (operand.kind == MachineOperand::Kind::Register && operand.reg.bank == Bank::Predicate &&
        kind == Operation::Atomic && &operand == &operands.front())
      write(operand, builder_.opaque_event(1, "the outcome of an atomic is not known",
                                           {builder_.special(SpecialRegister::Lane)}));
}

} // namespace smem::compiled
