// Calls: intrinsics, inline PTX, library functions, and what cannot be followed.
#include "ir/kernel_lowering.h"
#include "ir/uncounted.h"
#include "nvcc/facts/machine.h"
#include "nvcc/source_calls.h"

#include <algorithm>
#include <array>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace smem::lower {
namespace {

/// Functions of the run-time library that move none of the memory that is counted.
constexpr std::array<llvm::StringRef, 13> kWithoutEffect{
    "vprintf", "printf",  "malloc", "free", "__assertfail", "__nvvm_reflect", "cudaGetParameterBufferV2",
    "_Znwm",   "_Znam",   "_ZdlPv", // operators new and delete
    "_ZdaPv",  "_ZdlPvm", "_ZdaPvm"};

/// libdevice's and the C library's mathematics: results in registers, or through pointers to locals.
bool is_mathematics(const llvm::Function &function) {
  return function.getName().starts_with("__nv_") || function.doesNotAccessMemory() ||
         function.getName().starts_with("__internal_");
}

} // namespace

std::string name_in_source(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  if (name.consume_front("__nv_"))
    return name.str() + "()";
  const llvm::Type *type = function.getReturnType();
  if (name.consume_front("llvm.") && !name.starts_with("nvvm.") && (type->isFloatTy() || type->isDoubleTy()) &&
      name.consume_back(type->isFloatTy() ? ".f32" : ".f64"))
    return name.str() + (type->isFloatTy() ? "f()" : "()");
  return "'" + llvm::demangle(function.getName()) + "'";
}

void KernelLowering::lower_call(const llvm::CallBase &call) {
  if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return lower_inline_ptx(call, *assembly);
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return lower_intrinsic(*intrinsic);
  if (const llvm::Function *callee = call.getCalledFunction(); callee && callee->isDeclaration())
    if (llvm::StringRef name = callee->getName(); name.consume_front("__nv_") && lower_library_function(call, name))
      return;
  lower_unknown_call(call);
}

bool KernelLowering::lower_library_function(const llvm::CallBase &call, llvm::StringRef name) {
  if ((name != "fmodf" && name != "fmod") || call.arg_size() != 2)
    return false;
  define(call, {floats_.remainder(scalar(call.getArgOperand(0)), scalar(call.getArgOperand(1)))});
  return true;
}

void KernelLowering::not_lowered_anywhere(const llvm::Instruction &instruction, const Access &access,
                                          const std::string &construct) {
  not_lowered(instruction, access, construct);
  program_.memory_operations.back().space = AddressSpace::Generic;
}

void KernelLowering::lower_unit_call(const llvm::CallBase &call, const std::string &what) {
  define_event(call, "result of a " + what + at_line(call));
  // What it moves is not of the memory that is counted, but for a result behind a pointer: `tex2D(&texel, ...)`.
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value *argument = call.getArgOperand(i);
    if (!argument->getType()->isPointerTy() || call.paramHasAttr(i, llvm::Attribute::Dereferenceable))
      continue; // `const texture<...> &`
    const Pointer to = pointer(argument);
    Access access;
    access.operation = Operation::Store;
    access.width_bits = 128; // the widest there is
    if (to.space == AddressSpace::Local)
      memory(call, to, access).parts = {{0, 64, kNone}, {8, 64, kNone}};
    else
      not_lowered_anywhere(call, access, "result of a " + what + " behind a pointer");
  }
}

void KernelLowering::lower_unknown_call(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  const std::string name = callee ? name_in_source(*callee) : "a function pointer";
  const bool left_out = callee && callee->hasFnAttribute(kLeftOutBody);
  if (left_out)
    left_out_ = name;
  if (callee && callee->getName() == "__assertfail")
    ending_.push_back(builder_.current());
  if (callee && std::find(kWithoutEffect.begin(), kWithoutEffect.end(), callee->getName()) != kWithoutEffect.end())
    return define_event(call, "result of " + name + at_line(call));
  const auto unit = callee && callee->isDeclaration() ? unit_of_function(*callee) : std::nullopt;
  if (unit == Uncounted::Unit::Texture || unit == Uncounted::Unit::Surface)
    return lower_unit_call(call, unit == Uncounted::Unit::Texture ? "texture fetch" : "surface access");
  if (callee && callee->isDeclaration()) {
    if (!is_mathematics(*callee)) {
      define_event(call, "result of " + name + at_line(call)); // it may ask which lane it is of
      const bool reads_arguments = callee->onlyReadsMemory() && callee->onlyAccessesArgMemory();
      if (!reads_arguments && !callee->onlyAccessesInaccessibleMemory()) {
        // Of another file: it may access what this one declares, dynamic shared memory among it, and wait for other threads, whatever its arguments are.
        Access access;
        access.operation = Operation::Store;
        access.space = Space::Global;
        not_lowered_anywhere(call, access,
                             "call of " + name +
                                 (left_out ? ", which is left out for an error" : ", whose body is not in this file"));
        elsewhere_ = name;
      }
      return;
    }
    define_opaque(call, "result of " + name + at_line(call));
    // sincos and its like write through pointers to locals.
    for (const llvm::Value *argument : call.args()) {
      if (!argument->getType()->isPointerTy())
        continue;
      const Pointer to = pointer(argument);
      if (to.space != AddressSpace::Local)
        continue;
      Access access;
      access.operation = Operation::Store;
      access.width_bits = 64;
      memory(call, to, access).parts = {{0, 64, kNone}};
    }
    return;
  }

  // A defined function that could not be inlined, or any one whose address is taken.
  std::vector<const llvm::Function *> work;
  if (callee) {
    work.push_back(callee);
  } else {
    for (const llvm::Function &candidate : *kernel_.getParent())
      if (!candidate.isDeclaration() && candidate.hasAddressTaken() &&
          candidate.getFunctionType() == call.getFunctionType())
        work.push_back(&candidate);
  }
  const std::string construct = callee ? "recursive call of " + name : "call through " + name;
  define_event(call, "result of the " + construct + at_line(call));
  not_followed_ = construct + at_line(call);
  if (work.empty() || call.hasMetadata(kUnresolvedCall)) { // it may do anything
    Access access;
    access.operation = Operation::Store;
    access.space = Space::Global;
    not_lowered_anywhere(call, access, construct);
  }
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
      access.space = address_value->getType()->getPointerAddressSpace() == kShared ? Space::Shared : Space::Global;
      access.width_bits = static_cast<std::uint16_t>(
          std::min<std::uint64_t>(128, layout_.getTypeStoreSizeInBits(type).getFixedValue()));
      if (address_value->getType()->getPointerAddressSpace() == kGeneric)
        not_lowered_anywhere(instruction, access, construct + at_line(call));
      else
        not_lowered(instruction, access, construct + at_line(call));
    }
  }
}

} // namespace smem::lower
