// Operands of inline PTX: registers that are read and written, addresses.
#include "ir/ptx_lowering.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ptx/ptx_names.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

constexpr std::array<std::pair<std::string_view, SpecialRegister>, 23> kSpecialRegisters{{
    {"%tid.x", SpecialRegister::ThreadX},
    {"%tid.y", SpecialRegister::ThreadY},
    {"%tid.z", SpecialRegister::ThreadZ},
    {"%ctaid.x", SpecialRegister::BlockX},
    {"%ctaid.y", SpecialRegister::BlockY},
    {"%ctaid.z", SpecialRegister::BlockZ},
    {"%ntid.x", SpecialRegister::BlockDimX},
    {"%ntid.y", SpecialRegister::BlockDimY},
    {"%ntid.z", SpecialRegister::BlockDimZ},
    {"%nctaid.x", SpecialRegister::GridDimX},
    {"%nctaid.y", SpecialRegister::GridDimY},
    {"%nctaid.z", SpecialRegister::GridDimZ},
    {"%laneid", SpecialRegister::Lane},
    {"WARP_SZ", SpecialRegister::WarpSize},
    {"%lanemask_lt", SpecialRegister::LaneMaskLt},
    {"%lanemask_le", SpecialRegister::LaneMaskLe},
    {"%lanemask_eq", SpecialRegister::LaneMaskEq},
    {"%lanemask_ge", SpecialRegister::LaneMaskGe},
    {"%lanemask_gt", SpecialRegister::LaneMaskGt},
    {"%dynamic_smem_size", SpecialRegister::DynamicSharedSize},
    {"%total_smem_size", SpecialRegister::TotalSharedSize},
    {"%laneid.x", SpecialRegister::Lane},
    {"%warpsize", SpecialRegister::WarpSize},
}};

/// Of those that are not followed: the same in all lanes of a warp (PTX ISA, special registers).
constexpr std::array<std::string_view, 15> kSameInAWarp{
    "%smid",  "%nsmid",  "%warpid", "%nwarpid",    "%gridid",      "%clock",          "%clock_hi",      "%clock64",
    "%ctaid", "%nctaid", "%ntid",   "%nclusterid", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"};

} // namespace

const Registers *PtxLowering::row_of(const ptx::Operand &operand) const {
  if (operand.kind == Kind::Placeholder)
    return operand.number < slots_.size() ? &slots_[operand.number].row : nullptr;
  const auto found = names_.find(operand.name);
  return operand.kind == Kind::Name && found != names_.end() ? &found->second : nullptr;
}

std::vector<std::uint8_t> PtxLowering::widths_of(const ptx::Operand &operand) const {
  std::vector<std::uint8_t> widths;
  if (operand.kind == Kind::Vector)
    for (const ptx::Operand &part : operand.parts)
      for (std::uint8_t width : widths_of(part))
        widths.push_back(width);
  else if (const Registers *row = row_of(operand))
    for (RegisterId each : *row)
      widths.push_back(builder_.width(each));
  return widths;
}

RegisterId PtxLowering::special(const std::string &name) {
  if (const SpecialRegister *known = ptx::find(kSpecialRegisters, name))
    return builder_.special(*known);
  if (const RegisterId cluster = lowering_.cluster_register(llvm::StringRef(name).drop_front());
      name.starts_with('%') && cluster != kNone)
    return cluster;
  const std::uint8_t width = name == "%clock64" || name == "%globaltimer" || name == "%gridid" ? 64 : 32;
  const bool same = std::ranges::find(kSameInAWarp, name) != kSameInAWarp.end() || name.starts_with("%envreg") ||
                    name.starts_with("%pm");
  return builder_.opaque_event(width, "the value of " + name + lowering_.at_line(call_),
                               same ? Registers() : Registers{builder_.special(SpecialRegister::Lane)});
}

