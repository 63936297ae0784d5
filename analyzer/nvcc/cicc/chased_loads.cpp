#include "nvcc/cicc/chased_loads.h"

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// What the address of `load` is computed from: the index, which may have been extended.
llvm::Value *index_of(const llvm::LoadInst &load) {
  const llvm::Value *value = load.getPointerOperand();
  while (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(value)) {
    const auto &step = llvm::cast<llvm::Instruction>(*value);
    value = step.getOperand(step.getNumOperands() - 1);
  }
  return const_cast<llvm::Value *>(value);
}

} // namespace

void note_chased_loads(llvm::Function &function, const llvm::LoopInfo &loops) {
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    const llvm::BasicBlock *before = loop->getLoopPredecessor(), *latch = loop->getLoopLatch();
    if (!before || !latch)
      continue;
    for (const llvm::PHINode &index : loop->getHeader()->phis()) {
      auto *first = llvm::dyn_cast<llvm::LoadInst>(index.getIncomingValueForBlock(before));
      auto *next = llvm::dyn_cast<llvm::LoadInst>(index.getIncomingValueForBlock(latch));
      if (!first || !next || index_of(*next) != &index)
        continue;
      // A loop that has been rotated begins with what its first round loads.
      auto *before_first = llvm::dyn_cast<llvm::LoadInst>(index_of(*first));
      for (llvm::LoadInst *load : {before_first, first, next})
        if (const std::optional<SourceAccess> access = load ? access_of(*load) : std::nullopt)
          raise_uncertainty(Uncertainty::SourceLine, function, access->location);
    }
  }
}

} // namespace smem
