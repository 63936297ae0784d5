#include "nvcc/cicc/vectoriser_borders.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/libdevice_branches.h"
#include "nvcc/ptxas/inline_ptx_accesses.h"

namespace smem::lower {

namespace {

const llvm::InlineAsm *inline_ptx(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
}

/// What reads a texture is inline PTX to Clang alone, or a function that is only declared.
bool reads_texture(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (const llvm::Function *called = call ? call->getCalledFunction() : nullptr)
    return called->isDeclaration() && !called->isIntrinsic() && call->onlyReadsMemory() && !call->doesNotAccessMemory();
  const llvm::InlineAsm *assembly = inline_ptx(instruction);
  return assembly && llvm::StringRef(assembly->getAsmString()).starts_with("tex.");
}

/// Arrays; of one that no other pointer leads to it has to be said that it is read.
std::vector<llvm::Value *> what_is_stored_to(llvm::Function &kernel) {
  llvm::SetVector<llvm::Value *> arrays;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      if (auto *array = llvm::getUnderlyingObject(store->getPointerOperand());
          llvm::isa<llvm::Argument, llvm::GlobalVariable>(array))
        arrays.insert(array);
  return {arrays.begin(), arrays.end()};
}

} // namespace

bool is_vectoriser_border(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) || was_inline_ptx(instruction) ||
      is_blocks_to_cicc(instruction))
    return true;
  return inline_ptx(instruction) && !reads_texture(instruction);
}

VectoriserBorders::VectoriserBorders(llvm::Function &kernel) {
  std::vector<llvm::Instruction *> borders, readers;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (is_vectoriser_border(instruction))
      borders.push_back(&instruction);
    else if (reads_texture(instruction))
      readers.push_back(&instruction);
    else if (store && store->isVolatile() && !store->isAtomic())
      volatile_.push_back(store);
  }
  mark(borders, llvm::MemoryEffects::none(), {});
  mark(readers, llvm::MemoryEffects::readOnly(), what_is_stored_to(kernel));
  for (llvm::StoreInst *store : volatile_) {
    store->setVolatile(false);
    store->setOrdering(llvm::AtomicOrdering::Unordered);
  }
}

void VectoriserBorders::mark(const std::vector<llvm::Instruction *> &at, llvm::MemoryEffects effects,
                             const std::vector<llvm::Value *> &read) {
  if (at.empty())
    return;
  llvm::Function &kernel = *at.front()->getFunction();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(kernel.getContext()), /*isVarArg=*/true);
  auto *border =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "smem_lint.border", kernel.getParent());
  border->setMemoryEffects(effects);
  border->setDoesNotThrow();
  if (effects != llvm::MemoryEffects::none())
    border->setWillReturn();
  for (llvm::Instruction *instruction : at)
    calls_.push_back(llvm::IRBuilder<>(instruction).CreateCall(border, read));
  functions_.push_back(border);
}

void VectoriserBorders::take_out() {
  for (llvm::CallInst *call : calls_)
    call->eraseFromParent();
  calls_.clear();
  for (llvm::Function *border : functions_)
    border->eraseFromParent();
  functions_.clear();
  for (llvm::StoreInst *store : volatile_) {
    store->setOrdering(llvm::AtomicOrdering::NotAtomic);
    store->setVolatile(true);
  }
  volatile_.clear();
}

} // namespace smem::lower
