#include "nvcc/ptxas/common_addresses.h"

#include <algorithm>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/memory_order.h"
#include "nvcc/facts/read_only_memory.h"
#include "nvcc/ptxas/address_offset.h"
#include "nvcc/ptxas/straight_iterations.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

constexpr std::size_t kMostValuesOfLoop = 256; ///< accesses: each is compared with each

struct Stepped {
  SourceAccess access;
  const llvm::SCEV *address, *base, *offset; ///< the last of 32 bits: how an index is extended makes no difference here
};

/// LLVM writes `min(k + 1, 96)` as `min(k, 95) + 1`: as it was, in 32 bits and with what is added to a single minimum or maximum in it.
const llvm::SCEV *within_bounds(const llvm::SCEV *value, llvm::ScalarEvolution &evolution) {
  const llvm::SCEV *bounded = value;
  llvm::APInt added(evolution.getTypeSizeInBits(value->getType()), 0), factor = added + 1;
  if (const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(bounded); sum && sum->getNumOperands() == 2)
    if (const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(sum->getOperand(0)))
      added = constant->getAPInt(), bounded = sum->getOperand(1);
  if (const auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(bounded); product && product->getNumOperands() == 2)
    if (const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0)))
      factor = constant->getAPInt(), bounded = product->getOperand(1);
  if (const auto *part = llvm::dyn_cast<llvm::SCEVTruncateExpr>(bounded))
    bounded = part->getOperand();
  const auto *bound = llvm::dyn_cast<llvm::SCEVMinMaxExpr>(bounded);
  if (!bound || factor.isZero() || !added.srem(factor).isZero())
    return value;
  llvm::SmallVector<const llvm::SCEV *> operands;
  for (const llvm::SCEV *operand : bound->operands())
    operands.push_back(evolution.getAddExpr(evolution.getTruncateOrNoop(operand, value->getType()),
                                            evolution.getConstant(added.sdiv(factor))));
  return evolution.getMulExpr(evolution.getConstant(factor), evolution.getMinMaxExpr(bound->getSCEVType(), operands));
}

std::vector<Stepped> stepped_accesses(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  std::vector<Stepped> result;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      const std::optional<SourceAccess> access = access_of(instruction);
      if (!access || access->location.kind == AccessLocation::Kind::Atomic || !access->location.known())
        continue;
      const auto [base, offset] = base_and_offset(*access->pointer, evolution);
      if (!evolution.isLoopInvariant(offset, &loop))
        result.push_back({*access, evolution.getSCEV(access->pointer), base, within_bounds(offset, evolution)});
    }
  return result;
}

/// How many iterations two values are apart that are computed alike, from the counter of the loop on.
class Iterations {
public:
  Iterations(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) : loop_(loop), evolution_(evolution) {}

  std::optional<std::int64_t> between(const llvm::SCEV *one, const llvm::SCEV *other) {
    apart_.reset();
    steps_ = 0;
    return alike(one, other) ? apart_ : std::nullopt;
  }

private:
  static constexpr unsigned kMostValuesCompared = 64;

  bool alike(const llvm::SCEV *one, const llvm::SCEV *other) {
    if (one == other)
      return evolution_.isLoopInvariant(one, &loop_) || agree(0);
    if (++steps_ > kMostValuesCompared || one->getSCEVType() != other->getSCEVType() ||
        one->getType() != other->getType())
      return false;
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(one))
      return recurrence->getLoop() == &loop_ && stepped(*recurrence, *llvm::cast<llvm::SCEVAddRecExpr>(other));
    if (const auto *value = llvm::dyn_cast<llvm::SCEVUnknown>(one))
      return computed_alike(*value, *llvm::cast<llvm::SCEVUnknown>(other));
    const llvm::ArrayRef<const llvm::SCEV *> from = one->operands(), to = other->operands();
    return !from.empty() && from.size() == to.size() && llvm::all_of(llvm::zip(from, to), [&](const auto &pair) {
      return alike(std::get<0>(pair), std::get<1>(pair));
    });
  }

  bool agree(std::int64_t apart) {
    if (!apart_)
      apart_ = apart;
    return *apart_ == apart;
  }

  bool stepped(const llvm::SCEVAddRecExpr &one, const llvm::SCEVAddRecExpr &other) {
    if (!one.isAffine() || other.getLoop() != &loop_ ||
        one.getStepRecurrence(evolution_) != other.getStepRecurrence(evolution_))
      return false;
    const auto *step = llvm::dyn_cast<llvm::SCEVConstant>(one.getStepRecurrence(evolution_));
    const auto *distance = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(&other, &one));
    return step && distance && distance->getAPInt().srem(step->getAPInt()).isZero() &&
           agree(distance->getAPInt().sdiv(step->getAPInt()).getSExtValue());
  }

  /// Remainders, minima and the like of such values.
  bool computed_alike(const llvm::SCEVUnknown &one, const llvm::SCEVUnknown &other) {
    const auto *from = llvm::dyn_cast<llvm::Instruction>(one.getValue());
    const auto *to = llvm::dyn_cast<llvm::Instruction>(other.getValue());
    if (!from || !to || !from->isSameOperationAs(to) || from->mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(from))
      return false;
    return llvm::all_of(llvm::zip(from->operands(), to->operands()), [&](const auto &pair) {
      llvm::Value *a = std::get<0>(pair), *b = std::get<1>(pair);
      return evolution_.isSCEVable(a->getType()) ? alike(evolution_.getSCEV(a), evolution_.getSCEV(b)) : a == b;
    });
  }

  const llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  std::optional<std::int64_t> apart_;
  unsigned steps_ = 0;
};