Registers PtxLowering::read_row(const ptx::Operand &operand) {
  if (const Registers *row = row_of(operand))
    return *row;
  Registers all;
  if (operand.kind == Kind::Immediate)
    return {builder_.constant(64, operand.immediate)};
  for (const ptx::Operand &part : operand.parts) {
    const Registers row = read_row(part);
    all.insert(all.end(), row.begin(), row.end());
  }
  if (operand.kind == Kind::Name)
    all.push_back(special(operand.name));
  return all;
}

RegisterId PtxLowering::read(const ptx::Operand &operand, std::uint8_t width, bool sign) {
  if (operand.kind == Kind::Immediate)
    return builder_.constant(width, operand.immediate);
  const Registers row = read_row(operand);
  RegisterId value = row.empty() ? builder_.undefined(width) : row.front();
  if (row.size() > 1)
    value = builder_.recut(row, std::vector<std::uint8_t>{width}).front();
  value = builder_.resize(value, width, sign);
  return operand.negated && width == 1 ? builder_.logical_not(value) : value;
}

RegisterId PtxLowering::predicate(const ptx::Operand &operand) {
  if (operand.kind == Kind::Immediate)
    return builder_.constant(1, operand.immediate != 0 ? -1 : 0);
  return read(operand, 1);
}

RegisterId PtxLowering::guard(const ptx::Instruction &instruction) {
  return instruction.guard ? predicate(*instruction.guard) : kNone;
}

void PtxLowering::write(const ptx::Operand &target, Registers row, bool sign) {
  const ptx::Instruction &instruction = statement_.instructions[at_];
  if (target.kind == Kind::Vector) {
    row = builder_.recut(row, widths_of(target));
    std::size_t next = 0;
    for (const ptx::Operand &part : target.parts) {
      const std::size_t count = widths_of(part).size();
      if (count && next + count <= row.size())
        write(part, {row.begin() + static_cast<std::ptrdiff_t>(next),
                     row.begin() + static_cast<std::ptrdiff_t>(next + count)});
      next += count;
    }
    return;
  }
  auto *to = const_cast<Registers *>(row_of(target));
  if (!to || (target.kind == Kind::Placeholder && !slots_[target.number].output))
    return;
  const std::vector<std::uint8_t> widths = widths_of(target);
  if (row.size() == 1 && widths.size() == 1)
    row = {builder_.resize(row[0], widths[0], sign)};
  else
    row = builder_.recut(row, widths);
  if (const RegisterId condition = guard(instruction); condition != kNone)
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = builder_.select(condition, row[i], (*to)[i]);
  *to = std::move(row);
}

void PtxLowering::write(const ptx::Operand &target, RegisterId value, bool sign) {
  write(target, Registers{value}, sign);
}

const llvm::Value *PtxLowering::origin(const ptx::Operand &operand) const {
  if (operand.kind == Kind::Placeholder)
    return operand.number < slots_.size() ? slots_[operand.number].value : nullptr;
  const auto found = origins_.find(operand.name);
  return found == origins_.end() ? nullptr : found->second;
}

KernelLowering::Pointer PtxLowering::pointer(const ptx::Operand &operand, AddressSpace space) {
  KernelLowering::Pointer result;
  result.space = space;
  const ptx::Operand &first = operand.parts.front();
  const Registers *row = row_of(first);
  const std::uint8_t width = row && !row->empty() ? builder_.width(row->front()) : std::uint8_t{64};
  RegisterId sum = read(first, width);
  for (std::size_t i = 1; i < operand.parts.size(); ++i) {
    const ptx::Operand &part = operand.parts[i];
    const RegisterId addend = read(part, width, true);
    if (const auto offset = builder_.constant_value(addend))
      result.offset += part.negated ? -*offset : *offset;
    sum = builder_.emit(part.negated ? Opcode::Sub : Opcode::Add, width, {sum, addend});
  }
  result.address = builder_.resize(sum, 64, false);
  result.value = origin(first);
  if (result.value)
    result.base = underlying_variable(result.value);
  return result;
}

} // namespace smem::lower
