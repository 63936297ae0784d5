#include "nvcc/cicc/local_pointers.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {

void note_local_pointer_accesses(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const std::optional<SourceAccess> access = access_of(instruction);
    const auto *pointer = access ? llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(access->pointer)) : nullptr;
    if (pointer && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer->getPointerOperand())))
      raise_uncertainty(Uncertainty::LocalPointer, function, access->location);
  }
}

} // namespace smem
