#include "nvcc/cicc/unrolling.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CodeMetrics.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "nvcc/uncertainty.h"
#include "nvcc/facts/warp_uniform.h"

namespace smem {
namespace {

// What nvcc 13 does to loops whose bodies grow by one instruction at a time: four copies of a body as long as they take no more than this,
// or else two. A loop's own bookkeeping is not copied.
constexpr unsigned kLargestCount = 4, kLargestSize = 173, kNotCopied = 9;
// Of loops that run a known number of times, but too often to unroll them whole.
constexpr unsigned kLargestSizeOfKnown = 200;
constexpr unsigned kShortLoop = 20; // stays if it is known to run no more often

// Whole loops, by growing their bodies as well: in LLVM's measure.
constexpr unsigned kLargestOverLocalArray = 2436, kBookkeeping = 2;

/// libdevice's functions, which nvcc inlines before it unrolls; nothing where they have loops of their own. What is not listed was measured as
/// one instruction, or not at all.
std::optional<unsigned> size_of_mathematics(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || call.isFast())
    return 1;
  llvm::StringRef name = callee->getName();
  if (!name.consume_front("llvm."))
    name.consume_front("__nv_");
  name = name.take_until([](char c) { return c == '.'; });
  if (call.getType()->isFloatTy())
    name.consume_back("f");
  const bool is_double = call.getType()->isDoubleTy();
  return llvm::StringSwitch<std::optional<unsigned>>(name)
    .Cases("sin", "cos", "tan", "fmod", std::nullopt)
    .Case("exp", is_double ? 44 : 12)
    .Case("log", is_double ? 66 : 30)
    .Cases("log2", "log10", 30)
    .Case("log1p", 32)
    .Case("tanh", is_double ? 54 : 16)
    .Case("erf", 24)
    .Case("cbrt", 16)
    .Case("pow", 76)
    .Default(1);
}

/// An instruction in nvcc's measure; nothing for one that is not copied.
std::optional<unsigned> size_of(const llvm::Instruction &instruction) {
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (call->cannotDuplicate())
      return std::nullopt;
    if (call->isConvergent()) // barriers and exchanges are copied like others
      return 1;
    if (!llvm::isa<llvm::MinMaxIntrinsic, llvm::DbgInfoIntrinsic>(call))
      return size_of_mathematics(*call);
  }
  if (llvm::isa<llvm::PHINode, llvm::DbgInfoIntrinsic>(instruction))
    return 0;
  if (const auto *widening = llvm::dyn_cast<llvm::ZExtInst>(&instruction); widening && llvm::isa<llvm::LoadInst>(widening->getOperand(0)))
    return 0; // part of the load
  if (instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv || instruction.getOpcode() == llvm::Instruction::FRem)
    return 4;
  return llvm::isa<llvm::MinMaxIntrinsic>(instruction) ? 2 : 1;
}

/// Instructions of one iteration; nothing for a loop that must stay as it is.
std::optional<unsigned> size_of(const llvm::Loop &loop) {
  unsigned size = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      const std::optional<unsigned> more = size_of(instruction);
      if (!more)
        return std::nullopt;
      size += *more;
    }
  return size;
}

/// Does the loop go on where its counter has reached the bound? A branch out of it on the opposite condition says so as well.
bool is_inclusive(const llvm::Loop &loop, const llvm::BranchInst &branch, const llvm::ICmpInst &test) {
  const auto goes_on = branch.getSuccessor(0) == loop.getHeader() ? test.getPredicate() : test.getInversePredicate();
  return llvm::ICmpInst::isRelational(goes_on) && llvm::ICmpInst::isNonStrictPredicate(goes_on);
}

