#include "nvcc/cicc/unswitching.h"

#include <optional>

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "nvcc/cicc/if_conversion.h"
#include "nvcc/facts/accesses.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/warp_uniform.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

constexpr const char *kUniform = "smem_lint.uniform"; ///< a branch
constexpr const char *kPartly =
    "smem_lint.partly_uniform"; ///< a branch on two conditions, one of which lanes have in common
constexpr const char *kUnswitched = "smem_lint.unswitched"; ///< a loop, and the two that come of it

constexpr unsigned kConditionOperand = 0; ///< of a branch, and of a choice between two values

bool has_condition(const llvm::Instruction &instruction) {
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
  return branch ? branch->isConditional() : llvm::isa<llvm::SwitchInst, llvm::SelectInst>(instruction);
}

bool parts_of(llvm::Value &condition, llvm::Value *&one, llvm::Value *&other) {
  using namespace llvm::PatternMatch;
  return match(&condition, m_LogicalAnd(m_Value(one), m_Value(other))) ||
         match(&condition, m_LogicalOr(m_Value(one), m_Value(other)));
}

struct Unswitching {
  llvm::SmallSetVector<const llvm::Value *, 4> conditions;
  bool by_part = false;
  bool llvm_refuses = false; ///< what it takes for an operation of lanes together, which cicc does not
};

/// Nothing where cicc leaves the loop as it is.
std::optional<Unswitching> unswitching_of(const llvm::Loop &loop, const llvm::TargetTransformInfo &target,
                                          const CompilerRules &rules) {
  if (llvm::findOptionMDForLoop(&loop, kUnswitched))
    return std::nullopt;
  Unswitching result;
  llvm::InstructionCost size = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      size += target.getInstructionCost(&instruction, llvm::TargetTransformInfo::TCK_CodeSize);
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
        if (is_barrier(instruction) || (assembly && assembly->hasSideEffects()))
          return std::nullopt;
        result.llvm_refuses |= call->isConvergent();
      }
      // By one of two conditions cicc makes two loops as well, where that does not change.
      llvm::Value *one = nullptr, *other = nullptr;
      if (instruction.hasMetadata(kPartly) && has_condition(instruction) &&
          parts_of(*instruction.getOperand(kConditionOperand), one, other) &&
          (loop.isLoopInvariant(one) || loop.isLoopInvariant(other)))
        result.by_part = true;
      if (instruction.hasMetadata(kUniform) && has_condition(instruction))
        if (const llvm::Value *condition = instruction.getOperand(kConditionOperand);
            !llvm::isa<llvm::Constant>(condition) && loop.isLoopInvariant(condition))
          result.conditions.insert(condition);
    }
  if ((result.conditions.empty() && !result.by_part) || size > rules.unswitch_size)
    return std::nullopt;
  return result;
}

} // namespace

llvm::PreservedAnalyses NoteUniformBranches::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  auto &uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  llvm::MDNode *uniform = llvm::MDNode::get(function.getContext(), {});
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (!has_condition(instruction) || !loops.getLoopFor(instruction.getParent()))
      continue;
    llvm::Value &condition = *instruction.getOperand(kConditionOperand);
    llvm::Value *one = nullptr, *other = nullptr;
    if (is_warp_uniform(condition, uniformity))
      instruction.setMetadata(kUniform, uniform);
    else if (parts_of(condition, one, other) &&
             (is_warp_uniform(*one, uniformity) || is_warp_uniform(*other, uniformity)))
      instruction.setMetadata(kPartly, uniform);
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses HideDivergentBranches::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                                   llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &) {
  const std::optional<Unswitching> unswitching = unswitching_of(loop, results.TTI, *rules_);
  const llvm::Value *visible =
      unswitching && !unswitching->conditions.empty() ? unswitching->conditions.front() : nullptr;
  const bool uncertain =
      unswitching && (unswitching->conditions.size() > 1 || unswitching->by_part || unswitching->llvm_refuses);
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block)) {
      if (const std::optional<SourceAccess> access = uncertain ? access_of(instruction) : std::nullopt)
        raise_uncertainty(Uncertainty::Unswitching, *block->getParent(), access->location);
      if (!has_condition(instruction) || (block == loop.getHeader() && loop.isLoopExiting(block)))
        continue;
      llvm::Value *condition = instruction.getOperand(kConditionOperand);
      if (llvm::isa<llvm::Constant>(condition) || (condition == visible && instruction.hasMetadata(kUniform)))
        continue;
      instruction.setOperand(kConditionOperand, new llvm::FreezeInst(condition, "", instruction.getIterator()));
    }
  if (visible)
    llvm::addStringMetadataToLoop(&loop, kUnswitched);
  llvm::PreservedAnalyses preserved = llvm::getLoopPassPreservedAnalyses();
  preserved.preserve<llvm::MemorySSAAnalysis>();
  return preserved;
}

llvm::PreservedAnalyses ShowDivergentBranches::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  for (const llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (llvm::findOptionMDForLoop(loop, kUnswitched))
      for (llvm::BasicBlock *block : loop->blocks())
        release_block_without_branch(*block);
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto *hidden = llvm::dyn_cast<llvm::FreezeInst>(&instruction)) {
      hidden->replaceAllUsesWith(hidden->getOperand(0));
      hidden->eraseFromParent();
    }
  return llvm::PreservedAnalyses::none();
}

} // namespace smem