std::vector<SourceAccess>
accesses_of_common_addresses(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, const CompilerRules &rules,
                             llvm::function_ref<bool(const SourceAccess &, const SourceAccess &, bool)> apart) {
  const std::vector<Stepped> accesses = stepped_accesses(loop, evolution);
  std::vector<SourceAccess> result;
  if (accesses.size() > kMostValuesOfLoop) { // too many to tell
    for (const Stepped &one : accesses)
      result.push_back(one.access);
    return result;
  }
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  const std::int64_t reach = trips ? trips : rules.unroll_count.value;
  Iterations iterations(loop, evolution);
  for (const Stepped &one : accesses) {
    const bool met = llvm::any_of(accesses, [&](const Stepped &other) {
      if (&other == &one || other.base != one.base)
        return false;
      const std::optional<std::int64_t> distance = iterations.between(one.offset, other.offset);
      // In one iteration LLVM finds those that it can tell to be equal, and cicc may tell more.
      return distance && std::abs(*distance) < reach &&
             (*distance != 0 ||
              (one.access.location.kind == other.access.location.kind && one.address != other.address)) &&
             !apart(one.access, other.access, *distance == 0);
    });
    if (met)
      result.push_back(one.access);
  }
  return result;
}

/// What stands between two accesses of a loop, in one iteration or in different ones, if there are barriers.
class Barriers {
public:
  Barriers(const llvm::Loop &loop, const llvm::DominatorTree &tree, const ReadOnlyMemory &read_only)
      : tree_(tree), read_only_(read_only) {
    for (const llvm::BasicBlock *block : loop.blocks())
      if (loop.getLoopLatch() && tree.dominates(block, loop.getLoopLatch()))
        for (const llvm::Instruction &instruction : *block)
          if (lower::is_barrier_to_loads(instruction))
            of_each_iteration_.push_back(&instruction);
  }

  bool part(const SourceAccess &one, const SourceAccess &other, bool in_one_iteration) const {
    if (of_each_iteration_.empty() || read_only_.crosses_barriers(one))
      return false;
    const auto [fewer, more] = std::minmax({passed(one), passed(other)});
    // None stands between the end of an iteration and the beginning of the next.
    return in_one_iteration ? fewer != more : fewer != 0 || more != std::ssize(of_each_iteration_);
  }

private:
  std::ptrdiff_t passed(const SourceAccess &access) const {
    return llvm::count_if(of_each_iteration_, [&](const llvm::Instruction *barrier) {
      return tree_.dominates(barrier, access.instruction);
    });
  }

  const llvm::DominatorTree &tree_;
  const ReadOnlyMemory &read_only_;
  std::vector<const llvm::Instruction *> of_each_iteration_;
};

} // namespace

void note_common_addresses(llvm::Function &kernel, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                           llvm::ScalarEvolution &evolution, const ReadOnlyMemory &read_only,
                           const CompilerRules &rules) {
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    const Barriers barriers(*loop, tree, read_only);
    const auto apart = [&](const SourceAccess &one, const SourceAccess &other, bool in_one_iteration) {
      return barriers.part(one, other, in_one_iteration);
    };
    for (const SourceAccess &access : accesses_of_common_addresses(*loop, evolution, rules, apart))
      raise_uncertainty(Uncertainty::RedundantAccess, kernel, access.location);
  }
  for (const SourceAccess &access : accesses_beside_iterations(kernel, loops, evolution, rules))
    raise_uncertainty(Uncertainty::RedundantAccess, kernel, access.location);
}

} // namespace smem
