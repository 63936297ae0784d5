#include "nvcc/cicc/speculated_loads.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Elements of vectors are registers.
bool counts(const llvm::Instruction &instruction) {
  return !instruction.isTerminator() && !instruction.isDebugOrPseudoInst() &&
         !llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::GetElementPtrInst>(instruction);
}

/// Does a branch lead into `block` and past it, or into another block beside it, and do these lead to one block?
bool may_become_selects(const llvm::BasicBlock &block, const CompilerRules &rules) {
  const llvm::BasicBlock *before = block.getSinglePredecessor(), *after = block.getSingleSuccessor();
  return before && after && before->getTerminator()->getNumSuccessors() == 2 &&
         llvm::all_of(
             llvm::successors(before),
             [&](const llvm::BasicBlock *way) { return way == after || way->getSingleSuccessor() == after; }) &&
         llvm::count_if(block, counts) <= static_cast<long>(rules.if_conversion_size.value) &&
         llvm::all_of(block, [](const llvm::Instruction &instruction) {
           if (instruction.isTerminator() || instruction.isDebugOrPseudoInst())
             return true;
           // Mathematics are calls to nvcc where it looks at branches.
           return !llvm::isa<llvm::CallBase>(instruction) && llvm::isSafeToSpeculativelyExecute(&instruction);
         });
}

} // namespace

void note_speculated_loads(llvm::Function &kernel, const CompilerRules &rules) {
  for (llvm::BasicBlock &block : kernel)
    if (may_become_selects(block, rules))
      for (llvm::Instruction &instruction : block)
        if (const std::optional<SourceAccess> access = access_of(instruction))
          raise_uncertainty(Uncertainty::IfConversion, kernel, access->location);
}

} // namespace smem
