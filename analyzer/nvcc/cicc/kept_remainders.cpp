#include "nvcc/cicc/kept_remainders.h"

#include <llvm/IR/Analysis.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>

namespace smem {
namespace {

/// The product that a remainder by a factor of its own is of; null: it is none.
llvm::BinaryOperator *product_of(const llvm::Instruction &instruction) {
  using namespace llvm::PatternMatch;
  if (instruction.getOpcode() != llvm::Instruction::SRem && instruction.getOpcode() != llvm::Instruction::URem)
    return nullptr;
  auto *product = llvm::dyn_cast<llvm::BinaryOperator>(instruction.getOperand(0));
  if (!product || product->getOpcode() != llvm::Instruction::Mul)
    return nullptr;
  const llvm::Value *divisor = instruction.getOperand(1);
  const llvm::APInt *factor = nullptr, *by = nullptr;
  if (!match(divisor, m_APInt(by)))
    return product->getOperand(0) == divisor || product->getOperand(1) == divisor ? product : nullptr;
  return match(product->getOperand(1), m_APInt(factor)) && !by->isZero() && !by->abs().isPowerOf2() &&
                 factor->srem(*by).isZero()
             ? product
             : nullptr;
}

void forget_wrapping(llvm::BinaryOperator &product) {
  product.setHasNoSignedWrap(false);
  product.setHasNoUnsignedWrap(false);
}

} // namespace

void ForgetFactors::before(llvm::Function &function) {
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::BinaryOperator *product = product_of(instruction))
      forget_wrapping(*product);
}

void HideProducts::before(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::BinaryOperator *product = product_of(instruction)) {
      llvm::IRBuilder<> builder(&instruction);
      llvm::CallInst *hidden = builder.CreateIntrinsic(llvm::Intrinsic::expect, {product->getType()},
                                                       {product, llvm::Constant::getNullValue(product->getType())});
      instruction.setOperand(0, hidden);
      hidden_.emplace_back(hidden);
    }
}

void HideProducts::after(llvm::Function &, const llvm::PreservedAnalyses &) {
  for (const llvm::WeakVH &value : hidden_)
    if (auto *hidden = llvm::cast_or_null<llvm::CallInst>(static_cast<llvm::Value *>(value))) {
      llvm::Value *product = hidden->getArgOperand(0);
      hidden->replaceAllUsesWith(product);
      hidden->eraseFromParent();
      if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(product);
          operation && operation->getOpcode() == llvm::Instruction::Mul)
        forget_wrapping(*operation);
    }
}

} // namespace smem
