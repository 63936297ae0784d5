// Values of operands: registers, immediates, constant banks, special registers.
#include "sass/machine_lowering.h"

#include <algorithm>

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/StringSwitch.h>

namespace smem::compiled {
namespace {

/// Where constant bank 0 has what the launch says. Read off machine code of CUDA 13.0: the first for sm_75 to sm_90, the second from
/// sm_100 on, whose parameters begin at 0x380.
struct LaunchBank {
  std::uint32_t block, grid, stack, parameters;
};
constexpr LaunchBank kLaunchBank{0x0, 0xc, 0x28, 0x160};
constexpr LaunchBank kLaunchBankOfBlackwell{0x360, 0x370, 0x37c, 0x380};
constexpr std::uint32_t kParametersOfHopper = 0x210;

/// Local memory is addressed from the stack pointer; where it begins decides nothing.
constexpr std::int64_t kStackPointer = 0x100000;

unsigned capability(const std::string &architecture) {
  const std::size_t digits = architecture.find_first_of("0123456789");
  return digits == std::string::npos ? 0
                                     : static_cast<unsigned>(std::strtoul(architecture.c_str() + digits, nullptr, 10));
}

} // namespace

RegisterId MachineLowering::name(const std::string &text) {
  return builder_.constant(32, names_.try_emplace(text, static_cast<std::int64_t>(names_.size())).first->second);
}

RegisterId MachineLowering::read(const MachineRegister &reg, unsigned offset) {
  if (reg.constant)
    return reg.bank == Bank::General || reg.bank == Bank::Uniform ? builder_.constant(32, 0) : builder_.constant(1, 1);
  RegisterId value = values_->read(static_cast<Variable>(variable_of(reg) + offset));
  if (guard_ == kNone)
    return value;
  for (auto known = guarded_.find(value); known != guarded_.end(); known = guarded_.find(value)) {
    if (known->second.guard.predicate != guard_key_.predicate)
      break;
    value = known->second.guard.negated == guard_key_.negated ? known->second.written : known->second.before;
  }
  return value;
}

RegisterId MachineLowering::truth(const MachineOperand &operand) {
  const RegisterId value = read(operand.reg);
  return operand.negated ? builder_.logical_not(value) : value;
}

RegisterId MachineLowering::guard_of(const std::string &guard) { return truth(parse_operand(guard)); }

RegisterId MachineLowering::unknown(std::uint8_t width, const std::vector<RegisterId> &from) {
  return builder_.opaque(width, "the result of `" + current_->opcode + "` in the machine code is not followed", from);
}

RegisterId MachineLowering::word(const MachineOperand &operand) {
  RegisterId value = kNone;
  switch (operand.kind) {
  case MachineOperand::Kind::Register: value = read(operand.reg); break;
  case MachineOperand::Kind::Immediate: {
    if (operand.decimal) {
      const auto bits = llvm::APFloat(static_cast<float>(operand.number)).bitcastToAPInt();
      return builder_.constant(32, static_cast<std::int64_t>(bits.getZExtValue()));
    }
    return builder_.constant(32, operand.value);
  }
  case MachineOperand::Kind::Constant:
    value = operand.indexed ? unknown(32, {read(operand.reg), name(operand.text)})
                            : constant_bank(operand.bank, operand.value);
    break;
  default: return unknown(32, {name(operand.text), builder_.special(SpecialRegister::Lane)});
  }
  if (builder_.width(value) == 1)
    value = builder_.resize(value, 32, false);
  if (!operand.part.empty())
    return unknown(32, {value, name(operand.part)});
  if (operand.absolute)
    value = builder_.emit(Opcode::SMax, 32, {value, negated(value)});
  if (operand.inverted)
    value = builder_.emit(Opcode::Xor, 32, {value, builder_.constant(32, -1)});
  return operand.negated ? negated(value) : value;
}

RegisterId MachineLowering::wide(const MachineOperand &operand) {
  RegisterId low = kNone, high = kNone;
  if (operand.kind == MachineOperand::Kind::Register) {
    low = read(operand.reg);
    high = operand.reg.constant ? low : read(operand.reg, 1);
  } else if (operand.kind == MachineOperand::Kind::Constant && !operand.indexed) {
    low = constant_bank(operand.bank, operand.value);
    high = constant_bank(operand.bank, operand.value + 4);
  } else {
    return builder_.resize(word(operand), 64, true);
  }
  const RegisterId value =
      builder_.emit(Opcode::Or, 64,
                    {builder_.emit(Opcode::Shl, 64, {builder_.resize(high, 64, false), builder_.constant(64, 32)}),
                     builder_.resize(low, 64, false)});
  return operand.negated ? negated(value) : value;
}

RegisterId MachineLowering::constant_bank(std::uint32_t bank, std::int64_t offset, std::uint8_t bits) {
  const auto at = static_cast<std::uint32_t>(offset);
  if (bank == 0) {
    const bool blackwell = capability(listing_.architecture) >= 100;
    const LaunchBank &layout = blackwell ? kLaunchBankOfBlackwell : kLaunchBank;
    const std::uint32_t parameters = function_.parameter_base.value_or(
        capability(listing_.architecture) == 90 ? kParametersOfHopper : layout.parameters);
    if (at >= parameters)
      return parameter_piece(at - parameters, bits);
    if (bits != 32)
      return builder_.opaque(bits, "part of a word of constant bank 0", {builder_.constant(32, at)});
    const auto axis = [&](std::uint32_t begin, SpecialRegister x) -> std::optional<RegisterId> {
      if (at < begin || at >= begin + 12 || at % 4)
        return std::nullopt;
      return builder_.special(static_cast<SpecialRegister>(static_cast<std::uint32_t>(x) + (at - begin) / 4));
    };
    if (const auto block = axis(layout.block, SpecialRegister::BlockDimX))
      return *block;
    if (const auto grid = axis(layout.grid, SpecialRegister::GridDimX))
      return *grid;
    if (at == layout.stack)
      return builder_.constant(32, kStackPointer);
  }
  if (bank == 4 && bits == 32)
    if (const auto variable = listing_.addresses.find(at & ~7u); variable != listing_.addresses.end()) {
      const auto &objects = program_.global_objects;
      const auto object = std::find_if(objects.begin(), objects.end(),
                                       [&](const GlobalObject &o) { return o.name == variable->second; });
      if (object != objects.end() && !object->constant_space) {
        const RegisterId whole =
            builder_.leaf(Opcode::GlobalAddress, 64, static_cast<std::uint32_t>(object - objects.begin()));
        return at % 8 ? high_word(whole) : builder_.resize(whole, 32, false);
      }
    }
  return builder_.opaque(bits, "what constant bank " + std::to_string(bank) + " holds is not known",
                         {builder_.constant(32, bank), builder_.constant(32, at)});
}

RegisterId MachineLowering::parameter_piece(std::uint32_t offset, std::uint8_t bits) {
  const ListedParameter *found = nullptr;
  for (const ListedParameter &parameter : function_.parameters)
    if (parameter.offset <= offset)
      found = &parameter;
  if (!found || found->index >= program_.parameters.size())
    return builder_.opaque(bits, "a parameter that the listing does not describe", {builder_.constant(32, offset)});
  const std::uint32_t byte = offset - found->offset;
  const std::uint64_t size = program_.parameters[found->index].size;
  if (byte + bits / 8 > size)
    return builder_.opaque(bits, "a piece of several parameters", {builder_.constant(32, offset)});
  // What is known of an argument is known of the whole of it.
  const auto is_wide = [&](std::uint32_t at) {
    return (at == 0 && size == 8) || wide_fields_.contains({found->index, at});
  };
  if (bits == 32 && byte >= 4 && is_wide(byte - 4))
    return high_word(builder_.leaf(Opcode::Argument, 64, found->index, byte - 4));
  if (bits == 32 && byte > 0 && is_wide(byte))
    return builder_.resize(builder_.leaf(Opcode::Argument, 64, found->index, byte), 32, false);
  return builder_.leaf(Opcode::Argument, bits, found->index, byte);
}

RegisterId MachineLowering::special(const std::string &name_of_register) {
  using S = SpecialRegister;
  const auto found = llvm::StringSwitch<std::optional<S>>(name_of_register)
                         .Case("SR_TID.X", S::ThreadX)
                         .Case("SR_TID.Y", S::ThreadY)
                         .Case("SR_TID.Z", S::ThreadZ)
                         .Case("SR_CTAID.X", S::BlockX)
                         .Case("SR_CTAID.Y", S::BlockY)
                         .Case("SR_CTAID.Z", S::BlockZ)
                         .Case("SR_NTID.X", S::BlockDimX)
                         .Case("SR_NTID.Y", S::BlockDimY)
                         .Case("SR_NTID.Z", S::BlockDimZ)
                         .Case("SR_NCTAID.X", S::GridDimX)
                         .Case("SR_NCTAID.Y", S::GridDimY)
                         .Case("SR_NCTAID.Z", S::GridDimZ)
                         .Case("SR_LANEID", S::Lane)
                         .Case("SR_LTMASK", S::LaneMaskLt)
                         .Case("SR_LEMASK", S::LaneMaskLe)
                         .Case("SR_EQMASK", S::LaneMaskEq)
                         .Case("SR_GEMASK", S::LaneMaskGe)
                         .Case("SR_GTMASK", S::LaneMaskGt)
                         .Default(std::nullopt);
  if (found)
    return builder_.special(*found);
  // A block that is not in a cluster is the first of its own; SRZ is zero.
  if (name_of_register == "SR_CgaCtaId" && clusters_)
    return builder_.opaque(32, "the place of the block in its cluster", {builder_.constant(32, 0)});
  if (name_of_register == "SR_CgaCtaId" || name_of_register == "SRZ")
    return builder_.constant(32, 0);
  return builder_.opaque_event(32, "`" + name_of_register + "` is not known",
                               {builder_.special(SpecialRegister::Lane)});
}

void MachineLowering::write(const MachineOperand &to, RegisterId value, unsigned offset) {
  if (to.kind != MachineOperand::Kind::Register || to.reg.constant)
    return;
  const auto variable = static_cast<Variable>(variable_of(to.reg) + offset);
  if (builder_.width(value) != width_of(variable) && options_.alone) {
    value = builder_.opaque_event(width_of(variable), "operands of `" + current_->opcode + "` that are not understood",
                                  {builder_.special(SpecialRegister::Lane)});
  } else if (builder_.width(value) != width_of(variable)) {
    error_ = "operands of `" + current_->opcode + "` that are not understood";
    return;
  }
  if (guard_ != kNone) {
    const RegisterId before = values_->read(variable), written = value;
    value = builder_.select(guard_, written, before);
    if (value != written && value != before)
      guarded_.insert_or_assign(value, Guarded{guard_key_, written, before});
  }
  values_->write(variable, value);
}

void MachineLowering::write_wide(const MachineOperand &to, RegisterId value) {
  write(to, builder_.resize(value, 32, false));
  write(to, high_word(value), 1);
}

} // namespace smem::compiled
