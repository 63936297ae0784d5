// Calls: intrinsics, inline PTX, library functions, and what cannot be followed.
#include "lower/kernel_lowering.h"

#include <algorithm>
#include <array>
#include <utility>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace smem::lower {
namespace {

/// Functions of the run-time library that move none of the memory that is counted.
constexpr std::array<llvm::StringRef, 7> kWithoutEffect{"vprintf", "printf", "malloc", "free", "__assertfail", "__nvvm_reflect", "cudaGetParameterBufferV2"};

/// libdevice's and the C library's mathematics: results in registers, or through pointers to locals.
bool is_mathematics(const llvm::Function &function) {
  return function.getName().starts_with("__nv_") || function.doesNotAccessMemory() || function.getName().starts_with("__internal_");
}

} // namespace

void KernelLowering::lower_call(const llvm::CallBase &call) {
  if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return lower_inline_ptx(call, *assembly);
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return lower_intrinsic(*intrinsic);
  if (const llvm::Function *callee = call.getCalledFunction(); callee && callee->isDeclaration())
    if (llvm::StringRef name = callee->getName(); name.consume_front("__nv_") && lower_library_integer(call, name))
      return;
  lower_unknown_call(call);
}

bool KernelLowering::lower_library_integer(const llvm::CallBase &call, llvm::StringRef name) {
  static constexpr std::array<std::pair<llvm::StringRef, Opcode>, 24> kSame{{
      {"brev", Opcode::ReverseBits}, {"brevll", Opcode::ReverseBits}, {"popc", Opcode::Popcount}, {"popcll", Opcode::Popcount},
      {"clz", Opcode::CountLeadingZeros}, {"clzll", Opcode::CountLeadingZeros}, {"min", Opcode::SMin}, {"max", Opcode::SMax},
      {"umin", Opcode::UMin}, {"umax", Opcode::UMax}, {"llmin", Opcode::SMin}, {"llmax", Opcode::SMax}, {"ullmin", Opcode::UMin},
      {"ullmax", Opcode::UMax}, {"mulhi", Opcode::SMulHigh}, {"umulhi", Opcode::UMulHigh}, {"mul64hi", Opcode::SMulHigh},
      {"umul64hi", Opcode::UMulHigh}, {"float2int_rz", Opcode::FToS}, {"float2uint_rz", Opcode::FToU}, {"int2float_rn", Opcode::SToF},
      {"uint2float_rn", Opcode::UToF}, {"double2int_rz", Opcode::FToS}, {"int2double_rn", Opcode::SToF},
  }};
  Registers in;
  for (const llvm::Value *argument : call.args()) {
    const Registers registers = value(argument);
    if (registers.size() != 1)
      return false;
    in.push_back(registers.front());
  }
  const std::vector<std::uint8_t> bits = widths(call.getType());
  if (bits.size() != 1 || in.empty())
    return false;
  const auto done = [&](RegisterId result) {
    define(call, {builder_.resize(result, bits[0], false)});
    return true;
  };
  for (const auto &[known, opcode] : kSame)
    if (known == name) {
      const bool converts = opcode >= Opcode::FAdd && opcode <= Opcode::FResize;
      return done(builder_.emit(opcode, converts ? bits[0] : builder_.width(in[0]), in));
    }
  if (name == "ffs" || name == "ffsll") { // one more than the trailing zeros, 0 for 0
    const std::uint8_t width = builder_.width(in[0]);
    const RegisterId zeros = builder_.emit(Opcode::CountTrailingZeros, width, {in[0]});
    const RegisterId none = builder_.compare(Opcode::Eq, in[0], builder_.constant(width, 0));
    return done(builder_.select(none, builder_.constant(width, 0), builder_.add(zeros, std::int64_t{1})));
  }
  if (name == "abs" || name == "llabs") {
    const RegisterId zero = builder_.constant(builder_.width(in[0]), 0);
    return done(builder_.select(builder_.compare(Opcode::SLt, in[0], zero), builder_.emit(Opcode::Sub, builder_.width(in[0]), {zero, in[0]}), in[0]));
  }
  if (name == "byte_perm" && in.size() == 3)
    if (const auto permuted = permute_bytes(in[0], in[1], in[2]))
      return done(*permuted);
  return name == "float_as_int" || name == "int_as_float" || name == "float_as_uint" || name == "uint_as_float" ? done(in[0]) : false;
}

void KernelLowering::lower_unknown_call(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  const std::string name = callee ? "'" + llvm::demangle(callee->getName()) + "'" : std::string("a function pointer");
  if (callee && std::find(kWithoutEffect.begin(), kWithoutEffect.end(), callee->getName()) != kWithoutEffect.end())
    return define_opaque(call, "result of " + name + at_line(call));
  if (callee && callee->isDeclaration()) {
    define_opaque(call, "result of " + name + at_line(call));
    for (const llvm::Value *argument : call.args()) {
      if (!argument->getType()->isPointerTy())
        continue;
      if (is_mathematics(*callee)) {
        // sincos and its like write through pointers to locals.
        const Pointer to = pointer(argument);
        if (to.space != AddressSpace::Local)
          continue;
        Access access;
        access.operation = Operation::Store;
        access.width_bits = 64;
        memory(call, to, access).parts = {{0, 64, kNone}};
      } else if (!callee->onlyReadsMemory() || !callee->onlyAccessesArgMemory()) {
        Access access;
        access.operation = Operation::Store;
        access.space = Space::Global;
        not_lowered(call, access, "call of " + name + ", whose body is not in this file");
        break;
      }
    }
    return;
  }

  // A defined function that could not be inlined, or any one whose address is taken.
  std::vector<const llvm::Function *> work;
  if (callee) {
    work.push_back(callee);
  } else {
    for (const llvm::Function &candidate : *kernel_.getParent())
      if (!candidate.isDeclaration() && candidate.hasAddressTaken() && candidate.getFunctionType() == call.getFunctionType())
        work.push_back(&candidate);
  }
  const std::string construct = callee ? "recursive call of " + name : "call through " + name;
  define_opaque(call, "result of the " + construct + at_line(call));
  not_followed_ = construct + at_line(call);
  llvm::SmallPtrSet<const llvm::Function *, 8> seen(work.begin(), work.end());
  while (!work.empty()) {
    const llvm::Function *function = work.back();
    work.pop_back();
    for (const llvm::Instruction &instruction : llvm::instructions(*function)) {
      Access access;
      llvm::Type *type = nullptr;
      const llvm::Value *address_value = llvm::getLoadStorePointerOperand(&instruction);
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        type = load->getType();
        access.operation = Operation::Load;
      } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        type = store->getValueOperand()->getType();
        access.operation = Operation::Store;
      } else if (const auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        type = rmw->getType();
        address_value = rmw->getPointerOperand();
        access.operation = Operation::Atomic;
      } else if (const auto *nested = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        const llvm::Function *target = nested->getCalledFunction();
        if (target && !target->isDeclaration() && seen.insert(target).second)
          work.push_back(target);
      }
      if (!type || llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address_value, 0)))
        continue;
      access.space = address_value->getType()->getPointerAddressSpace() == 3 ? Space::Shared : Space::Global;
      access.width_bits = static_cast<std::uint16_t>(std::min<std::uint64_t>(128, layout_.getTypeStoreSizeInBits(type).getFixedValue()));
      not_lowered(instruction, access, construct + at_line(call));
    }
  }
}

} // namespace smem::lower
