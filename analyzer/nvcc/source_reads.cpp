#include "nvcc/source_reads.h"

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace smem {
namespace {

constexpr char kUser[] = "smem-lint.uses"; ///< a function that takes anything

/// A pointer that a call took would seem to be kept.
bool is_retained(const llvm::LoadInst &load) {
  return !load.isVolatile() && !load.isAtomic() && !load.getType()->isPtrOrPtrVectorTy() &&
         !llvm::isa<llvm::AllocaInst>(load.getPointerOperand()->stripInBoundsOffsets());
}

} // namespace

void retain_reads(llvm::Module &module) {
  std::vector<llvm::LoadInst *> loads;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && is_retained(*load))
        loads.push_back(load);
  if (loads.empty())
    return;
  llvm::FunctionCallee user = module.getOrInsertFunction(
      kUser, llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), /*isVarArg=*/true));
  if (auto *function = llvm::dyn_cast<llvm::Function>(user.getCallee())) {
    function->setDoesNotThrow();
    function->setWillReturn();
    function->setOnlyAccessesInaccessibleMemory();
  }
  for (llvm::LoadInst *load : loads) {
    llvm::IRBuilder<> builder(load->getNextNode());
    builder.CreateCall(user, {load});
  }
}

void release_reads(llvm::Module &module) {
  llvm::Function *user = module.getFunction(kUser);
  if (!user)
    return;
  for (llvm::User *call : llvm::make_early_inc_range(user->users()))
    llvm::cast<llvm::Instruction>(call)->eraseFromParent();
  user->eraseFromParent();
}

} // namespace smem