/// Does nvcc find out how often the loop runs? Clang also does where a step other than one might wrap around, from the language's promise
/// that loops end.
bool has_computable_length(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return false;
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  const auto *test = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || test->isEquality())
    return true;
  for (const llvm::Use &operand : test->operands()) {
    const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(operand));
    if (!recurrence || recurrence->getLoop() != &loop)
      continue;
    const llvm::SCEV *step = recurrence->getStepRecurrence(evolution);
    if (step->isOne() || step->isAllOnesValue())
      return true;
    // Counting to a bound inclusively may wrap around just before the end.
    if (is_inclusive(loop, *branch, *test))
      return false;
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(operand);
    const auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(phi && phi->getParent() == loop.getHeader() ? phi->getIncomingValueForBlock(loop.getLoopLatch()) : operand.get());
    return sum && (test->isSigned() ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
  }
  return true;
}

/// Of a loop that runs a known number of times: as many as divide it into equal halves, and of an odd number four, for it may be left between them.
unsigned count_of_known(const llvm::Loop &loop, unsigned trips) {
  const std::optional<unsigned> size = size_of(loop);
  unsigned count = !size || trips < 2 ? 1 : trips % 2 ? kLargestCount : 1U << llvm::countr_zero(trips);
  while (count > 1 && (count >= trips || (std::max(*size, kBookkeeping) - kBookkeeping) * count > kLargestSizeOfKnown))
    count /= 2;
  return count;
}

constexpr llvm::StringRef kSettled = "smem_lint.settled", kTold = "smem_lint.unroll", kNotWhole = "smem_lint.not_whole";

/// By a pragma.
bool is_told(const llvm::Loop &loop) { return llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified && !llvm::findOptionMDForLoop(&loop, kNotWhole); }

/// How many iterations nvcc's first half makes one; 1 where the loop stays.
unsigned count_of(llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  if (is_told(loop) || loop.getExitingBlock() != loop.getLoopLatch() || !loop.getLoopLatch())
    return 1;
  if (const unsigned trips = evolution.getSmallConstantTripCount(&loop))
    return count_of_known(loop, trips);
  if (!has_computable_length(loop, evolution))
    return 1;
  if (const unsigned most = evolution.getSmallConstantMaxTripCount(&loop); most && most <= kShortLoop)
    return 1;
  const std::optional<unsigned> size = size_of(loop);
  unsigned count = size ? kLargestCount : 1;
  while (count > 1 && (std::max(*size, kNotCopied) - kNotCopied) * count > kLargestSize)
    count /= 2;
  return count;
}

/// Does an index into a local array, or into one that was handed over by value, change with the iteration?
bool steps_through_local_array(const llvm::Loop &loop) {
  const auto is_local_array = [](const llvm::Value &pointer) {
    const llvm::Value *object = llvm::getUnderlyingObject(&pointer);
    const auto *argument = llvm::dyn_cast<llvm::Argument>(object);
    return argument ? argument->hasByValAttr() : llvm::isa<llvm::AllocaInst>(object);
  };
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
          element && llvm::any_of(element->indices(), [&](const llvm::Value *index) { return !loop.isLoopInvariant(index); }) && is_local_array(*element))
        return true;
  return false;
}

/// What LLVM does not count: functions of mathematics are inlined by then, and exchanges between lanes are three instructions.
std::uint64_t hidden_size(const llvm::Loop &loop) {
  std::uint64_t size = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        const llvm::Function *callee = call->getCalledFunction();
        if (callee && callee->getName().starts_with("llvm.nvvm.shfl"))
          size += 2;
        else if (const std::optional<unsigned> mathematics = size_of(instruction))
          size += std::max(1U, *mathematics) - 1;
      }
  return size;
}

/// Certain is only that a loop stays as it is.
enum class Chunks { No, Unlikely, Likely };

/// What machine code has of a loop's body.
struct Body {
  unsigned instructions = 0, global_loads = 0;
  bool branches = false, calls = false;
  bool scattered = false; ///< a global load whose address is more than a base and the loop's counter
};

