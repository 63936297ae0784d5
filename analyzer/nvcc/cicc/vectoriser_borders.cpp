#include "nvcc/cicc/vectoriser_borders.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/libdevice_branches.h"
#include "nvcc/ptxas/inline_ptx_accesses.h"

namespace smem::lower {

bool is_vectoriser_border(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) || was_inline_ptx(instruction) ||
      branches_of(instruction) > Branches::Late)
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  // What reads a texture is inline PTX to Clang alone.
  return assembly && !llvm::StringRef(assembly->getAsmString()).starts_with("tex.");
}

VectoriserBorders::VectoriserBorders(llvm::Function &kernel) {
  std::vector<llvm::Instruction *> borders;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (is_vectoriser_border(instruction))
      borders.push_back(&instruction);
  if (borders.empty())
    return;
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(kernel.getContext()), false);
  auto *border =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "smem_lint.border", kernel.getParent());
  border->setDoesNotAccessMemory();
  border->setDoesNotThrow();
  for (llvm::Instruction *instruction : borders)
    calls_.push_back(llvm::IRBuilder<>(instruction).CreateCall(border));
}

void VectoriserBorders::take_out() {
  if (calls_.empty())
    return;
  llvm::Function *border = calls_.front()->getCalledFunction();
  for (llvm::CallInst *call : calls_)
    call->eraseFromParent();
  calls_.clear();
  border->eraseFromParent();
}

} // namespace smem::lower
