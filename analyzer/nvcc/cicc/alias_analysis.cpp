#include "nvcc/cicc/alias_analysis.h"

#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/GlobalsModRef.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TypeBasedAliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Target/TargetMachine.h>

#include "nvcc/facts/libdevice_branches.h"

namespace smem {
namespace {

using namespace llvm::PatternMatch;

/// How deep sums within indices are looked through, as LLVM does.
constexpr unsigned kDepth = 6;

/// An address or an index as a sum: of a base, bytes, and numbers with the bytes that each counts. Of extended sums the terms, where these cannot wrap.
struct Distance {
  const llvm::Value *base = nullptr;
  std::int64_t bytes = 0;
  std::map<const llvm::Value *, std::int64_t> terms;
  std::set<const llvm::Value *> inexact; ///< of these terms what is left of several, or what may wrap
  bool wraps = false;                    ///< a constant is taken out of what may wrap as well

  void add_index(const llvm::Value *value, std::int64_t factor, bool is_signed, unsigned depth = 0) {
    const llvm::Value *left = nullptr;
    const llvm::APInt *constant = nullptr;
    const auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value);
    const bool exactly = sum && (is_signed ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
    const bool stays = !extended_ || exactly;
    const bool exactly_before = std::exchange(exactly_, exactly_ && (exactly || !sum)); // of the operands
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value); number && number->getBitWidth() <= 64) {
      bytes += factor * (is_signed ? number->getSExtValue() : static_cast<std::int64_t>(number->getZExtValue()));
    } else if (depth == kDepth) {
      add_term(value, factor, exactly_before);
    } else if (match(value, m_SExt(m_Value(left))) || match(value, m_ZExt(m_Value(left)))) {
      const bool before = std::exchange(extended_, true);
      add_index(left, factor, llvm::isa<llvm::SExtInst>(value), depth + 1);
      extended_ = before;
    } else if (match(value, m_DisjointOr(m_Value(left), m_APInt(constant)))) {
      bytes += factor * constant->getSExtValue();
      add_index(left, factor, is_signed, depth + 1);
    } else if (const llvm::Value *right = nullptr; stays && match(value, m_Add(m_Value(left), m_Value(right)))) {
      add_index(left, factor, is_signed, depth + 1);
      add_index(right, factor, is_signed, depth + 1);
    } else if (const llvm::Value *less = nullptr; stays && match(value, m_Sub(m_Value(left), m_Value(less)))) {
      add_index(left, factor, is_signed, depth + 1);
      add_index(less, -factor, is_signed, depth + 1);
    } else if (wraps && match(value, m_Add(m_Value(left), m_APInt(constant))) && constant->getBitWidth() <= 64) {
      bytes += factor * constant->getSExtValue();
      add_index(left, factor, is_signed, depth + 1);
    } else if ((stays || wraps) && match(value, m_Mul(m_Value(left), m_APInt(constant))) &&
               constant->getBitWidth() <= 64) {
      add_index(left, factor * constant->getSExtValue(), is_signed, depth + 1);
    } else if ((stays || wraps) && match(value, m_Shl(m_Value(left), m_APInt(constant))) && constant->ult(32)) {
      add_index(left, factor << constant->getZExtValue(), is_signed, depth + 1);
    } else {
      add_term(value, factor, exactly_before);
    }
    exactly_ = exactly_before;
  }

private:
  void add_term(const llvm::Value *value, std::int64_t factor, bool exactly) {
    const auto [term, fresh] = terms.try_emplace(value, factor);
    if (!fresh)
      term->second += factor;
    if (!fresh || !exactly)
      inexact.insert(value);
  }

  bool extended_ = false, exactly_ = true;
};

Distance distance_of(const llvm::Value &pointer, const llvm::DataLayout &layout, bool wraps) {
  Distance result;
  result.wraps = wraps;
  result.base = pointer.stripPointerCasts();
  while (const auto *step = llvm::dyn_cast<llvm::GEPOperator>(result.base)) {
    const unsigned bits = layout.getIndexTypeSizeInBits(step->getType());
    llvm::MapVector<llvm::Value *, llvm::APInt> variables;
    llvm::APInt constant(bits, 0);
    if (!step->collectOffset(layout, bits, variables, constant))
      break;
    result.bytes += constant.getSExtValue();
    for (const auto &[variable, factor] : variables)
      result.add_index(variable, factor.getSExtValue(), /*is_signed=*/true);
    result.base = step->getPointerOperand()->stripPointerCasts();
  }
  return result;
}

