// Intrinsics of NVPTX that access memory: read-only loads, scoped atomics, asynchronous copies, matrix rows.
#include "ir/atomic_kinds.h"
#include "ir/kernel_lowering.h"
#include "nvcc/facts/machine.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace smem::lower {
namespace {

namespace I = llvm::Intrinsic;

} // namespace

bool KernelLowering::lower_memory_intrinsic(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case I::nvvm_ldu_global_i:
  case I::nvvm_ldu_global_f:
  case I::nvvm_ldu_global_p: {
    const auto *alignment = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
    define(call, load_pieces(call, call.getArgOperand(0), call.getType(),
                             llvm::MaybeAlign(alignment ? alignment->getZExtValue() : 1).valueOrOne()));
    return true;
  }
  case I::nvvm_isspacep_shared:
  case I::nvvm_isspacep_shared_cluster:
  case I::nvvm_isspacep_global:
  case I::nvvm_isspacep_local:
  case I::nvvm_isspacep_const: {
    const Pointer at = pointer(call.getArgOperand(0));
    AddressSpace space = at.space;
    if (const auto *variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(at.base);
        space == AddressSpace::Generic && variable)
      space = variable->getAddressSpace() == kShared     ? AddressSpace::Shared
              : variable->getAddressSpace() == kConstant ? AddressSpace::Constant
                                                         : AddressSpace::Global;
    if (space == AddressSpace::Generic)
      return false;
    const I::ID id = call.getIntrinsicID();
    const AddressSpace asked = id == I::nvvm_isspacep_shared || id == I::nvvm_isspacep_shared_cluster
                                   ? AddressSpace::Shared
                               : id == I::nvvm_isspacep_global ? AddressSpace::Global
                               : id == I::nvvm_isspacep_local  ? AddressSpace::Local
                                                               : AddressSpace::Constant;
    define(call, {builder_.constant(1, space == asked)});
    return true;
  }
  default: break;
  }
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.nvvm.");
  if (name.consume_front("atomic.")) {
    const AtomicKind kind = atomic_kind(name, call.getArgOperand(1));
    const bool counts = kind == AtomicKind::Add || kind == AtomicKind::Increment || kind == AtomicKind::IncrementWrap;
    define(call, atomic(call, call.getArgOperand(0), kind, call.getType(), counts ? call.getArgOperand(1) : nullptr));
    return true;
  }
  if (name.consume_front("cp.async.c")) {
    // a.shared.global.4 | a.shared.global.16.s | g.shared.global.16
    Access access;
    access.operation = Operation::AsyncCopy;
    access.bypass_l1 = name.starts_with("g");
    access.width_bits = static_cast<std::uint16_t>(8 * (name.contains(".16") ? 16 : name.contains(".8") ? 8 : 4));
    Pointer to = pointer(call.getArgOperand(0));
    const Pointer from = pointer(call.getArgOperand(1));
    const RegisterId bytes = call.arg_size() > 2 ? scalar(call.getArgOperand(2)) : kNone;
    MemoryOperation &operation = memory(call, to, access);
    operation.source = from.address;
    if (bytes != kNone && builder_.constant_value(bytes) !=
                              std::optional<std::int64_t>(access.width_bits / 8)) // else ptxas makes a plain copy of it
      operation.source_bytes = bytes;
    return true;
  }
  if (name.consume_front("ldmatrix.sync.aligned.m8n8.x")) {
    Access access;
    access.operation = Operation::MatrixLoad;
    access.width_bits = 128;
    access.matrices = static_cast<std::uint8_t>(name[0] - '0');
    access.transposed = name.contains(".trans");
    memory(call, pointer(call.getArgOperand(0)), access);
    Registers result;
    for (std::uint8_t bits : widths(call.getType()))
      result.push_back(builder_.opaque_event(bits, "element of a matrix from shared memory" + at_line(call),
                                             {builder_.special(SpecialRegister::Lane)}));
    define(call, std::move(result));
    return true;
  }
  return false;
}

} // namespace smem::lower
