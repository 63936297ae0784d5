#include "nvcc/cicc/branching_calls.h"

#include <optional>
#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {

llvm::PreservedAnalyses TellCallsApart::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  tell_calls_apart(function);
  return llvm::PreservedAnalyses::all();
}

void HideCallees::before(llvm::Function &function) {
  llvm::Type *number = llvm::Type::getInt64Ty(function.getContext());
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (branches_of(instruction) != Branches::Table)
      continue;
    auto &call = llvm::cast<llvm::CallBase>(instruction);
    llvm::Function *callee = call.getCalledFunction();
    if (!callee || !callee->onlyReadsMemory())
      continue;
    calls_.push_back({&call, callee, call.getAttributes()});
    // What the callee promises holds of the call.
    call.setAttributes(call.getAttributes().addFnAttributes(
        function.getContext(), llvm::AttrBuilder(function.getContext(), callee->getAttributes().getFnAttrs())));
    call.setCalledOperand(
        llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(number, calls_.size()), callee->getType()));
  }
}

void HideCallees::after(llvm::Function &, const llvm::PreservedAnalyses &) {
  for (const Hidden &hidden : calls_)
    if (auto *call = llvm::cast_or_null<llvm::CallBase>(hidden.call)) {
      call->setCalledFunction(hidden.callee);
      call->setAttributes(hidden.attributes);
    }
}

BlocksOfCalls::BlocksOfCalls(llvm::Function &function, Branches least) {
  std::vector<llvm::Instruction *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (branches_of(instruction) >= least)
      calls.push_back(&instruction);
  for (llvm::Instruction *call : calls)
    begun_.emplace_back(
        llvm::SplitBlock(call->getParent(), call->getNextNode(), static_cast<llvm::DominatorTree *>(nullptr)));
}

void BlocksOfCalls::merge() {
  for (llvm::Value *block : begun_)
    if (block)
      llvm::MergeBlockIntoPredecessor(llvm::cast<llvm::BasicBlock>(block));
}

namespace {

/// May the arguments be the same in all iterations? Not where one comes round the loop, or from what writes; a load may be hoisted, and with it what is computed of it.
bool may_have_invariant_arguments(const llvm::Instruction &call, const llvm::Loop &loop, const llvm::LoopInfo &loops) {
  llvm::SmallPtrSet<const llvm::Instruction *, 16> seen{&call};
  std::vector<const llvm::Instruction *> work{&call};
  while (!work.empty()) {
    const llvm::Instruction *next = work.back();
    work.pop_back();
    for (const llvm::Value *operand : next->operand_values()) {
      const auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!instruction || loop.isLoopInvariant(instruction))
        continue;
      if (instruction->mayWriteToMemory() ||
          (llvm::isa<llvm::PHINode>(instruction) && loops.isLoopHeader(instruction->getParent())))
        return false;
      if (seen.insert(instruction).second)
        work.push_back(instruction);
    }
  }
  return true;
}

} // namespace

llvm::PreservedAnalyses NoteInvariantBranchingCalls::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                                         llvm::LoopStandardAnalysisResults &results,
                                                         llvm::LPMUpdater &) {
  bool has_call = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      has_call |= is_blocks_to_cicc(instruction) && may_have_invariant_arguments(instruction, loop, results.LI);
  if (!has_call)
    return llvm::PreservedAnalyses::all();
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (const std::optional<SourceAccess> access = access_of(instruction))
        raise_uncertainty(Uncertainty::Unswitching, *block->getParent(), access->location);
  return llvm::PreservedAnalyses::all();
}

} // namespace smem