/// From `second` to `first`; nothing where these have two bases.
std::optional<Distance> between(const llvm::Value &first, const llvm::Value &second, const llvm::DataLayout &layout,
                                bool wraps) {
  Distance apart = distance_of(first, layout, wraps);
  const Distance other = distance_of(second, layout, wraps);
  if (apart.base != other.base)
    return std::nullopt;
  apart.bytes -= other.bytes;
  for (const auto &[term, factor] : other.terms) {
    const auto [mine, fresh] = apart.terms.try_emplace(term, -factor);
    if (!fresh)
      mine->second -= factor;
    if (!fresh || other.inexact.contains(term))
      apart.inexact.insert(term);
  }
  std::erase_if(apart.terms, [](const auto &term) { return term.second == 0; });
  return apart;
}

} // namespace

llvm::ModRefInfo BasicAliasResult::getModRefInfo(const llvm::CallBase *call, const llvm::MemoryLocation &location,
                                                 llvm::AAQueryInfo &query) {
  // A table is a variable of libdevice's own; beside it there is what the arguments lead to.
  const llvm::Value *object = llvm::getUnderlyingObject(location.Ptr);
  const auto is_another = [&](const llvm::Value *argument) {
    const llvm::Value *other = argument->getType()->isPointerTy() ? llvm::getUnderlyingObject(argument) : nullptr;
    return !other || (other != object && llvm::isIdentifiedObject(other));
  };
  if (branches_of(*call) == Branches::Table && llvm::isIdentifiedObject(object) &&
      llvm::all_of(call->args(), is_another))
    return llvm::ModRefInfo::NoModRef;
  return basic_.getModRefInfo(call, location, query);
}

bool BasicAliasResult::may_meet(const llvm::MemoryLocation &first, const llvm::MemoryLocation &second) const {
  if (!first.Size.hasValue() || !second.Size.hasValue() || first.Size.isScalable() || second.Size.isScalable())
    return false;
  // A constant distance of what may wrap LLVM of either age knows as well, the older one where both are one number and constants: not of `(x + 1) * 9 + y`, which is a sum of two.
  if (const std::optional<Distance> loosely = between(*first.Ptr, *second.Ptr, layout_, /*wraps=*/true);
      !loosely || loosely->terms.empty())
    return false;
  const Distance apart = *between(*first.Ptr, *second.Ptr, layout_, /*wraps=*/false);
  const auto size = static_cast<std::int64_t>(first.Size.getValue().getFixedValue()),
             behind = static_cast<std::int64_t>(second.Size.getValue().getFixedValue());
  if (apart.terms.empty())
    return false;
  // By what divides all terms: of a number that may wrap, its power of two.
  std::int64_t divisor = 0;
  bool rises = true, falls = true;
  for (const auto &[term, factor] : apart.terms) {
    constexpr std::int64_t kMostBytes =
        std::numeric_limits<std::int64_t>::max() / 2; // of what is larger, nothing is concluded
    const bool is_small = factor > -kMostBytes && factor < kMostBytes;
    divisor = std::gcd(divisor, !is_small ? 1 : apart.inexact.contains(term) ? factor & -factor : factor);
    const llvm::KnownBits known = llvm::computeKnownBits(term, layout_, 0, &assumptions_);
    const bool is_positive = known.isNonNegative() || llvm::isa<llvm::ZExtInst>(term);
    rises &= is_positive ? factor > 0 : known.isNegative() && factor < 0;
    falls &= is_positive ? factor < 0 : known.isNegative() && factor > 0;
  }
  const std::int64_t rest = ((apart.bytes % divisor) + divisor) % divisor;
  if (rest >= behind && size <= divisor - rest)
    return false;
  return !(rises && apart.bytes >= behind) && !(falls && -apart.bytes >= size);
}

llvm::AliasResult BasicAliasResult::alias(const llvm::MemoryLocation &first, const llvm::MemoryLocation &second,
                                          llvm::AAQueryInfo &query, const llvm::Instruction *context) {
  const llvm::AliasResult result = basic_.alias(first, second, query, context);
  if (result == llvm::AliasResult::NoAlias && may_meet(first, second))
    return llvm::AliasResult::MayAlias;
  return result;
}

llvm::AnalysisKey BasicAliases::Key;

BasicAliases::Result BasicAliases::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  auto &assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  const llvm::DataLayout &layout = function.getDataLayout();
  return {llvm::BasicAAResult(layout, function, analyses.getResult<llvm::TargetLibraryAnalysis>(function), assumptions,
                              /*DT=*/nullptr),
          layout, assumptions};
}

llvm::AAManager alias_analyses(llvm::TargetMachine &target) {
  llvm::AAManager result;
  result.registerFunctionAnalysis<BasicAliases>();
  result.registerFunctionAnalysis<llvm::ScopedNoAliasAA>();
  result.registerFunctionAnalysis<llvm::TypeBasedAA>();
  result.registerModuleAnalysis<llvm::GlobalsAA>();
  target.registerDefaultAliasAnalyses(result);
  return result;
}

} // namespace smem
