#include "nvcc/cicc/fallen_through.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {

void note_fallen_through(llvm::Function &kernel, const llvm::DominatorTree &tree, llvm::UniformityInfo &uniformity,
                         std::span<const SourceAccess> accesses, const CompilerRules &rules) {
  for (llvm::BasicBlock &block : kernel) {
    if (!llvm::isa<llvm::SwitchInst>(block.getTerminator()) || !uniformity.hasDivergentTerminator(block))
      continue;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 8> fallen;
    for (const llvm::BasicBlock *to : llvm::successors(&block))
      if (llvm::any_of(llvm::predecessors(to),
                       [&](const llvm::BasicBlock *from) { return from != &block && tree.dominates(&block, from); }))
        fallen.insert(to);
    const llvm::SmallPtrSet<llvm::BasicBlock *, 1> again{&block};
    const auto is_end = [&](const llvm::BasicBlock *to) { // of all: where two rows of cases end, neither is
      return llvm::all_of(fallen, [&](const llvm::BasicBlock *other) {
        return other == to || llvm::isPotentiallyReachable(other, to, &again, &tree);
      });
    };
    if (fallen.size() <= rules.certain_fall_through && llvm::any_of(fallen, is_end))
      continue;
    for (const SourceAccess &access : accesses)
      if (fallen.count(access.instruction->getParent()) && !is_end(access.instruction->getParent()))
        raise_uncertainty(Uncertainty::SwitchReconvergence, kernel, access.location);
  }
}

} // namespace smem
