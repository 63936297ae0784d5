#include "nvcc/ptxas/repeated_products.h"

#include <vector>

#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

namespace smem::lower {
namespace {

bool is_product(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return assembly && llvm::StringRef(assembly->getAsmString()).contains("wgmma.mma_async");
}

/// What goes in, without the accumulators, which are outputs as well, and without constants, which are scales.
std::vector<const llvm::Value *> operands_of(const llvm::CallBase &product) {
  std::vector<const llvm::Value *> operands;
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo &constraint :
       llvm::cast<llvm::InlineAsm>(product.getCalledOperand())->ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isClobber ||
        (constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect))
      continue;
    const llvm::Value *value = product.getArgOperand(argument++);
    unsigned tied = 0;
    const bool accumulator = !constraint.Codes.empty() && !llvm::StringRef(constraint.Codes[0]).getAsInteger(10, tied);
    if (!accumulator && !llvm::isa<llvm::Constant>(value))
      operands.push_back(value);
  }
  return operands;
}

bool alike(const llvm::CallBase &a, const llvm::CallBase &b) { return operands_of(a) == operands_of(b); }

/// Ends the stretch in which products are compared.
bool is_boundary(const llvm::Instruction &instruction) {
  return instruction.mayHaveSideEffects() && !is_product(instruction);
}

/// The block is a loop by itself, in which nothing but products has an effect and which does not change what they work on.
bool repeats_itself(const llvm::CallBase &product) {
  const llvm::BasicBlock *block = product.getParent();
  if (llvm::find(llvm::successors(block), block) == llvm::succ_end(block))
    return false;
  for (const llvm::Instruction &instruction : *block)
    if (is_boundary(instruction))
      return false;
  for (const llvm::Value *operand : operands_of(product))
    if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
        instruction && instruction->getParent() == block)
      return false;
  return true;
}

} // namespace

bool may_be_left_out(const llvm::CallBase &product) {
  for (const llvm::Instruction *other = product.getPrevNode(); other && !is_boundary(*other);
       other = other->getPrevNode())
    if (is_product(*other) && alike(product, llvm::cast<llvm::CallBase>(*other)))
      return true;
  for (const llvm::Instruction *other = product.getNextNode(); other && !is_boundary(*other);
       other = other->getNextNode())
    if (is_product(*other) && alike(product, llvm::cast<llvm::CallBase>(*other)))
      return true;
  return repeats_itself(product);
}

} // namespace smem::lower
