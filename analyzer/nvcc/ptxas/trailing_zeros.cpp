#include "nvcc/ptxas/trailing_zeros.h"

#include <algorithm>
#include <bit>

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace smem::lower {

unsigned TrailingZeros::of(const llvm::Value *value) {
  for (;;) {
    changed_ = false;
    known_.clear();
    const unsigned zeros = look_at(value);
    if (!changed_)
      return zeros;
  }
}

unsigned TrailingZeros::look_at(const llvm::Value *value) {
  const unsigned width = value->getType()->isPointerTy() ? 64 : value->getType()->getIntegerBitWidth();
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
  const unsigned supposed = phi ? phis_.try_emplace(phi, width).first->second : width;
  if (const auto [entry, first] = known_.try_emplace(value, supposed); !first)
    return entry->second;
  unsigned zeros = supposed;
  if (phi)
    for (const llvm::Value *incoming : phi->incoming_values())
      zeros = std::min(zeros, look_at(incoming));
  else
    zeros = std::min(width, value->getType()->isPointerTy() ? of_pointer(value) : of_operation(value, width));
  if (phi && zeros < supposed) {
    phis_[phi] = zeros;
    changed_ = true;
  }
  known_[value] = zeros;
  return zeros;
}

unsigned TrailingZeros::of_pointer(const llvm::Value *value) {
  if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
    return std::min(look_at(select->getTrueValue()), look_at(select->getFalseValue()));
  if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(value)) {
    unsigned zeros = look_at(gep->getPointerOperand());
    for (auto index = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); index != end; ++index) {
      if (index.getStructTypeOrNull())
        return std::min(zeros, llvm::Log2(value->getPointerAlignment(layout_)));
      const std::uint64_t stride = index.getSequentialElementStride(layout_).getFixedValue();
      zeros = std::min(zeros, look_at(index.getOperand()) + static_cast<unsigned>(std::countr_zero(stride)));
    }
    return zeros;
  }
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
  if (const auto offset = variable && offsets_ ? offsets_->find(variable) : SharedOffsets::const_iterator();
      variable && offsets_ && offset != offsets_->end())
    return static_cast<unsigned>(std::countr_zero(offset->second));
  return llvm::Log2(value->getPointerAlignment(layout_));
}

unsigned TrailingZeros::of_operation(const llvm::Value *value, unsigned width) {
  using namespace llvm::PatternMatch;
  const llvm::Value *a = nullptr, *b = nullptr;
  const llvm::APInt *c = nullptr;
  if (match(value, m_Add(m_Value(a), m_Value(b))) || match(value, m_Sub(m_Value(a), m_Value(b))) ||
      match(value, m_DisjointOr(m_Value(a), m_Value(b))) || match(value, m_Select(m_Value(), m_Value(a), m_Value(b))))
    return std::min(look_at(a), look_at(b));
  if (match(value, m_Mul(m_Value(a), m_APInt(c))))
    return look_at(a) + c->countr_zero();
  if (match(value, m_Shl(m_Value(a), m_APInt(c))) && c->ult(width))
    return look_at(a) + static_cast<unsigned>(c->getZExtValue());
  if (match(value, m_ZExt(m_Value(a))) || match(value, m_SExt(m_Value(a))) || match(value, m_Trunc(m_Value(a))))
    return look_at(a);
  // ptxas knows nothing of the result, whatever the two are: of 12 variants (signed, unsigned, variable, constant) none merges.
  if (llvm::isa<llvm::MinMaxIntrinsic>(value))
    return 0;
  return llvm::computeKnownBits(value, layout_).countMinTrailingZeros();
}

} // namespace smem::lower
