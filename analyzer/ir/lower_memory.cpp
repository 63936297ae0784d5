// Loads, stores and atomics -> sites and memory operations.
#include "ir/kernel_lowering.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "ir/atomic_kinds.h"
#include "nvcc/facts/cluster_address.h"
#include "nvcc/ptxas/inline_ptx_accesses.h"
#include "program/slice.h"
#include "nvcc/access_record.h"
#include "nvcc/uncertainty.h"
#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

constexpr std::uint64_t kWidestAccess = 16;

/// A run of bytes that one machine instruction moves.
struct Piece {
  std::uint64_t offset;
  std::uint64_t bytes;
};

/// Scalars and vectors are one access where their alignment allows; structures are accessed field by field.
std::vector<Piece> pieces_of(llvm::Type *type, llvm::Align alignment, const llvm::DataLayout &layout) {
  std::vector<Piece> result;
  const auto split = [&](std::uint64_t begin, std::uint64_t size) {
    for (std::uint64_t offset = begin; offset < begin + size;) {
      const std::uint64_t aligned = llvm::commonAlignment(alignment, offset).value();
      const std::uint64_t bytes = std::min({aligned, std::bit_floor(begin + size - offset), kWidestAccess});
      result.push_back({offset, bytes});
      offset += bytes;
    }
  };
  if (type->isAggregateType()) {
    for (const Component &component : components_of(type, layout))
      split(component.byte_offset, (component.width + 7) / 8);
  } else {
    split(0, layout.getTypeStoreSize(type).getFixedValue());
  }
  return result;
}

/// Widths of the registers that a piece fills: those of the value where they fit, else plain words.
std::vector<ValuePart> parts_of(const Piece &piece, const std::vector<Component> &components) {
  std::vector<ValuePart> parts;
  std::uint64_t covered = piece.offset;
  for (const Component &component : components) {
    const std::uint64_t end = component.byte_offset + component.width / 8;
    if (end <= piece.offset || component.byte_offset >= piece.offset + piece.bytes)
      continue;
    if (component.width % 8 || component.byte_offset != covered || end > piece.offset + piece.bytes)
      break;
    parts.push_back({static_cast<std::uint16_t>(component.byte_offset - piece.offset), component.width, kNone});
    covered = end;
  }
  if (covered == piece.offset + piece.bytes)
    return parts;
  parts.clear();
  for (std::uint64_t done = 0; done < piece.bytes; done += 8)
    parts.push_back({static_cast<std::uint16_t>(done),
                     static_cast<std::uint8_t>(8 * std::min<std::uint64_t>(8, piece.bytes - done)), kNone});
  return parts;
}

} // namespace

AtomicKind KernelLowering::add_kind(std::optional<std::int64_t> addend) {
  return addend && *addend == 1 ? AtomicKind::Increment : AtomicKind::Add;
}

const llvm::Value *underlying_variable(const llvm::Value *address) {
  constexpr unsigned kMostValues = 64;
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  std::vector<const llvm::Value *> work{address};
  const llvm::Value *found = nullptr;
  while (!work.empty()) {
    const llvm::Value *value = work.back();
    work.pop_back();
    if (!seen.insert(value).second)
      continue;
    if (seen.size() > kMostValues)
      return nullptr;
    const bool is_pointer = value->getType()->isPointerTy();
    if (is_pointer && llvm::isa<llvm::GlobalVariable, llvm::Argument, llvm::AllocaInst>(value)) {
      if (found && found != value)
        return nullptr;
      found = value;
      continue;
    }
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(value)) {
      for (const llvm::Value *incoming : phi->incoming_values())
        work.push_back(incoming);
      continue;
    }
    const auto *operation = llvm::dyn_cast<llvm::Operator>(value);
    if (!operation)
      continue;
    switch (operation->getOpcode()) {
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Freeze: work.push_back(operation->getOperand(0)); break;
    case llvm::Instruction::Select:
      work.push_back(operation->getOperand(1));
      work.push_back(operation->getOperand(2));
      break;
    case llvm::Instruction::Add:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor: work.push_back(operation->getOperand(1)); [[fallthrough]];
    case llvm::Instruction::Sub:
    case llvm::Instruction::And: work.push_back(operation->getOperand(0)); break;
    case llvm::Instruction::Call: { // conversions of pointers that are spelled as intrinsics
      const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(operation);
      if (call && call->arg_size() >= 1 && call->getArgOperand(0)->getType()->isPointerTy() &&
          call->getType()->isPointerTy())
        work.push_back(call->getArgOperand(0));
      break;
    }
    default: break;
    }
  }
  return found;
}

