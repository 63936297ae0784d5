#include "nvcc/ptxas/volatile_locals.h"

#include <vector>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace smem::lower {
namespace {

/// The accesses through `pointer`, into `accesses`; false where it is used otherwise.
bool collect_accesses(llvm::Value &pointer, std::vector<llvm::Instruction *> &accesses) {
  return llvm::all_of(pointer.uses(), [&](const llvm::Use &use) {
    llvm::User *user = use.getUser();
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
        llvm::isa<llvm::LoadInst>(user) || (store && use.getOperandNo() == store->getPointerOperandIndex())) {
      accesses.push_back(llvm::cast<llvm::Instruction>(user));
      return true;
    }
    if (const auto *part = llvm::dyn_cast<llvm::GetElementPtrInst>(user); part && part->hasAllConstantIndices())
      return collect_accesses(*user, accesses);
    if (llvm::isa<llvm::AddrSpaceCastInst>(user))
      return collect_accesses(*user, accesses);
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return intrinsic && intrinsic->isLifetimeStartOrEnd();
  });
}

} // namespace

bool release_volatile_locals(llvm::Function &kernel) {
  bool any = false;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    std::vector<llvm::Instruction *> accesses;
    if (!variable || !collect_accesses(*variable, accesses))
      continue;
    for (llvm::Instruction *access : accesses) {
      any |= access->isVolatile();
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(access))
        load->setVolatile(false);
      else
        llvm::cast<llvm::StoreInst>(access)->setVolatile(false);
    }
  }
  return any;
}

} // namespace smem::lower
