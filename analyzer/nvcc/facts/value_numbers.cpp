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

constexpr unsigned kDeepest = 200;                  ///< operations within operations
constexpr std::size_t kMostValuesOfSum = 32;        ///< a longer one is a term of others
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
  const Sum &sum = sum_of(value);
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

const ValueNumbers::Sum &ValueNumbers::sum_of(const llvm::Value &value) {
  if (const auto known = sums_.find(&value); known != sums_.end())
    return known->second;
  const bool deep = depth_ >= kDeepest;
  ++depth_;
  Sum sum = deep ? Sum{0, {{number_of({tag_of(Made::Itself), tag_of(&value)}), 1}}} : computed_sum(value);
  --depth_;
  std::erase_if(sum.factors, [](const auto &factor) { return factor.second == 0; });
  if (sum.factors.size() > kMostValuesOfSum)
    sum = Sum{0, {{number_of({tag_of(Made::Itself), tag_of(&value)}), 1}}};
  return sums_.try_emplace(&value, std::move(sum)).first->second;
}

ValueNumbers::Sum ValueNumbers::computed_sum(const llvm::Value &value) {
  using namespace llvm::PatternMatch;
  const llvm::Value *x = nullptr, *y = nullptr;
  const llvm::APInt *c = nullptr;
  const auto low = [](const llvm::APInt &number) {
    return static_cast<std::uint32_t>(number.sextOrTrunc(32).getZExtValue());
  };
  Sum sum;
  const auto add = [&](const llvm::Value &part, std::uint32_t factor) {
    const Sum &more = sum_of(part);
    sum.constant += factor * more.constant;
    for (const auto &[term, times] : more.factors)
      sum.factors[term] += factor * times;
  };
  if (match(&value, m_APInt(c))) {
    sum.constant = low(*c);
    return sum;
  }
  if (const llvm::Value *from = looked_through(value)) {
    add(*from, 1);
  } else if (match(&value, m_Add(m_Value(x), m_Value(y))) || match(&value, m_DisjointOr(m_Value(x), m_Value(y)))) {
    add(*x, 1);
    add(*y, 1);
  } else if (match(&value, m_Sub(m_Value(x), m_Value(y)))) {
    add(*x, 1);
    add(*y, ~0U);
  } else if (match(&value, m_Mul(m_Value(x), m_APInt(c)))) {
    add(*x, low(*c));
  } else if (match(&value, m_Shl(m_Value(x), m_APInt(c))) && c->ult(32)) {
    add(*x, 1U << c->getZExtValue());
  } else if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&value)) {
    const unsigned width = layout_.getIndexTypeSizeInBits(gep->getType());
    llvm::MapVector<llvm::Value *, llvm::APInt> scales;
    llvm::APInt constant(width, 0);
    if (gep->collectOffset(layout_, width, scales, constant)) {
      sum.constant = low(constant);
      for (const auto &[index, scale] : scales)
        add(*index, low(scale));
      add(*gep->getPointerOperand(), 1);
    } else {
      sum.factors[of_term(value)] += 1;
    }
  } else {
    sum.factors[of_term(value)] += 1;
  }
  return sum;
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
  return terms_[&value] = number;
}

ValueNumbers::Number ValueNumbers::of_operation(const llvm::Instruction &instruction) {
  const auto *comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction);
  const std::uint64_t kind =
      comparison ? static_cast<std::uint64_t>(comparison->getPredicate()) : tag_of(instruction.getType());
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