KernelLowering::Pointer KernelLowering::pointer(const llvm::Value *pointer) {
  Pointer result;
  result.address = address(pointer);
  result.value = pointer;
  result.base = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
  const unsigned own_space = pointer->getType()->getPointerAddressSpace();
  unsigned space = own_space;
  if (space == kGeneric) {
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(result.base))
      space = variable->getAddressSpace() == kGeneric ? kGlobal : variable->getAddressSpace();
    else if (llvm::isa<llvm::AllocaInst>(result.base))
      space = kLocal;
    else if (const auto *argument = llvm::dyn_cast<llvm::Argument>(result.base))
      space = argument->hasByValAttr() ? kParameter : kGlobal;
    else
      space = result.base->getType()->isPointerTy() ? result.base->getType()->getPointerAddressSpace() : kGeneric;
  }
  switch (space) {
  case kGlobal: result.space = AddressSpace::Global; break;
  case kShared:
    result.space = AddressSpace::Shared;
    if (own_space == kGeneric)
      result.address = builder_.emit(Opcode::GenericToShared, 64, {result.address});
    break;
  case kConstant:
  case kParameter: result.space = AddressSpace::Constant; break;
  case kLocal: result.space = AddressSpace::Local; break;
  default:
    if (!block_addresses_)
      block_addresses_.emplace(kernel_);
    result.elsewhere = block_addresses_->leads_elsewhere(*pointer);
    result.space = result.elsewhere ? AddressSpace::Global : AddressSpace::Generic;
  }
  if (!llvm::isa<llvm::GlobalVariable, llvm::Argument, llvm::AllocaInst>(result.base))
    result.base = underlying_variable(pointer);
  return result;
}

namespace {

/// Of an instruction that is atomic, by its scope or its name.
Strength strength_of(const llvm::Instruction &instruction) {
  std::optional<llvm::SyncScope::ID> scope = llvm::getAtomicSyncScopeID(&instruction);
  if (scope) {
    llvm::SmallVector<llvm::StringRef, 8> names;
    instruction.getContext().getSyncScopeNames(names);
    return *scope < names.size() && names[*scope] == "block" ? Strength::Block : Strength::Device;
  }
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || !call->getCalledFunction()->getName().contains(".atomic."))
    return Strength::Weak;
  return call->getCalledFunction()->getName().contains(".cta") ? Strength::Block : Strength::Device;
}

/// Other threads may wait for it, or it for them.
bool may_signal(const llvm::Instruction &instruction) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return (load && (load->isVolatile() || load->isAtomic())) || (store && (store->isVolatile() || store->isAtomic()));
}

} // namespace

MemoryOperation &KernelLowering::memory(const llvm::Instruction &instruction, const Pointer &pointer,
                                        const Access &access) {
  if (may_signal(instruction) && (pointer.space == AddressSpace::Global || pointer.space == AddressSpace::Generic))
    builder_.effect(Opcode::Fence);
  MemoryOperation operation;
  operation.strength = strength_of(instruction);
  operation.space = pointer.space;
  operation.access = access;
  operation.access.space =
      pointer.space == AddressSpace::Shared || access.operation == Operation::AsyncCopy ? Space::Shared : Space::Global;
  operation.address = pointer.address;
  if (pointer.space != AddressSpace::Local && pointer.space != AddressSpace::Constant)
    operation.site = site(instruction, pointer, operation.access);
  const AccessRecord record = record_of(instruction);
  if (record.arrays)
    operation.shared_array = kSeveralArrays;
  operation.filled_bytes = static_cast<std::uint8_t>(record.filled);
  builder_.effect(Opcode::Memory, static_cast<std::uint32_t>(program_.memory_operations.size()));
  program_.memory_operations.push_back(std::move(operation));
  return program_.memory_operations.back();
}

void KernelLowering::not_lowered(const llvm::Instruction &instruction, const Access &access,
                                 const std::string &construct) {
  Pointer pointer;
  pointer.space = access.space == Space::Shared ? AddressSpace::Shared : AddressSpace::Global;
  pointer.address = builder_.opaque_per_lane(64, construct + at_line(instruction));
  MemoryOperation operation;
  operation.space = pointer.space;
  operation.access = access;
  operation.address = pointer.address;
  if (access.operation == Operation::AsyncCopy)
    operation.source = pointer.address;
  operation.site = site(instruction, pointer, access, construct);
  builder_.effect(Opcode::Memory, static_cast<std::uint32_t>(program_.memory_operations.size()));
  program_.memory_operations.push_back(std::move(operation));
}

