#include "nvcc/facts/value_numbers.h"

#include <algorithm>
#include <iterator>

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace smem {
namespace {

enum class Made : std::uint64_t { Itself, OfSum, OfOperation };

constexpr unsigned kDeepestSum = 32;                ///< additions within additions
constexpr auto kBesideOperands = std::ptrdiff_t{3}; ///< entries of an operation's key

std::uint64_t tag_of(Made made) { return static_cast<std::uint64_t>(made); }
std::uint64_t tag_of(const void *pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

unsigned unsigned_opcode(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::SDiv: return llvm::Instruction::UDiv;
  case llvm::Instruction::SRem: return llvm::Instruction::URem;
  case llvm::Instruction::AShr: return llvm::Instruction::LShr;
  default: return opcode;
  }
}

/// Of what is extended, truncated or cast between the widths that indices and addresses are computed in, that.
const llvm::Value *looked_through(const llvm::Value &value) {
  const auto *cast = llvm::dyn_cast<llvm::Operator>(&value);
  if (!cast || (!value.getType()->isPointerTy() && value.getType()->getScalarSizeInBits() < 32))
    return nullptr;
  switch (cast->getOpcode()) {
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::AddrSpaceCast: return cast->getOperand(0);
  default: return nullptr;
  }
}

} // namespace

ValueNumbers::Number ValueNumbers::of(const llvm::Value &value) {
  if (const auto known = known_.find(&value); known != known_.end())
    return known->second;
  Sum sum;
  add(value, 1, 0, sum);
  std::erase_if(sum.factors, [](const auto &factor) { return factor.second == 0; });
  const auto number = [&] {
    if (sum.constant == 0 && sum.factors.size() == 1 && sum.factors.begin()->second == 1)
      return sum.factors.begin()->first;
    Key key{tag_of(Made::OfSum), sum.constant};
    for (const auto &[term, factor] : sum.factors) {
      key.push_back(term);
      key.push_back(factor);
    }
    return number_of(std::move(key));
  }();
  known_.try_emplace(&value, number);
  return number;
}

void ValueNumbers::add(const llvm::Value &value, std::uint32_t factor, unsigned depth, Sum &sum) {
  using namespace llvm::PatternMatch;
  const llvm::Value *x = nullptr, *y = nullptr;
  const llvm::APInt *c = nullptr;
  const auto low = [](const llvm::APInt &number) {
    return static_cast<std::uint32_t>(number.sextOrTrunc(32).getZExtValue());
  };
  if (match(&value, m_APInt(c))) {
    sum.constant += factor * low(*c);
  } else if (depth > kDeepestSum) {
    sum.factors[of_term(value)] += factor;
  } else if (const llvm::Value *from = looked_through(value)) {
    add(*from, factor, depth + 1, sum);
  } else if (match(&value, m_Add(m_Value(x), m_Value(y))) || match(&value, m_DisjointOr(m_Value(x), m_Value(y)))) {
    add(*x, factor, depth + 1, sum);
    add(*y, factor, depth + 1, sum);
  } else if (match(&value, m_Sub(m_Value(x), m_Value(y)))) {
    add(*x, factor, depth + 1, sum);
    add(*y, -factor, depth + 1, sum);
  } else if (match(&value, m_Mul(m_Value(x), m_APInt(c)))) {
    add(*x, factor * low(*c), depth + 1, sum);
  } else if (match(&value, m_Shl(m_Value(x), m_APInt(c))) && c->ult(32)) {
    add(*x, factor << c->getZExtValue(), depth + 1, sum);
  } else if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&value)) {
    const unsigned width = layout_.getIndexTypeSizeInBits(gep->getType());
    llvm::MapVector<llvm::Value *, llvm::APInt> scales;
    llvm::APInt constant(width, 0);
    if (!gep->collectOffset(layout_, width, scales, constant)) {
      sum.factors[of_term(value)] += factor;
      return;
    }
    sum.constant += factor * low(constant);
    for (const auto &[index, scale] : scales)
      add(*index, factor * low(scale), depth + 1, sum);
    add(*gep->getPointerOperand(), factor, depth + 1, sum);
  } else {
    sum.factors[of_term(value)] += factor;
  }
}

ValueNumbers::Number ValueNumbers::of_term(const llvm::Value &value) {
  if (const auto known = terms_.find(&value); known != terms_.end())
    return known->second;
  if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&value))
    return of_phi(*phi);
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  const bool is_operation =
      instruction && (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(instruction) ||
                      (call && call->doesNotAccessMemory() && !call->isConvergent())); // such as reads of %ctaid
  const Number number = is_operation ? of_operation(*instruction) : number_of({tag_of(Made::Itself), tag_of(&value)});
  terms_.try_emplace(&value, number);
  return number;
}

ValueNumbers::Number ValueNumbers::of_operation(const llvm::Instruction &instruction) {
  const auto *comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction);
  const std::uint64_t kind = comparison ? comparison->getPredicate() : tag_of(instruction.getType());
  Key key{tag_of(Made::OfOperation), unsigned_opcode(instruction.getOpcode()),
          llvm::isa<llvm::BinaryOperator>(instruction) ? 0 : kind};
  for (const llvm::Value *operand : instruction.operands())
    key.push_back(of(*operand));
  if (instruction.isCommutative() && std::ssize(key) == kBesideOperands + 2)
    std::sort(key.begin() + kBesideOperands, key.end());
  return number_of(std::move(key));
}

/// Where all that come together have one number, it is theirs. A value that comes round a loop is one of its own.
ValueNumbers::Number ValueNumbers::of_phi(const llvm::PHINode &phi) {
  const Number own = number_of({tag_of(Made::Itself), tag_of(&phi)});
  terms_[&phi] = own;
  const Number first = of(*phi.getIncomingValue(0));
  const bool one = std::all_of(phi.op_begin(), phi.op_end(), [&](llvm::Value *value) { return of(*value) == first; });
  return terms_[&phi] = one ? first : own;
}

} // namespace smem
