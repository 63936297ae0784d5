#include "nvcc/facts/bits_by_conditions.h"

#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace smem {

BitsByConditions::BitsByConditions(llvm::Function &kernel, const llvm::DominatorTree &tree)
    : layout_(kernel.getDataLayout()), tree_(tree) {
  for (llvm::BasicBlock &block : kernel)
    if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator()); branch && branch->isConditional())
      conditions_.registerBranch(branch);
}

llvm::KnownBits BitsByConditions::at(const llvm::Value &value, const llvm::Instruction &at) const {
  llvm::SimplifyQuery query(layout_, &tree_, /*AC=*/nullptr, &at);
  query.DC = &conditions_;
  return llvm::computeKnownBits(&value, /*Depth=*/0, query);
}

} // namespace smem
