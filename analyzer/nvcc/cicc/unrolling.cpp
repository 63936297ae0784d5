#include "nvcc/cicc/unrolling.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CodeMetrics.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "nvcc/cicc/loop_size.h"
#include "nvcc/facts/loop_length.h"
#include "nvcc/facts/warp_uniform.h"
#include "nvcc/ptxas/bitwise_neighbours.h"
#include "nvcc/ptxas/loop_unrolling.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Of a loop that runs a known number of times: as many as divide it into equal halves, and of an odd number four, for it may be left between them.
unsigned count_of_known(const llvm::Loop &loop, unsigned trips, const CompilerRules &rules) {
  const std::optional<unsigned> size = size_of(loop, rules);
  unsigned count = !size || trips < 2 ? 1
                   : trips % 2        ? rules.runtime_unroll_count.value
                                      : 1U << llvm::countr_zero(trips);
  while (count > 1 &&
         (count >= trips ||
          (std::max(*size, rules.full_unroll_bookkeeping.value) - rules.full_unroll_bookkeeping.value) * count >
              rules.partial_unroll_size))
    count /= 2;
  return count;
}

constexpr llvm::StringRef kSettled = "smem_lint.settled", kTold = "smem_lint.unroll", kNotWhole = "smem_lint.not_whole",
                          kInner = "smem_lint.inner";

/// By a pragma.
bool is_told(const llvm::Loop &loop) {
  return llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified && !llvm::findOptionMDForLoop(&loop, kNotWhole);
}

/// Of one of unknown length, a body of this size.
unsigned count_of_unknown(unsigned size, const CompilerRules &rules) {
  unsigned count = rules.runtime_unroll_count;
  while (count > 1 &&
         (std::max(size, rules.runtime_unroll_bookkeeping.value) - rules.runtime_unroll_bookkeeping.value) * count >
             rules.runtime_unroll_size)
    count /= 2;
  return count;
}

/// How many iterations nvcc's first half makes one; 1 where the loop stays.
unsigned count_of(llvm::Loop &loop, llvm::ScalarEvolution &evolution, const CompilerRules &rules) {
  if (is_told(loop) || loop.getExitingBlock() != loop.getLoopLatch() || !loop.getLoopLatch())
    return 1;
  if (const unsigned trips = evolution.getSmallConstantTripCount(&loop))
    return count_of_known(loop, trips, rules);
  if (computable_length(loop, evolution) == Computable::No)
    return 1;
  if (const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
      most && most <= rules.runtime_unroll_fewest_trips)
    return 1;
  const std::optional<unsigned> size = size_of(loop, rules);
  return size ? count_of_unknown(*size, rules) : 1;
}

void settle(llvm::Loop &loop) {
  loop.setLoopAlreadyUnrolled();
  llvm::addStringMetadataToLoop(&loop, kSettled.data());
}

/// A loop without another one in it, and what there is around it.
struct Innermost {
  llvm::Loop *loop = nullptr;
  bool divergent = false;   ///< its lanes leave it at different iterations
  bool nested = false;      ///< those of a loop around it do
  bool before_nest = false; ///< code that it leads to has a loop that counts inside of another
};

/// There cicc leaves the counter as it is, where else a pointer steps on (loop strength reduction), and of an address that is computed from the counter ptxas does not see how it is aligned:
/// validate/RULES.md, "Where the compiler unrolls".
bool is_before_nest(const llvm::Loop &loop, const llvm::LoopInfo &loops, const llvm::DominatorTree &tree,
                    llvm::ScalarEvolution &evolution) {
  if (loop.getParentLoop())
    return false;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  loop.getUniqueExitBlocks(exits);
  return llvm::any_of(loops.getTopLevelLoops(), [&](const llvm::Loop *other) {
    const auto counts = [&](const llvm::Loop *inner) {
      return inner != other && evolution.hasLoopInvariantBackedgeTakenCount(inner);
    };
    return other != &loop && llvm::any_of(other->getLoopsInPreorder(), counts) &&
           llvm::any_of(exits, [&](const llvm::BasicBlock *exit) {
             return llvm::isPotentiallyReachable(exit, other->getHeader(), nullptr, &tree, &loops);
           });
  });
}