bool is_shared(const llvm::Value &pointer) {
  constexpr unsigned shared = 3;
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(&pointer));
  return pointer.getType()->getPointerAddressSpace() == shared || (variable && variable->getAddressSpace() == shared);
}

Body body_of(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  Body body;
  body.branches = loop.getNumBlocks() > 1;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        body.calls |= !llvm::isa<llvm::IntrinsicInst>(call) || call->isConvergent();
        const llvm::Function *callee = call->getCalledFunction();
        if (callee && callee->getName().contains("sqrt"))
          body.instructions += 24; // as is a division, exact rounding is a long way round
        continue;
      }
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (llvm::isa<llvm::LoadInst>(instruction) && !is_shared(*pointer)) {
        ++body.global_loads;
        const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<llvm::Value *>(pointer)));
        const auto *step = recurrence && recurrence->isAffine() ? llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution)) : nullptr;
        const auto size = instruction.getDataLayout().getTypeStoreSize(instruction.getType()).getFixedValue();
        body.scattered |= !step || step->getAPInt().abs() != size;
      }
      // Products of floating point mostly fuse with the sum behind them, additions to addresses go into the access.
      const bool folds = instruction.getOpcode() == llvm::Instruction::FMul || (instruction.getOpcode() == llvm::Instruction::Add && llvm::isa<llvm::Constant>(instruction.getOperand(1)));
      const bool computes = instruction.isBinaryOp() && !folds;
      const bool divides = instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv;
      body.instructions += divides ? (llvm::isa<llvm::Constant>(instruction.getOperand(1)) ? 14 : 24) : pointer || computes || llvm::isa<llvm::AtomicRMWInst>(instruction) || instruction.getOpcode() == llvm::Instruction::FMul ? 1 : 0;
    }
  return body;
}

/// What ptxas makes of a loop, `count` iterations of which are one already.
Chunks chunks_of(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count) {
  constexpr unsigned likely = 64, never = 100, most_loads = 12, too_many_loads = 16;
  const auto *branch = loop.getLoopLatch() ? llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator()) : nullptr;
  const auto *test = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (loop.getExitingBlock() != loop.getLoopLatch() || !test)
    return Chunks::Unlikely; // rolled, but where its lanes meet again is another matter
  const llvm::SCEVAddRecExpr *counter = nullptr;
  for (const llvm::Use &operand : test->operands())
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(operand)); recurrence && recurrence->getLoop() == &loop)
      counter = recurrence;
  if (is_inclusive(loop, *branch, *test))
    return Chunks::Unlikely;
  if (!counter || !counter->isAffine() || !llvm::isa<llvm::SCEVConstant>(counter->getStepRecurrence(evolution)))
    return Chunks::No;
  const Body body = body_of(loop, evolution);
  if (body.calls)
    return Chunks::Unlikely;
  if (body.instructions * count > never || body.global_loads * count >= too_many_loads)
    return Chunks::No;
  if (body.branches || body.instructions * count > likely || body.global_loads * count > most_loads)
    return Chunks::Unlikely;
  // Loops that count from a constant run down to zero in PTX; ptxas unrolls some of these and not others.
  const bool from_constant = llvm::isa<llvm::SCEVConstant>(counter->getStart());
  if (count > 1 && from_constant && body.scattered)
    return Chunks::Unlikely;
  if (count == 1 && (!test->isSigned() || !has_computable_length(loop, evolution)))
    return Chunks::Unlikely;
  return Chunks::Likely;
}

