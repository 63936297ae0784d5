#include "nvcc/cicc/handed_on.h"

#include <algorithm>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/libdevice_branches.h"

namespace smem {
namespace {

/// Loads and stores of the function's variables, which hold its arguments before anything is optimised.
bool is_of_variable(const llvm::Instruction &instruction) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer && llvm::isa<llvm::AllocaInst>(pointer->stripPointerCasts());
}

/// One of libdevice's, LLVM's own in its place, or a function that hands on to one.
bool is_promised(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && call.onlyReadsMemory() &&
         (branches_of(call) != Branches::None || callee->getName().starts_with("__nv_") || !callee->isDeclaration());
}

/// The one call of a function that does nothing else; null of others.
const llvm::CallBase *handed_on_by(llvm::Function &function) {
  const llvm::CallBase *only = nullptr;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::AllocaInst, llvm::ReturnInst, llvm::CastInst>(instruction) || is_of_variable(instruction))
      continue;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || only || !is_promised(*call) || call->arg_size() != function.arg_size())
      return nullptr;
    only = call;
  }
  // A pointer that is handed on leads to what the function around does not name.
  return only && std::ranges::none_of(function.args(),
                                      [](const llvm::Argument &argument) { return argument.getType()->isPointerTy(); })
             ? only
             : nullptr;
}

} // namespace

void promise_where_handed_on(llvm::Module &module) {
  bool changed = true;
  while (changed) { // from the inner ones outwards, wherever they stand
    changed = false;
    for (llvm::Function &function : module) {
      const llvm::CallBase *call =
          function.isDeclaration() || function.onlyReadsMemory() ? nullptr : handed_on_by(function);
      if (!call)
        continue;
      function.setMemoryEffects(call->getMemoryEffects());
      changed = true;
    }
  }
}

} // namespace smem
