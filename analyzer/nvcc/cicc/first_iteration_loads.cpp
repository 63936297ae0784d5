#include "nvcc/cicc/first_iteration_loads.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

constexpr unsigned kIterations =
    64; // of a loop that are looked at; a condition that one of them meets is on its first ones

/// Is `counter` all of `value` that is no constant?
bool follows_from(const llvm::Value *value, const llvm::Value *counter, unsigned depth = 12) {
  if (value == counter || llvm::isa<llvm::Constant>(value))
    return true;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && depth != 0 && !llvm::isa<llvm::PHINode, llvm::CallBase>(instruction) &&
         !instruction->mayReadOrWriteMemory() && llvm::all_of(instruction->operands(), [&](const llvm::Use &operand) {
           return follows_from(operand, counter, depth - 1);
         });
}

class Finder {
public:
  Finder(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        tree_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)) {}

  bool is_of_one_iteration(const SourceAccess &access) const {
    const llvm::BasicBlock *block = access.instruction->getParent();
    const llvm::Loop *loop = loops_.getLoopFor(block);
    if (!loop || !llvm::isa<llvm::GlobalVariable>(llvm::getUnderlyingObject(access.pointer)))
      return false;
    for (const llvm::DomTreeNode *node = tree_.getNode(block); node && loop->contains(node->getBlock());
         node = node->getIDom()) {
      const llvm::Value *counter = counter_of_one(*node->getBlock(), *loop);
      if (counter && follows_from(access.pointer, counter))
        return true;
    }
    return false;
  }

private:
  /// The counter of the loop, where a condition leads into `block` that it meets in one iteration.
  const llvm::Value *counter_of_one(const llvm::BasicBlock &block, const llvm::Loop &loop) const {
    const llvm::BasicBlock *before = block.getSinglePredecessor();
    const auto *branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    const auto *test =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    const auto *bound = test ? llvm::dyn_cast<llvm::ConstantInt>(test->getOperand(1)) : nullptr;
    if (!bound || !loop.contains(before) || loop.isLoopExiting(before))
      return nullptr;
    const auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(test->getOperand(0)));
    const auto *start = counter && counter->getLoop() == &loop && counter->isAffine()
                            ? llvm::dyn_cast<llvm::SCEVConstant>(counter->getStart())
                            : nullptr;
    const auto *step = start ? llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution_)) : nullptr;
    if (!step)
      return nullptr;
    const unsigned trips = evolution_.getSmallConstantMaxTripCount(&loop);
    const auto predicate = branch->getSuccessor(0) == &block ? test->getPredicate() : test->getInversePredicate();
    unsigned times = 0;
    llvm::APInt value = start->getAPInt();
    for (unsigned i = 0; i < (trips ? std::min(trips, kIterations) : kIterations); ++i, value += step->getAPInt())
      times += llvm::ICmpInst::compare(value, bound->getValue(), predicate);
    return times == 1 ? test->getOperand(0) : nullptr;
  }

  const llvm::LoopInfo &loops_;
  const llvm::DominatorTree &tree_;
  llvm::ScalarEvolution &evolution_;
};

} // namespace

void note_loads_of_one_iteration(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  if (analyses.getResult<llvm::LoopAnalysis>(function).empty())
    return;
  const Finder finder(function, analyses);
  for (const SourceAccess &access : accesses_of(function))
    if (access.shared && access.location.kind == AccessLocation::Kind::Load && finder.is_of_one_iteration(access))
      raise_uncertainty(Uncertainty::SourceLine, function, access.location);
}

} // namespace smem