/// Shared loads that meet those of the next iterations in one of the 16 bytes that ptxas loads at once: they step through an array from a constant
/// on, or in steps of `count` iterations from what may be a multiple of 16; so many iterations are one already.
std::vector<llvm::LoadInst *> loads_across_iterations(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count) {
  constexpr std::uint64_t window = 16;
  std::vector<llvm::LoadInst *> result;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || !load->isSimple() || !is_shared(*load->getPointerOperand()))
        continue;
      const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(load->getPointerOperand()));
      const auto *step = recurrence && recurrence->isAffine() && recurrence->getLoop() == &loop ? llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution)) : nullptr;
      const llvm::SCEV *array = step ? evolution.getPointerBase(recurrence) : nullptr;
      const auto *offset = array ? llvm::dyn_cast<llvm::SCEVConstant>(evolution.getMinusSCEV(recurrence->getStart(), array)) : nullptr;
      const auto size = instruction.getDataLayout().getTypeStoreSize(load->getType()).getFixedValue();
      if (!array || (!offset && count == 1) || step->getAPInt().abs() != size || (size != 4 && size != 8))
        continue;
      const bool begins_one = !offset || offset->getAPInt().urem(window) == (step->getAPInt().isNegative() ? window - size : 0);
      const bool whole_windows = size * count % window == 0 && begins_one;
      if (!whole_windows)
        result.push_back(load);
    }
  return result;
}

void settle(llvm::Loop &loop) {
  loop.setLoopAlreadyUnrolled();
  llvm::addStringMetadataToLoop(&loop, kSettled.data());
}

class Unroller {
public:
  Unroller(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : loops_(analyses.getResult<llvm::LoopAnalysis>(function)), evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        tree_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)), assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(function)),
        target_(analyses.getResult<llvm::TargetIRAnalysis>(function)), remarks_(analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function)) {}

  /// Lanes leave the loop at different iterations if it is `divergent`, and one around it if it is `nested`.
  void run(llvm::Loop &loop, bool divergent, bool nested) {
    llvm::simplifyLoop(&loop, &tree_, &loops_, &evolution_, &assumptions_, nullptr, /*PreserveLCSSA=*/false);
    llvm::formLCSSARecursively(loop, tree_, &loops_, &evolution_);
    const unsigned count = count_of(loop, evolution_);
    const bool known = evolution_.getSmallConstantTripCount(&loop);
    const bool as_told = is_told(loop) || llvm::findOptionMDForLoop(&loop, kTold);
    const std::vector<llvm::LoadInst *> across = loads_across_iterations(loop, evolution_, count);
    const bool unlikely = as_told || nested || (known && count > 1);
    const Chunks chunks = !divergent && across.empty() ? Chunks::No : unlikely ? Chunks::Unlikely : chunks_of(loop, evolution_, count);
    if (chunks != Chunks::No)
      for (llvm::LoadInst *load : across)
        raise(Doubt::Unrolling, *loop.getHeader()->getParent(), {AccessPlace::Kind::Load, load->getDebugLoc().get()});
    llvm::Loop *rest = nullptr;
    if (count > 1 && !unroll(loop, count, known, rest))
      return; // it is not as nvcc has it
    if (rest && !as_told)
      settle(*rest);
    if (chunks == Chunks::No)
      settle(loop);
    if (chunks == Chunks::Likely)
      unroll_again(loop);
  }

private:
  /// What is left over of a `known` number of iterations leaves in the midst.
  bool unroll(llvm::Loop &loop, unsigned count, bool known, llvm::Loop *&rest) {
    llvm::UnrollLoopOptions options{};
    options.Count = count;
    options.Runtime = options.AllowExpensiveTripCount = !known;
    const auto result = llvm::UnrollLoop(&loop, options, &loops_, &evolution_, &tree_, &assumptions_, &target_, &remarks_, /*PreserveLCSSA=*/true, &rest);
    if (result != llvm::LoopUnrollResult::PartiallyUnrolled)
      return false;
    loop.setLoopAlreadyUnrolled();
    return true;
  }

  /// ptxas: four at a time while there are four, then two, then one.
  void unroll_again(llvm::Loop &loop) {
    leave_rest_to_the_end(loop);
    llvm::Loop *rest = nullptr, *last = nullptr;
    if (unroll(loop, 4, /*known=*/false, rest) && rest)
      unroll(*rest, 2, /*known=*/false, last);
  }

  /// LLVM runs the iterations that are left over last where something in the loop counts from a constant.
  static void leave_rest_to_the_end(llvm::Loop &loop) {
    llvm::Type *type = llvm::Type::getInt32Ty(loop.getHeader()->getContext());
    llvm::PHINode *nothing = llvm::PHINode::Create(type, 2, "", loop.getHeader()->begin());
    nothing->addIncoming(llvm::ConstantInt::get(type, 0), loop.getLoopPreheader());
    nothing->addIncoming(llvm::ConstantInt::get(type, 0), loop.getLoopLatch());
  }

  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  llvm::DominatorTree &tree_;
  llvm::AssumptionCache &assumptions_;
  const llvm::TargetTransformInfo &target_;
  llvm::OptimizationRemarkEmitter &remarks_;
};

} // namespace

