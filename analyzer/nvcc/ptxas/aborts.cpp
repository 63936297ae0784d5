#include "nvcc/ptxas/aborts.h"

#include <vector>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace smem::lower {

void drop_aborts(llvm::Function &kernel) {
  std::vector<llvm::CallInst *> ends; // the first of each block: what follows goes with it
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call)
      continue;
    if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
      if (llvm::StringRef(assembly->getAsmString()).trim() == "trap;" &&
          (ends.empty() || ends.back()->getParent() != call->getParent()))
        ends.push_back(call);
      continue;
    }
    const llvm::Function *callee = call->getCalledFunction();
    if (!callee)
      continue;
    const bool aborts = callee->getIntrinsicID() == llvm::Intrinsic::trap || callee->getName() == "__assertfail" ||
                        callee->getName() == "__assert_fail";
    if (aborts && (ends.empty() || ends.back()->getParent() != call->getParent()))
      ends.push_back(call);
  }
  for (llvm::CallInst *call : ends)
    llvm::changeToUnreachable(call);
}

} // namespace smem::lower