class Unroller {
public:
  Unroller(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, const CompilerRules &rules)
      : rules_(rules), loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        tree_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(function)),
        target_(analyses.getResult<llvm::TargetIRAnalysis>(function)),
        remarks_(analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function)) {}

  void run(const Innermost &innermost) {
    llvm::Loop &loop = *innermost.loop;
    llvm::simplifyLoop(&loop, &tree_, &loops_, &evolution_, &assumptions_, nullptr, /*PreserveLCSSA=*/false);
    llvm::formLCSSARecursively(loop, tree_, &loops_, &evolution_);
    const unsigned count = count_of(loop, evolution_, rules_);
    const bool known = evolution_.getSmallConstantTripCount(&loop);
    const bool as_told = is_told(loop) || llvm::findOptionMDForLoop(&loop, kTold);
    const std::vector<llvm::Instruction *> across =
        words_across_iterations(loop, evolution_, count, as_told && count == 1);
    const bool unlikely = as_told || innermost.nested || (known && count > 1);
    Chunks chunks = !innermost.divergent && across.empty() ? Chunks::No
                    : unlikely                             ? Chunks::Unlikely
                                                           : chunks_of(loop, evolution_, count, rules_);
    if (known && chunks == Chunks::No && !across.empty())
      chunks = Chunks::Unlikely; // of a known length ptxas makes straight code of larger bodies as well
    if (chunks != Chunks::No)
      raise_in(loop, Uncertainty::Unroll, across);
    if (count > 1)
      for (llvm::LoadInst *load : halves_across_iterations(loop, evolution_))
        raise_uncertainty(Uncertainty::AdjacentAccess, *loop.getHeader()->getParent(),
                          {AccessLocation::Kind::Load, load->getDebugLoc().get()});
    if (count > 1)
      note_adjacent(loop, bitwise_neighbours(loop, evolution_, count));
    if (count > 1 && !known && innermost.before_nest)
      note_adjacent(loop, accesses_within_window(loop, evolution_));
    if (const std::optional<unsigned> size = size_of(loop, rules_);
        innermost.divergent && !known && !as_told && size && count == count_of_unknown(*size, rules_) &&
        (computable_length(loop, evolution_) == Computable::Perhaps ||
         count != count_of_unknown(*size + size_margin(loop, rules_), rules_)))
      note_count(loop);
    if (count > 1)
      note_left_over(loop, count, as_told);
    else
      note_rolled(loop);
    if (known && count > 1)
      note_whole(loop, evolution_.getSmallConstantTripCount(&loop) / count);
    // Of a loop within another the iterations that are left over are straight code, which matters where ptxas merges their loads.
    const bool straight =
        !known && !as_told && count > 1 && is_inner(loop) && merges_in_straight_rest(loop, evolution_, count);
    llvm::Loop *rest = nullptr;
    if (count > 1 && !unroll(loop, count, known, rest, straight))
      return; // it is not as nvcc has it
    if (rest && !as_told)
      settle(*rest);
    if (chunks == Chunks::No)
      settle(loop);
    if (chunks == Chunks::Likely)
      unroll_again(loop);
  }