Registers KernelLowering::load_pieces(const llvm::Instruction &instruction, const llvm::Value *address_value,
                                      llvm::Type *type, llvm::Align alignment) {
  const Pointer from = pointer(address_value);
  const std::vector<Component> components = components_of(type, layout_);
  Registers row;
  for (const Piece &piece : pieces_of(type, alignment, layout_)) {
    std::vector<ValuePart> parts = parts_of(piece, components);
    for (ValuePart &part : parts) {
      part.reg = builder_.new_register(part.width);
      row.push_back(part.reg);
    }
    Pointer here = from;
    here.address = builder_.add(from.address, static_cast<std::int64_t>(piece.offset));
    Access access;
    access.operation = Operation::Load;
    access.width_bits = static_cast<std::uint16_t>(piece.bytes * 8);
    access.bypass_l1 = from.space != AddressSpace::Shared && bypasses_l1(instruction);
    memory(instruction, here, access).parts = std::move(parts);
  }
  return builder_.recut(row, widths(type));
}

void KernelLowering::store_pieces(const llvm::Instruction &instruction, const llvm::Value *address_value,
                                  const llvm::Value *stored, llvm::Align alignment) {
  const Pointer to = pointer(address_value);
  const std::vector<Component> components = components_of(stored->getType(), layout_);
  const std::vector<Piece> pieces = pieces_of(stored->getType(), alignment, layout_);
  std::vector<std::vector<ValuePart>> parts;
  std::vector<std::uint8_t> cuts;
  for (const Piece &piece : pieces) {
    parts.push_back(parts_of(piece, components));
    for (const ValuePart &part : parts.back())
      cuts.push_back(part.width);
  }
  const Registers row = builder_.recut(value(stored), cuts);
  std::size_t next = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (ValuePart &part : parts[i])
      part.reg = row[next++];
    Pointer here = to;
    here.address = builder_.add(to.address, static_cast<std::int64_t>(pieces[i].offset));
    Access access;
    access.operation = Operation::Store;
    access.width_bits = static_cast<std::uint16_t>(pieces[i].bytes * 8);
    memory(instruction, here, access).parts = std::move(parts[i]);
  }
}

Registers KernelLowering::lower_parameter_load(const llvm::Argument &parameter, const llvm::Value *pointer,
                                               llvm::Type *type) {
  // Where in the parameter the load can be: a constant and multiples of the strides of its variable indices.
  std::int64_t first = 0;
  std::uint64_t stride = 0;
  const llvm::Value *base = pointer;
  while (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    const unsigned bits = layout_.getIndexTypeSizeInBits(gep->getType());
    llvm::MapVector<llvm::Value *, llvm::APInt> variable;
    llvm::APInt constant_part(bits, 0);
    if (!gep->collectOffset(layout_, bits, variable, constant_part))
      break;
    first += constant_part.getSExtValue();
    for (const auto &[index, factor] : variable)
      stride = std::gcd(stride, static_cast<std::uint64_t>(std::abs(factor.getSExtValue())));
    base = gep->getPointerOperand();
  }
  const RegisterId offset = address(pointer);
  const std::string reason =
      "element of parameter '" + program_.parameters[parameter.getArgNo()].name + "' at a variable index";
  const std::uint64_t size = layout_.getTypeAllocSize(parameter.getParamByValType());
  const std::uint64_t loaded = layout_.getTypeStoreSize(type).getFixedValue();
  constexpr std::uint64_t kMostElements = 64;
  if (base != &parameter || (stride && size / stride > kMostElements))
    return opaque(type, reason, {offset});
  const std::int64_t begin =
      stride ? first % static_cast<std::int64_t>(stride) +
                   (first < 0 && first % static_cast<std::int64_t>(stride) ? static_cast<std::int64_t>(stride) : 0)
             : first;
  Registers out;
  for (const Component &component : components_of(type, layout_)) {
    const auto element = [&](std::int64_t at) {
      return builder_.leaf(Opcode::Argument, component.width, parameter.getArgNo(),
                           at + static_cast<std::int64_t>(component.byte_offset));
    };
    if (!stride) {
      out.push_back(element(first));
      continue;
    }
    RegisterId chosen = builder_.opaque(component.width, reason, {offset});
    for (std::int64_t at = begin; at >= 0 && static_cast<std::uint64_t>(at) + loaded <= size;
         at += static_cast<std::int64_t>(stride))
      chosen = builder_.select(builder_.compare(Opcode::Eq, offset, builder_.constant(64, at)), element(at), chosen);
    out.push_back(chosen);
  }
  return out;
}

