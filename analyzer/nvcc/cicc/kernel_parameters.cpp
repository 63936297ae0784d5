#include "nvcc/cicc/kernel_parameters.h"

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

void mark_global(llvm::Value *pointer, llvm::Instruction *before) {
  llvm::IRBuilder<> builder(before);
  llvm::Value *global = builder.CreateAddrSpaceCast(pointer, llvm::PointerType::get(builder.getContext(), kGlobal));
  llvm::Value *generic = builder.CreateAddrSpaceCast(global, pointer->getType());
  pointer->replaceUsesWithIf(generic, [&](llvm::Use &use) { return use.getUser() != global; });
}

bool is_only_read(const llvm::Value &pointer) {
  for (const llvm::User *user : pointer.users()) {
    if (llvm::isa<llvm::LoadInst>(user))
      continue;
    if (llvm::isa<llvm::GetElementPtrInst>(user) && is_only_read(*user))
      continue;
    if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
      if (intrinsic->isAssumeLikeIntrinsic())
        continue;
      if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic); copy && copy->getDest() != &pointer)
        continue;
    }
    return false;
  }
  return true;
}

} // namespace

void mark_kernel_pointers(llvm::Function &kernel) {
  for (llvm::Argument &argument : kernel.args()) {
    if (!argument.getType()->isPointerTy() || argument.use_empty())
      continue;
    if (!argument.hasByValAttr()) {
      if (argument.getType()->getPointerAddressSpace() == kGeneric)
        mark_global(&argument, &*kernel.getEntryBlock().getFirstInsertionPt());
      continue;
    }
  }
  std::vector<llvm::LoadInst *> loads;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        load && load->getType()->isPointerTy() && load->getType()->getPointerAddressSpace() == kGeneric) {
      const auto *base = llvm::dyn_cast<llvm::Argument>(load->getPointerOperand()->stripInBoundsOffsets());
      if (base && base->hasByValAttr())
        loads.push_back(load);
    }
  for (llvm::LoadInst *load : loads)
    mark_global(load, load->getNextNode());
}

void copy_written_parameters(llvm::Function &kernel) {
  for (llvm::Argument &argument : kernel.args()) {
    if (!argument.hasByValAttr() || is_only_read(argument))
      continue;
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    llvm::Type *type = argument.getParamByValType();
    llvm::AllocaInst *copy = builder.CreateAlloca(type);
    copy->setAlignment(argument.getParamAlign().valueOrOne());
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, argument.getParamAlign(),
                         kernel.getDataLayout().getTypeAllocSize(type).getFixedValue());
  }
}

} // namespace smem::lower
