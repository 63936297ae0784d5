#include "nvcc/ptxas/stores_elsewhere.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/between.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

// Of one kernel; loads beyond are uncertain.
constexpr unsigned kMostValuesCompared = 4096;     ///< addresses
constexpr unsigned kMostValuesVisited = 1'000'000; ///< instructions between two accesses
constexpr std::size_t kMostValuesBack = 64;        ///< earlier accesses that are asked for one that dominates a load

/// A number of bytes as a constant and multiples of numbers. How an index is extended makes no difference in shared memory, whose addresses have 32 bits.
class Bytes {
public:
  Bytes(const llvm::SCEV &sum, llvm::ScalarEvolution &evolution, const llvm::DataLayout &layout)
      : evolution_(evolution), layout_(layout) {
    add(sum, 1);
  }

  /// What divides all but the constant, and the constant by it; 0 where there is nothing else. Nothing where a number is too large.
  std::optional<std::pair<std::int64_t, std::int64_t>> divisor_and_rest() const {
    if (lost_)
      return std::nullopt;
    std::int64_t divisor = 0, constant = constant_;
    for (const auto &[term, factor] : factors_)
      if (factor != 0) {
        const auto [multiple, low] = known_of(*term);
        divisor = std::gcd(divisor, multiple * factor);
        constant += low * factor;
      }
    return std::pair(divisor, divisor == 0 ? 0 : ((constant % divisor) + divisor) % divisor);
  }

private:
  /// What no shared memory is as large as.
  static constexpr std::int64_t kMostBytes = std::int64_t{1} << 32;

  static std::optional<std::int64_t> number_of(const llvm::SCEVConstant &constant) {
    const std::optional<std::int64_t> number = constant.getAPInt().trySExtValue();
    return number && *number > -kMostBytes && *number < kMostBytes ? number : std::nullopt;
  }

  void add(const llvm::SCEV &sum, std::int64_t factor) {
    if (factor <= -kMostBytes || factor >= kMostBytes) {
      lost_ = true;
      return;
    }
    const auto *cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(&sum);
    const auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(&sum);
    const auto *number = product ? llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0)) : nullptr;
    if (const auto *alone = llvm::dyn_cast<llvm::SCEVConstant>(&sum)) {
      const std::optional<std::int64_t> value = number_of(*alone);
      lost_ |=
          !value || llvm::MulOverflow(factor, *value, product_) || llvm::AddOverflow(constant_, product_, constant_);
    } else if (const auto *terms = llvm::dyn_cast<llvm::SCEVAddExpr>(&sum)) {
      for (const llvm::SCEV *term : terms->operands())
        add(*term, factor);
    } else if (cast && !llvm::isa<llvm::SCEVTruncateExpr>(cast)) {
      add(*cast->getOperand(), factor);
    } else if (const auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&sum); counter && counter->isAffine()) {
      add(*counter->getStart(), factor);
      factors_[counter->getStepRecurrence(evolution_)] += factor;
    } else if (number && product->getNumOperands() == 2) {
      const std::optional<std::int64_t> value = number_of(*number);
      if (lost_ |= !value || llvm::MulOverflow(factor, *value, product_); !lost_)
        add(*product->getOperand(1), product_);
    } else {
      factors_[&sum] += factor;
    }
  }

  /// What `term` is a multiple of, and the number beyond: bits that are known to be set.
  std::pair<std::int64_t, std::int64_t> known_of(const llvm::SCEV &term) const {
    if (const auto *value = llvm::dyn_cast<llvm::SCEVUnknown>(&term)) {
      const llvm::KnownBits known = llvm::computeKnownBits(value->getValue(), layout_);
      const unsigned bits = std::min((known.Zero | known.One).countr_one(), kMostValuesBits);
      return {std::int64_t{1} << bits, static_cast<std::int64_t>(known.One.getLoBits(bits).getLimitedValue())};
    }
    return {static_cast<std::int64_t>(evolution_.getConstantMultiple(&term).getLimitedValue(1U << kMostValuesBits)), 0};
  }

  static constexpr unsigned kMostValuesBits = 20;

  llvm::ScalarEvolution &evolution_;
  const llvm::DataLayout &layout_;
  bool lost_ = false; ///< a number is too large
  std::int64_t product_ = 0, constant_ = 0;
  std::map<const llvm::SCEV *, std::int64_t> factors_;
};

std::int64_t bytes_of(const llvm::Instruction &access) {
  llvm::Type *type = llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&access));
  return static_cast<std::int64_t>(access.getDataLayout().getTypeStoreSize(type).getFixedValue());
}

} // namespace

bool StoresElsewhere::is_elsewhere(const llvm::Instruction &instruction, const SourceAccess &access) {
  if (++visited_ > kMostValuesVisited)
    return true;
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (!store || llvm::getUnderlyingObject(store->getPointerOperand()) != llvm::getUnderlyingObject(access.pointer))
    return false;
  if (++compared_ > kMostValuesCompared)
    return true;
  const llvm::SCEV *apart =
      evolution_.getMinusSCEV(evolution_.getSCEV(const_cast<llvm::StoreInst *>(store)->getPointerOperand()),
                              evolution_.getSCEV(access.pointer));
  if (llvm::isa<llvm::SCEVCouldNotCompute>(apart))
    return false;
  const auto known = Bytes(*apart, evolution_, instruction.getDataLayout()).divisor_and_rest();
  if (!known)
    return true;
  const auto [divisor, rest] = *known;
  return rest >= bytes_of(*access.instruction) && rest + bytes_of(*store) <= divisor;
}

void StoresElsewhere::note(const std::vector<const SourceAccess *> &accesses) {
  using Kind = AccessLocation::Kind;
  for (std::size_t at = 1; at < accesses.size(); ++at) {
    const SourceAccess &load = *accesses[at];
    if (load.location.kind != Kind::Load)
      continue;
    for (std::size_t back = 1; back <= std::min(at, kMostValuesBack); ++back) {
      const SourceAccess &first = *accesses[at - back];
      if (first.location.kind == Kind::Atomic || !tree_.dominates(first.instruction, load.instruction))
        continue;
      if (any_between(*first.instruction, *load.instruction,
                      [&](const llvm::Instruction &between) { return is_elsewhere(between, load); }))
        raise_uncertainty(Uncertainty::RedundantAccess, kernel_, load.location);
      break;
    }
  }
}

} // namespace smem::lower
