#include "nvcc/cicc/once_written_variables.h"

#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "nvcc/facts/machine.h"

namespace smem {
namespace {

struct Accesses {
  std::vector<llvm::LoadInst *> loads;
  std::vector<llvm::StoreInst *> stores;
};

/// Gathers what is done with `pointer`; false if that is more than loads and stores of all of `type`.
bool gather(llvm::Value &pointer, const llvm::Type &type, Accesses &accesses) {
  for (llvm::User *user : pointer.users()) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType() == &type) {
      accesses.loads.push_back(load);
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
               store && store->getValueOperand() != &pointer && store->getValueOperand()->getType() == &type) {
      accesses.stores.push_back(store);
    } else if (!llvm::isa<llvm::AddrSpaceCastOperator>(user) || !gather(*user, type, accesses)) {
      return false;
    }
  }
  return true;
}

} // namespace

bool replace_once_written(llvm::Module &module) {
  bool any = false;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != kShared || !variable.hasLocalLinkage() ||
        !variable.getValueType()->isSingleValueType())
      continue;
    Accesses accesses;
    if (!gather(variable, *variable.getValueType(), accesses) || accesses.stores.empty())
      continue;
    auto *value = llvm::dyn_cast<llvm::ConstantData>(accesses.stores.front()->getValueOperand());
    if (!value ||
        llvm::any_of(accesses.stores, [&](const llvm::StoreInst *store) { return store->getValueOperand() != value; }))
      continue;
    for (llvm::LoadInst *load : accesses.loads) {
      load->replaceAllUsesWith(value);
      load->eraseFromParent();
    }
    for (llvm::StoreInst *store : accesses.stores)
      store->eraseFromParent();
    any = true;
  }
  return any;
}

} // namespace smem