private:
  /// Where iterations are left over: ptxas unrolls what leaves in the midst once more, or not, and what merges in a loop of them is another matter. Of a
  /// loop that is to be unrolled they may be straight code, which ptxas merges in.
  void note_left_over(const llvm::Loop &loop, unsigned count, bool as_told) {
    const unsigned trips = evolution_.getSmallConstantTripCount(&loop);
    const bool none = trips && trips % count == 0;
    std::vector<llvm::Instruction *> accesses = stepping_adjacent_accesses(loop, evolution_, /*irregular=*/none);
    if (!none && (trips || as_told)) {
      const std::vector<llvm::Instruction *> all = words_across_iterations(loop, evolution_, trips ? 1 : count - 1);
      accesses.insert(accesses.end(), all.begin(), all.end());
    }
    if (none && trips / count % 2) {
      const std::vector<llvm::Instruction *> descending = descending_loads(loop, evolution_);
      accesses.insert(accesses.end(), descending.begin(), descending.end());
    }
    raise_in(loop, Uncertainty::Unroll, accesses);
  }

  /// Lanes leave it at different iterations, and how many are one by then is not certain.
  static void note_count(const llvm::Loop &loop) {
    for (llvm::BasicBlock *block : loop.blocks())
      for (llvm::Instruction &instruction : *block)
        if (const std::optional<SourceAccess> access = access_of(instruction))
          raise_uncertainty(Uncertainty::Unroll, *block->getParent(), access->location);
  }

  static void raise_in(const llvm::Loop &loop, Uncertainty kind, const std::vector<llvm::Instruction *> &accesses) {
    for (llvm::Instruction *access : accesses)
      if (const std::optional<SourceAccess> known = access_of(*access))
        raise_uncertainty(kind, *loop.getHeader()->getParent(), known->location);
  }

  static void note_adjacent(const llvm::Loop &loop, const std::vector<llvm::Instruction *> &accesses) {
    raise_in(loop, Uncertainty::AdjacentAccess, accesses);
  }

  void note_rolled(const llvm::Loop &loop) { note_adjacent(loop, stepping_adjacent_accesses(loop, evolution_)); }

  static bool is_inner(const llvm::Loop &loop) {
    return loop.getParentLoop() || llvm::findOptionMDForLoop(&loop, kInner);
  }

  /// Is `value` another one in each iteration, as far as its form shows?
  bool steps_on(const llvm::SCEV *value, const llvm::Loop &loop) const {
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value))
      return recurrence->getLoop() == &loop && recurrence->isAffine() &&
             evolution_.getTypeSizeInBits(recurrence->getType()) >= 32; // what remainders are made of begins again
    const bool keeps = llvm::isa<llvm::SCEVSignExtendExpr, llvm::SCEVZeroExtendExpr, llvm::SCEVAddExpr>(value);
    const auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(value);
    if (!keeps && !(product && product->getNumOperands() == 2 && llvm::isa<llvm::SCEVConstant>(product->getOperand(0))))
      return false;
    const auto varies = [&](const llvm::SCEV *part) { return !evolution_.isLoopInvariant(part, &loop); };
    return llvm::count_if(value->operands(), varies) == 1 &&
           llvm::all_of(value->operands(),
                        [&](const llvm::SCEV *part) { return !varies(part) || steps_on(part, loop); });
  }

  /// nvcc looks again at a loop that it has unrolled in part, and unrolls what runs a few times only as a whole if that becomes short enough. Places that
  /// several iterations have in common are accessed once then.
  void note_whole(const llvm::Loop &loop, unsigned times) {
    if (times > rules_.full_unroll_analysed_trips)
      return;
    for (llvm::BasicBlock *block : loop.blocks())
      for (llvm::Instruction &instruction : *block)
        if (const std::optional<SourceAccess> access = access_of(instruction);
            access && !steps_on(evolution_.getSCEV(access->pointer), loop))
          raise_uncertainty(Uncertainty::RedundantAccess, *block->getParent(), access->location);
  }

  /// What is left over of a `known` number of iterations leaves in the midst; of others it is a loop, or `straight` code.
  bool unroll(llvm::Loop &loop, unsigned count, bool known, llvm::Loop *&rest, bool straight = false) {
    llvm::UnrollLoopOptions options{};
    options.Count = count;
    options.UnrollRemainder = straight;
    options.Runtime = options.AllowExpensiveTripCount = !known;
    const auto result = llvm::UnrollLoop(&loop, options, &loops_, &evolution_, &tree_, &assumptions_, &target_,
                                         &remarks_, /*PreserveLCSSA=*/true, &rest);
    if (result != llvm::LoopUnrollResult::PartiallyUnrolled)
      return false;
    loop.setLoopAlreadyUnrolled();
    return true;
  }

  /// ptxas: four at a time while there are four, then two, then one.
  void unroll_again(llvm::Loop &loop) {
    leave_rest_to_the_end(loop);
    llvm::Loop *rest = nullptr, *last = nullptr;
    if (unroll(loop, rules_.unroll_count, /*known=*/false, rest) && rest)
      unroll(*rest, rules_.unroll_rest_count, /*known=*/false, last);
  }

  /// LLVM runs the iterations that are left over last where something in the loop counts from a constant.
  static void leave_rest_to_the_end(llvm::Loop &loop) {
    llvm::Type *type = llvm::Type::getInt32Ty(loop.getHeader()->getContext());
    llvm::PHINode *nothing = llvm::PHINode::Create(type, 2, "", loop.getHeader()->begin());
    nothing->addIncoming(llvm::ConstantInt::get(type, 0), loop.getLoopPreheader());
    nothing->addIncoming(llvm::ConstantInt::get(type, 0), loop.getLoopLatch());
  }

  const CompilerRules &rules_;
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
    return llvm::any_of(exiting, [&](const llvm::BasicBlock *block) { return diverges(*block, uniformity); });
  };
  const auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  std::vector<Innermost> innermost;
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) {
      bool nested = false;
      for (const llvm::Loop *outer = loop->getParentLoop(); outer && !nested; outer = outer->getParentLoop())
        nested = is_divergent(*outer);
      innermost.push_back({loop, is_divergent(*loop), nested, is_before_nest(*loop, loops, tree, evolution)});
    }
  Unroller unroller(function, analyses, *rules_);
  for (const Innermost &each : innermost)
    unroller.run(each);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ForgetUnrollOfUnknownLength::run(llvm::Function &function,
                                                         llvm::FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::MDNode *options = loop->getLoopID();
    if (options && llvm::findOptionMDForLoopID(options, "llvm.loop.unroll.enable") &&
        !evolution.getSmallConstantTripCount(loop)) {
      loop->setLoopID(
          llvm::makePostTransformationMetadata(function.getContext(), options, {"llvm.loop.unroll.enable"}, {}));
      llvm::addStringMetadataToLoop(loop, kTold.data());
    }
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses ChooseFullUnrolling::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                                 llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &) {
  const unsigned known = analyses.SE.getSmallConstantTripCount(&loop);
  const unsigned trips = known ? known : analyses.SE.getSmallConstantMaxTripCount(&loop);
  if (!trips)
    return llvm::PreservedAnalyses::all();
  note_neighbours_by_ones(loop, analyses.SE, trips);
  const auto unroll_whole = [&] {
    if (known)
      llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    else
      llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", trips); // each iteration with its exit
  };
  constexpr llvm::StringRef kPragma = "llvm.loop.unroll.enable";
  if (!known && trips <= rules_->full_unroll_told_trips && llvm::findOptionMDForLoop(&loop, kPragma)) {
    loop.setLoopID(
        llvm::makePostTransformationMetadata(loop.getHeader()->getContext(), loop.getLoopID(), {kPragma}, {}));
    unroll_whole();
    return llvm::PreservedAnalyses::all();
  }
  if (llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified)
    return llvm::PreservedAnalyses::all();
  const bool local_array = steps_through_local_array(loop);
  const std::uint64_t hidden = hidden_size(loop, *rules_);
  if (!local_array && (!known || !hidden))
    return llvm::PreservedAnalyses::all();
  llvm::SmallPtrSet<const llvm::Value *, 32> assumed;
  llvm::CodeMetrics::collectEphemeralValues(&loop, &analyses.AC, assumed);
  const llvm::UnrollCostEstimator estimate(&loop, analyses.TTI, assumed, rules_->full_unroll_bookkeeping);
  if (!estimate.canUnroll())
    return llvm::PreservedAnalyses::all();
  const std::uint64_t size = estimate.getRolledLoopSize() + hidden,
                      whole = (size - rules_->full_unroll_bookkeeping) * trips + rules_->full_unroll_bookkeeping;
  if (local_array && size <= rules_->full_unroll_size && whole < rules_->full_unroll_local_array_size) {
    unroll_whole();
  } else if (known && whole >= rules_->full_unroll_size) {
    loop.setLoopAlreadyUnrolled(); // not as a whole, to LLVM
    llvm::addStringMetadataToLoop(&loop, kNotWhole.data());
  }
  return llvm::PreservedAnalyses::all();
}

namespace {

/// How many copies of loops of known length there are within one iteration, once they are straight code.
unsigned straightened_within(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  unsigned copies = 0;
  for (const llvm::Loop *inner : loop)
    if (const unsigned trips = evolution.getSmallConstantTripCount(inner))
      copies += 1 + trips * straightened_within(*inner, evolution);
  return copies;
}

} // namespace

void note_inner_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (loop->getParentLoop() && !llvm::findOptionMDForLoop(loop, kInner))
      llvm::addStringMetadataToLoop(loop, kInner.data());
    const unsigned copies = straightened_within(*loop, evolution);
    if (copies && !llvm::findOptionMDForLoop(loop, kStraightened))
      llvm::addStringMetadataToLoop(loop, kStraightened.data(), copies);
  }
}

bool is_told_to_unroll(const llvm::Loop &loop) { return llvm::findOptionMDForLoop(&loop, kTold); }

bool ends_settled_loop(const llvm::Instruction &instruction) {
  const llvm::MDNode *loop = instruction.getMetadata(llvm::LLVMContext::MD_loop);
  return loop && llvm::findOptionMDForLoopID(const_cast<llvm::MDNode *>(loop), kSettled);
}

} // namespace smem