llvm::PreservedAnalyses UnrollAsNvcc::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  auto &uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  const auto is_divergent = [&](const llvm::Loop &loop) {
    llvm::SmallVector<llvm::BasicBlock *> exiting;
    loop.getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](const llvm::BasicBlock *block) { return parts_lanes(*block, uniformity); });
  };
  struct Innermost {
    llvm::Loop *loop = nullptr;
    bool divergent = false, nested = false;
  };
  std::vector<Innermost> innermost;
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) {
      bool nested = false;
      for (const llvm::Loop *outer = loop->getParentLoop(); outer && !nested; outer = outer->getParentLoop())
        nested = is_divergent(*outer);
      innermost.push_back({loop, is_divergent(*loop), nested});
    }
  Unroller unroller(function, analyses);
  for (const Innermost &each : innermost)
    unroller.run(*each.loop, each.divergent, each.nested);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ForgetUnrollOfUnknownLength::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::MDNode *options = loop->getLoopID();
    if (options && llvm::findOptionMDForLoopID(options, "llvm.loop.unroll.enable") && !evolution.getSmallConstantTripCount(loop)) {
      loop->setLoopID(llvm::makePostTransformationMetadata(function.getContext(), options, {"llvm.loop.unroll.enable"}, {}));
      llvm::addStringMetadataToLoop(loop, kTold.data());
    }
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses ChooseWholeLoops::run(llvm::Loop &loop, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &) {
  const unsigned trips = analyses.SE.getSmallConstantTripCount(&loop);
  if (!trips || llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified)
    return llvm::PreservedAnalyses::all();
  const bool local_array = steps_through_local_array(loop);
  const std::uint64_t hidden = hidden_size(loop);
  if (!local_array && !hidden)
    return llvm::PreservedAnalyses::all();
  llvm::SmallPtrSet<const llvm::Value *, 32> assumed;
  llvm::CodeMetrics::collectEphemeralValues(&loop, &analyses.AC, assumed);
  const llvm::UnrollCostEstimator estimate(&loop, analyses.TTI, assumed, kBookkeeping);
  if (!estimate.canUnroll())
    return llvm::PreservedAnalyses::all();
  const std::uint64_t size = estimate.getRolledLoopSize() + hidden, whole = (size - kBookkeeping) * trips + kBookkeeping;
  if (local_array && size <= kLargestWhole && whole < kLargestOverLocalArray) {
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  } else if (whole >= kLargestWhole) {
    loop.setLoopAlreadyUnrolled(); // not as a whole, to LLVM
    llvm::addStringMetadataToLoop(&loop, kNotWhole.data());
  }
  return llvm::PreservedAnalyses::all();
}

bool is_told_to_unroll(const llvm::Loop &loop) { return llvm::findOptionMDForLoop(&loop, kTold); }

bool ends_settled_loop(const llvm::Instruction &instruction) {
  const llvm::MDNode *loop = instruction.getMetadata(llvm::LLVMContext::MD_loop);
  return loop && llvm::findOptionMDForLoopID(const_cast<llvm::MDNode *>(loop), kSettled);
}

} // namespace smem
