#include "nvcc/facts/loop_length.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "nvcc/facts/special_registers.h"

namespace smem {
namespace {

constexpr const char *kWraps = "smem_lint.wraps";

} // namespace

bool is_inclusive(const llvm::Loop &loop, const llvm::BranchInst &branch, const llvm::ICmpInst &test) {
  const auto goes_on = branch.getSuccessor(0) == loop.getHeader() ? test.getPredicate() : test.getInversePredicate();
  return llvm::ICmpInst::isRelational(goes_on) && llvm::ICmpInst::isNonStrictPredicate(goes_on);
}

void note_wrapping_counters(const llvm::LoopInfo &loops) {
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    const llvm::BasicBlock *latch = loop->getLoopLatch();
    if (!latch || llvm::findOptionMDForLoop(loop, kWraps))
      continue;
    for (const llvm::PHINode &counter : loop->getHeader()->phis()) {
      const auto *next = llvm::dyn_cast<llvm::BinaryOperator>(counter.getIncomingValueForBlock(latch));
      if (next && next->getOpcode() == llvm::Instruction::Add && !next->hasNoSignedWrap() &&
          llvm::is_contained(next->operands(), &counter) &&
          llvm::any_of(counter.users(), [](const llvm::User *user) { return llvm::isa<llvm::ICmpInst>(user); })) {
        llvm::addStringMetadataToLoop(loop, kWraps);
        break;
      }
    }
  }
}

namespace {

/// The shape of what two numbers of 32 bits come from, as far as both have it.
struct Shape {
  const llvm::Instruction *one, *other;

  bool is_alike() const {
    return one != other && one->getOpcode() == other->getOpcode() && one->getNumOperands() == other->getNumOperands();
  }
  bool is_of_registers() const { return is_register(*one) && is_register(*other); }
  /// The same is done to both with one constant.
  bool has_one_constant() const {
    return is_alike() && llvm::isa<llvm::BinaryOperator>(one) && one->getOperand(1) == other->getOperand(1) &&
           llvm::isa<llvm::Constant>(one->getOperand(1));
  }
  bool has_remainder() const { return is_remainder(*one) || is_remainder(*other); }
  /// ScalarEvolution writes sums, products and the like out, and knows nothing of these.
  bool is_opaque() const { return is_unknown(*one) && is_unknown(*other); }

private:
  static bool is_register(const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call && special_register_of(call->getIntrinsicID());
  }
  static bool is_remainder(const llvm::Instruction &instruction) {
    return instruction.getOpcode() == llvm::Instruction::URem || instruction.getOpcode() == llvm::Instruction::SRem;
  }
  static bool is_unknown(const llvm::Instruction &instruction) {
    return llvm::isa<llvm::CallBase, llvm::LoadInst>(instruction) || instruction.getOpcode() == llvm::Instruction::Xor;
  }
};

/// nvcc does not find out how often a loop runs whose counter begins and steps by what was extended alike from two values of one kind: `long i = threadIdx.x; i < n; i += blockDim.x`.
Computable from_extended(const llvm::PHINode *counter, const llvm::Instruction &sum, const llvm::Loop &loop) {
  const llvm::Value *begin =
      counter && loop.getLoopPreheader() ? counter->getIncomingValueForBlock(loop.getLoopPreheader()) : nullptr;
  const auto *from = llvm::dyn_cast_or_null<llvm::CastInst>(begin),
             *by = llvm::dyn_cast<llvm::CastInst>(sum.getOperand(sum.getOperand(0) == counter ? 1 : 0));
  if (!from || !by || llvm::isa<llvm::TruncInst>(from) || llvm::isa<llvm::TruncInst>(by))
    return Computable::Yes;
  const auto *one = llvm::dyn_cast<llvm::Instruction>(from->getOperand(0)),
             *other = llvm::dyn_cast<llvm::Instruction>(by->getOperand(0));
  if (!one || !other || one == other)
    return Computable::Yes;
  // What is not negative LLVM extends in either way.
  const auto is_either = [](const llvm::CastInst &cast) {
    return cast.getOpcode() == llvm::Instruction::ZExt && cast.hasNonNeg();
  };
  const bool perhaps_alike = from->getOpcode() == by->getOpcode() || is_either(*from) || is_either(*by),
             alike = from->getOpcode() == by->getOpcode() && !is_either(*from) && !is_either(*by);
  const Shape shape{one, other};
  if (!perhaps_alike)
    return Computable::Yes;
  if (alike && (shape.is_of_registers() || shape.has_one_constant()))
    return Computable::No;
  return shape.is_alike() || shape.is_opaque() || shape.has_remainder() ? Computable::Perhaps : Computable::Yes;
}

} // namespace

Computable computable_length(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const auto known = [](bool is_known) { return is_known ? Computable::Yes : Computable::No; };
  if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return Computable::No;
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  const auto *test =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || test->isEquality())
    return Computable::Yes;
  for (const llvm::Use &operand : test->operands()) {
    const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(operand));
    if (!recurrence || recurrence->getLoop() != &loop)
      continue;
    const llvm::SCEV *step = recurrence->getStepRecurrence(evolution);
    if (step->isOne() || step->isAllOnesValue())
      return Computable::Yes;
    // Counting to a bound inclusively may wrap around just before the end.
    if (is_inclusive(loop, *branch, *test))
      return Computable::No;
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(operand);
    const bool is_counter = phi && phi->getParent() == loop.getHeader();
    const auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(
        is_counter ? phi->getIncomingValueForBlock(loop.getLoopLatch()) : operand.get());
    if (!sum)
      return Computable::No;
    if (llvm::isa<llvm::SCEVConstant>(step))
      return known(test->isSigned() ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
    const auto *addition = llvm::dyn_cast<llvm::BinaryOperator>(sum);
    if (!sum->hasNoSignedWrap() || !addition || llvm::findOptionMDForLoop(&loop, kWraps))
      return Computable::No;
    const auto *counter = is_counter ? phi : llvm::dyn_cast<llvm::PHINode>(addition->getOperand(0));
    if (!counter)
      counter = llvm::dyn_cast<llvm::PHINode>(addition->getOperand(1));
    return from_extended(counter && counter->getParent() == loop.getHeader() ? counter : nullptr, *addition, loop);
  }
  return Computable::Yes;
}

} // namespace smem
