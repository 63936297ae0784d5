#include "nvcc/cicc/forwarded_copies.h"

#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/noted_fields.h"
#include "nvcc/facts/between.h"
#include "nvcc/facts/machine.h"

namespace smem {
namespace {

enum class Memory { Local, Shared, Elsewhere };

Memory memory_of(const llvm::Value &pointer) {
  const llvm::Value *object = llvm::getUnderlyingObject(&pointer);
  if (llvm::isa<llvm::AllocaInst>(object))
    return Memory::Local;
  return object->getType()->getPointerAddressSpace() == kShared ? Memory::Shared : Memory::Elsewhere;
}

bool writes(const llvm::Instruction &instruction, Memory memory) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return memory_of(*store->getPointerOperand()) == memory;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    return memory_of(*intrinsic->getDest()) == memory;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return false;
  return llvm::isa<llvm::CallBase, llvm::FenceInst>(instruction) && instruction.mayWriteToMemory();
}

/// Is all that happens to a structure which `call` gets by value that it is copied on?
bool is_copied_on(const llvm::CallBase &call, unsigned argument) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || argument >= callee->arg_size() || !callee->getArg(argument)->hasOneUse())
    return false;
  const llvm::Use &use = *callee->getArg(argument)->use_begin();
  const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(use.getUser());
  return copy && &use == &copy->getRawSourceUse() && noted_fields(*copy);
}

} // namespace

bool is_only_copied(const llvm::Value &pointer, CopyUses uses) {
  const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(pointer.stripPointerCasts());
  if (!variable || !variable->getAllocatedType()->isStructTy())
    return false;
  unsigned in = 0, out = 0;
  std::vector<const llvm::Value *> open = {variable};
  while (!open.empty()) {
    const llvm::Value *value = open.back();
    open.pop_back();
    for (const llvm::Use &use : value->uses()) {
      const llvm::User *user = use.getUser();
      if (llvm::isa<llvm::AddrSpaceCastInst, llvm::BitCastInst>(user)) {
        open.push_back(user);
      } else if (const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(user)) {
        if (!noted_fields(*copy)) // a call of memcpy()
          return false;
        ++(&use == &copy->getRawDestUse() ? in : out);
      } else if (llvm::isa<llvm::LoadInst>(user) && user->getType() == variable->getAllocatedType() &&
                 user->hasOneUse() && llvm::isa<llvm::ReturnInst>(*user->user_begin())) {
        ++out;
      } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user); call && call->isArgOperand(&use)) {
        const unsigned argument = call->getArgOperandNo(&use);
        if (call->isByValArgument(argument) && is_copied_on(*call, argument))
          ++out;
        else if (call->paramHasAttr(argument, llvm::Attribute::StructRet))
          ++in;
        else if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
                 !intrinsic || !intrinsic->isLifetimeStartOrEnd())
          return false;
      } else {
        return false;
      }
    }
  }
  return in && (uses == CopyUses::Any ? out > 0 : in == out);
}

bool is_forwarded(const llvm::LoadInst &load, const llvm::StoreInst &store) {
  const Memory memory = memory_of(*load.getPointerOperand());
  return !any_between(load, store, [&](const llvm::Instruction &each) {
    return writes(each, memory) && each.getDebugLoc() != store.getDebugLoc();
  });
}

const llvm::StoreInst *forwarded_to(const llvm::LoadInst &load) {
  const llvm::Value *value = &load;
  while (value->hasOneUse() && llvm::isa<llvm::BitCastInst>(value->user_back()))
    value = value->user_back();
  const auto *store = value->hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(value->user_back()) : nullptr;
  return store && store->getValueOperand() == value && is_forwarded(load, *store) ? store : nullptr;
}

} // namespace smem
