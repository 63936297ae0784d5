#include "nvcc/cicc/repeated_stores.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Functions of the module are inlined yet, and few wait.
bool may_wait(const llvm::Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](const llvm::Instruction &instruction) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      return call && call->isConvergent() && (!callee || callee->isDeclaration());
    });
  });
}

/// Does nothing in the address change from one iteration of `outer` to the next?
bool repeats(const llvm::SCEV *address, const llvm::Loop &outer) {
  return !llvm::SCEVExprContains(address, [&](const llvm::SCEV *part) {
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
      return recurrence->getLoop() == &outer;
    const auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    const auto *value = unknown ? llvm::dyn_cast<llvm::Instruction>(unknown->getValue()) : nullptr;
    return value && outer.contains(value);
  });
}

} // namespace

void note_repeated_stores(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (llvm::all_of(loops, [](const llvm::Loop *loop) { return loop->isInnermost(); }))
    return;
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (const SourceAccess &access : accesses_of(function)) {
    const llvm::Loop *inner = loops.getLoopFor(access.instruction->getParent());
    if (access.location.kind != AccessLocation::Kind::Store || !inner)
      continue;
    const llvm::SCEV *address = evolution.getSCEV(access.pointer);
    for (const llvm::Loop *outer = inner->getParentLoop(); outer && evolution.getSmallConstantTripCount(inner);
         inner = outer, outer = outer->getParentLoop())
      if (repeats(address, *outer) && !may_wait(*outer))
        raise_uncertainty(Uncertainty::RedundantAccess, function, access.location);
  }
}

} // namespace smem