void KernelLowering::lower_load(const llvm::LoadInst &load) {
  const auto *parameter = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand(), 0));
  if (parameter && parameter->hasByValAttr())
    return define(load, lower_parameter_load(*parameter, load.getPointerOperand(), load.getType()));
  define(load, load_pieces(load, load.getPointerOperand(), load.getType(), load.getAlign()));
}

void KernelLowering::lower_store(const llvm::StoreInst &store) {
  store_pieces(store, store.getPointerOperand(), store.getValueOperand(), store.getAlign());
}

Registers KernelLowering::atomic(const llvm::Instruction &instruction, const llvm::Value *address_value,
                                 AtomicKind kind, llvm::Type *type, const llvm::Value *operand) {
  Access access;
  access.operation = Operation::Atomic;
  access.width_bits = static_cast<std::uint16_t>(layout_.getTypeStoreSizeInBits(type).getFixedValue());
  access.atomic = kind;
  access.result_used = !instruction.use_empty();
  if (kind == AtomicKind::Increment &&
      is_cluster_address(address_value)) // the generic instruction, which merges nothing
    access.atomic = AtomicKind::Add;
  const Piece whole{0, access.width_bits / 8u};
  std::vector<ValuePart> parts = parts_of(whole, components_of(type, layout_));
  Registers row;
  for (ValuePart &part : parts)
    row.push_back(part.reg = builder_.new_register(part.width));
  const RegisterId sum = operand && access.result_used && type->isIntegerTy() && type->getIntegerBitWidth() <= 64
                             ? value(operand).front()
                             : kNone;
  MemoryOperation &operation = memory(instruction, pointer(address_value), access);
  operation.parts = std::move(parts);
  operation.operand = sum;
  return builder_.recut(row, widths(type));
}

void KernelLowering::lower_atomic(const llvm::AtomicRMWInst &instruction) {
  AtomicKind kind = atomic_kind(instruction);
  if (const auto *addend = llvm::dyn_cast<llvm::ConstantInt>(instruction.getValOperand());
      addend && addend->getBitWidth() <= 64)
    if (instruction.getOperation() == llvm::AtomicRMWInst::Add ||
        instruction.getOperation() == llvm::AtomicRMWInst::Sub)
      kind = add_kind(instruction.getOperation() == llvm::AtomicRMWInst::Add ? addend->getSExtValue()
                                                                             : -addend->getSExtValue());
  // LLVM writes `atomicAdd(p, 0)` so, which looks at a value: nvcc's is a sum still.
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getValOperand());
  const bool looks = instruction.getOperation() == llvm::AtomicRMWInst::Or && number && number->isZero();
  if (looks)
    kind = AtomicKind::Add;
  const bool sum = looks || instruction.getOperation() == llvm::AtomicRMWInst::Add ||
                   instruction.getOperation() == llvm::AtomicRMWInst::UIncWrap;
  define(instruction, atomic(instruction, instruction.getPointerOperand(), kind, instruction.getType(),
                             sum ? instruction.getValOperand() : nullptr));
  if (const SiteId site = program_.memory_operations.back().site; looks && site != kNone)
    program_.sites[site].assumption = assumption(Uncertainty::AtomicAggregation);
}

void KernelLowering::lower_compare_exchange(const llvm::AtomicCmpXchgInst &instruction) {
  llvm::Type *type = instruction.getCompareOperand()->getType();
  Registers result = atomic(instruction, instruction.getPointerOperand(), AtomicKind::CompareAndSwap, type);
  const Registers expected = value(instruction.getCompareOperand());
  RegisterId equal = builder_.constant(1, 1);
  for (std::size_t i = 0; i < result.size(); ++i)
    equal = builder_.emit(Opcode::And, 1, {builder_.compare(Opcode::Eq, result[i], expected[i]), equal});
  result.push_back(equal);
  define(instruction, std::move(result));
}

} // namespace smem::lower
